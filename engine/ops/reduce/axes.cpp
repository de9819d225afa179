// SPDX-License-Identifier: Apache-2.0
// What reductions over several axes share.
#include "engine/ops/reduce/axes.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/view/view.h"
#include "engine/schema/param_map.h"

namespace tenon {

Shape reducedShape(const Shape& shape, uint32_t axes, bool keepdim) {
  Shape out;
  for (int i = 0; i < shape.ndim(); ++i) {
    const bool gone = (axes >> i) & 1u;
    if (!gone) out.push(shape[i]);
    if (gone && keepdim) out.push(1);
  }
  return out;
}

int64_t reducedCount(const Shape& shape, uint32_t axes) {
  int64_t count = 1;
  for (int i = 0; i < shape.ndim(); ++i)
    if ((axes >> i) & 1u) count *= shape[i];
  return count;
}

void describeReduce(const void* params, ParamMap& out) {
  const auto* p = static_cast<const ReduceParams*>(params);
  std::vector<int64_t> axes;
  for (int i = 0; i < kMaxDims; ++i)
    if ((p->axes >> i) & 1u) axes.push_back(i);
  out.set("axes", axes);
  out.set("keepdim", p->keepdim != 0);
}

ReduceParams reduceParams(const Tensor& x, const Axes& axes, bool keepdim, const char* op) {
  if (!x.defined())
    throw Error(Code::Usage, fmt::format("[{}] x is undefined: it holds no tensor", op));
  ReduceParams params{0, keepdim ? 1 : 0};
  if (axes.empty()) params.axes = (1u << x.ndim()) - 1u;
  for (int axis : axes) {
    const uint32_t bit = 1u << normalizeAxis(axis, x.ndim(), op);
    if (params.axes & bit)
      throw Error(Code::Shape,
                  fmt::format("[{}] axis {} is named twice for {}", op, axis, describe(x)));
    params.axes |= bit;
  }
  return params;
}

Tensor keptAxes(const Tensor& t, const GradCall& call) {
  const uint32_t axes = static_cast<const ReduceParams*>(call.params)->axes;
  return reshape(t, reducedShape(call.inputMetas[0].shape, axes, true));
}

Tensor counted(const Tensor& mask, DType dtype) {
  const gate::NoGradGuard noGrad;
  return cast(mask, dtype);
}

Tensor shared(const Tensor& dy, const Tensor& chosen, const ReduceParams& params) {
  Axes axes;
  for (int i = 0; i < chosen.ndim(); ++i)
    if ((params.axes >> i) & 1u) axes.push_back(i);
  if (axes.empty()) return mul(dy, chosen);
  return mul(chosen, div(dy, sum(chosen, axes, true)));
}

Tensor axesLast(const Tensor& x, uint32_t axes) {
  Axes order;
  Shape shape;
  for (int i = 0; i < x.ndim(); ++i) {
    if ((axes >> i) & 1u) continue;
    order.push_back(i);
    shape.push(x.size(i));
  }
  for (int i = 0; i < x.ndim(); ++i)
    if ((axes >> i) & 1u) order.push_back(i);
  shape.push(reducedCount(x.shape(), axes));
  return reshape(permute(x, order), shape);
}

}  // namespace tenon
