// SPDX-License-Identifier: Apache-2.0
// Puts the functions of all files in functions/ into one table.
#include "tests/parity/functions.h"

#include "engine/base/error.h"

namespace tenon::parity {

std::span<Functions (*const)()> functionFamilies();

const Functions& functions() {
  static const Functions kAll = [] {
    Functions all;
    for (auto family : functionFamilies())
      for (auto& [name, function] : family())
        if (!all.emplace(name, function).second)
          throw Error(Code::Internal, "two functions of ./dev parity are called " + name);
    return all;
  }();
  return kAll;
}

}  // namespace tenon::parity
