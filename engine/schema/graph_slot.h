// SPDX-License-Identifier: Apache-2.0
// GraphSlot: a place in a layer for a graph of its own, such as the body of a repeat.
#pragma once

#include <string>
#include <vector>

namespace tenon {

struct GraphSlot {
  std::string name;      ///< as in the project file: "body"
  std::string help;      ///< one sentence
  bool required = true;  ///< false: without a graph the slot passes its input on
};
using GraphSlots = std::vector<GraphSlot>;

}  // namespace tenon
