// SPDX-License-Identifier: Apache-2.0
// Running products, made of multiplications with the same moved along (W. Hillis, G. Steele, "Data
// parallel algorithms", CACM 29, 1986).
#include "engine/ops/reduce/cumprod.h"

#include "engine/base/error.h"
#include "engine/ops/arrange/arrange.h"
#include "engine/ops/checks.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/autocast.h"
#include "engine/ops/reduce/axes.h"
#include "engine/ops/view/view.h"

namespace tenon {

Tensor cumprod(const Tensor& x, int axis) {
  if (const gate::AutocastCall autocast{AutocastClass::Float32}) return cumprod(autocast(x), axis);
  if (!x.defined()) throw Error(Code::Usage, "[cumprod] x is undefined: it holds no tensor");
  const int along = normalizeAxis(axis, x.ndim(), "cumprod");
  const DType type = sumType(x.dtype());
  Tensor y = cast(x, statisticsType(type));  // f16 and bf16: rounded once
  const int64_t length = x.ndim() == 0 ? 1 : x.size(along);
  for (int64_t reach = 1; reach < length; reach *= 2) {
    Shape start = y.shape();
    start[along] = reach;
    const Tensor ones = Tensor::full(start, 1, y.dtype());
    y = mul(y, cat({ones, narrow(y, along, 0, length - reach)}, along));
  }
  return cast(y, type);
}

}  // namespace tenon
