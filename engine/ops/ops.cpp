// SPDX-License-Identifier: Apache-2.0
// The table of all operators, gathered from the folders.
//
// Their classes under autocast (OpDef::autocast) are PyTorch's (autocast_mode.h), one policy for
// both low types: the lists for CUDA, and where those say nothing, the lists for the CPU.
//   LowPrecision  products and convolutions (matmul, linear, conv2d, and conv2d_backward_data,
//   which
//                 transposed convolution is), prelu
//   Float32       where 16 bits lose the result: powers, exp and log with their kin, tan, asin,
//                 acos, sinh, cosh, softplus, reciprocals; softmax, norms of samples, sums (sum,
//                 cumsum, norm, logsumexp), losses, resizing
//   Widest        inputs that no rule of promotion joins: cat, atan2, adding at indices
//   AsIs          all else takes what arrives: arithmetic (ordinary promotion), the other
//                 activations, batch norm (f16 beside f32 weights), pooling, views, and gradient
//                 operators, as backward runs in the types that forward chose
// tests/engine/ops/autocast_class_test.cpp holds the table.
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
