// SPDX-License-Identifier: Apache-2.0
// The refusal to write in place to a tensor whose elements share memory.
#include "engine/ops/gate/overlap.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/small_vector.h"

namespace tenon::gate {
namespace {

/// The first axis that steps into what the axes of smaller stride span, as PyTorch's
/// is_non_overlapping_and_dense() walks them; -1: there is none.
struct SharedAxis {
  int axis = -1;
  int64_t span = 0;  ///< elements of memory from the first to the last of the axes before it
};

SharedAxis sharedAxis(const Tensor& t) {
  if (t.layout().blocked() || t.numel() == 0 || t.isContiguous()) return {};
  SmallVector<int, 8> axes;
  for (int axis = 0; axis < t.ndim(); ++axis)
    if (t.size(axis) > 1) axes.push_back(axis);
  std::stable_sort(axes.begin(), axes.end(),
                   [&](int a, int b) { return t.strides()[a] < t.strides()[b]; });
  int64_t span = 1;
  for (const int axis : axes) {
    const int64_t stride = t.strides()[axis];
    if (stride < span) return {axis, span};
    span += (t.size(axis) - 1) * stride;
  }
  return {};
}

std::string reasonText(const Tensor& t, const SharedAxis& shared) {
  const int64_t stride = t.strides()[shared.axis];
  if (stride == 0)
    return fmt::format("the {} elements of axis {} are one in memory", t.size(shared.axis),
                       shared.axis);
  return fmt::format("axis {} steps by {} inside the {} elements of memory that other axes span",
                     shared.axis, stride, shared.span);
}

}  // namespace

void refuseOverlap(const OpDef& op, TensorList inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!op.mutatesInput(i) || inputs[i] == nullptr || !inputs[i]->defined()) continue;
    const SharedAxis shared = sharedAxis(*inputs[i]);
    if (shared.axis < 0) continue;
    throw Error(Code::Shape,
                fmt::format("[{}] writes in place only where it is sure that every "
                            "element has memory of its own, but {}: {}; clone it first",
                            op.id, reasonText(*inputs[i], shared), describe(*inputs[i])));
  }
}

}  // namespace tenon::gate
