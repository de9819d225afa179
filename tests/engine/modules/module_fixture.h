// SPDX-License-Identifier: Apache-2.0
// What tests of modules share: the text of an error, and seeds.
#pragma once

#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/ops/gate/thread_state.h"

namespace tenon {

/// The text of the error that `call` throws; empty if it throws none.
template <class F>
std::string errorOf(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// True if `text` has every one of the parts.
inline bool hasAll(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (text.find(part) == std::string::npos) return false;
  return true;
}

/// Initial values and masks from one seed while this lives.
class Seeded {
 public:
  explicit Seeded(uint64_t seed) : generator_{.seed = seed}, guard_(generator_) {}

 private:
  Generator generator_;
  gate::GeneratorGuard guard_;
};

}  // namespace tenon
