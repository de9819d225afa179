// SPDX-License-Identifier: Apache-2.0
// The table of all operators, gathered from the folders.
#include <algorithm>
#include <string_view>
#include <vector>

#include "engine/ops/op_def.h"

namespace tenon {

std::span<OpDefList (*const)()> operatorFamilies();

std::span<const OpDef* const> allOps() {
  static const std::vector<const OpDef*> all = [] {
    std::vector<const OpDef*> ops;
    for (OpDefList (*family)() : operatorFamilies()) {
      const OpDefList list = family();
      ops.insert(ops.end(), list.data, list.data + list.count);
    }
    std::sort(ops.begin(), ops.end(),
              [](const OpDef* a, const OpDef* b) { return std::string_view(a->id) < b->id; });
    return ops;
  }();
  return all;
}

const OpDef* findOp(std::string_view id) {
  for (const OpDef* op : allOps())
    if (id == op->id) return op;
  return nullptr;
}

}  // namespace tenon
