// SPDX-License-Identifier: Apache-2.0
// What a call is refused with, and what its text must say.
#pragma once

#include <string>
#include <vector>

#include "engine/base/error.h"

namespace tenon {

/// The text of the error that `call` throws; "no error" if it throws none.
template <class F>
std::string errorOf(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// True if `text` has every one of the parts.
inline bool hasAll(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (text.find(part) == std::string::npos) return false;
  return true;
}

}  // namespace tenon
