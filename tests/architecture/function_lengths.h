// SPDX-License-Identifier: Apache-2.0
// Finds the functions of a C++ source and how many lines each has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::architecture {

/// A function or lambda with a body.
struct FunctionLength {
  std::string name;   ///< start of its declaration, shortened
  int firstLine = 0;  ///< line where the declaration starts, from 1
  int length = 0;     ///< lines of declaration and body, without those of braced tables inside
};

/// Functions and lambdas in the order in which they end. A heuristic without a compiler: it reads
/// braces and what stands before them, and knows nothing of macros that open or close a brace.
std::vector<FunctionLength> functionLengths(std::string_view text);

}  // namespace tenon::architecture
