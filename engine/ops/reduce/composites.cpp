// SPDX-License-Identifier: Apache-2.0
// Reductions that are made of other operators: products, and whether any or all are true.
#include "engine/ops/checks.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/reduce/axes.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

Tensor zeroLike(const Tensor& x) { return Tensor::zeros({}, x.dtype(), x.device()); }

/// Product along the last axis (n >= 1), halves times halves: n multiplications whose gradients
/// never divide, so that zeros need no care.
Tensor productOfHalves(Tensor x) {
  Tensor odd;
  while (x.size(-1) > 1) {
    const int64_t half = x.size(-1) / 2;
    if (x.size(-1) % 2 == 1) {
      const Tensor last = narrow(x, -1, 2 * half, 1);
      odd = odd.defined() ? mul(odd, last) : last;
    }
    x = mul(narrow(x, -1, 0, half), narrow(x, -1, half, half));
  }
  return odd.defined() ? mul(x, odd) : x;
}

}  // namespace

Tensor prod(const Tensor& x, const Axes& axes, bool keepdim) {
  if (const gate::AutocastCall autocast{AutocastClass::Float32})
    return prod(autocast(x), axes, keepdim);
  const ReduceParams over = reduceParams(x, axes, keepdim, "prod");
  const Shape shape = reducedShape(x.shape(), over.axes, keepdim);
  const DType type = sumType(x.dtype());
  if (reducedCount(x.shape(), over.axes) == 0) return Tensor::full(shape, 1, type);
  const Tensor wide = cast(x, statisticsType(type));  // f16 and bf16: rounded once
  return cast(reshape(productOfHalves(axesLast(wide, over.axes)), shape), type);
}

Tensor any(const Tensor& x, const Axes& axes, bool keepdim) {
  reduceParams(x, axes, keepdim, "any");  // errors name this function
  const Tensor count = sum(notEqual(x, zeroLike(x)), axes, keepdim);
  return notEqual(count, zeroLike(count));
}

Tensor all(const Tensor& x, const Axes& axes, bool keepdim) {
  reduceParams(x, axes, keepdim, "all");
  const Tensor count = sum(equal(x, zeroLike(x)), axes, keepdim);
  return equal(count, zeroLike(count));
}

}  // namespace tenon
