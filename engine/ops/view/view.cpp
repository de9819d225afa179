// SPDX-License-Identifier: Apache-2.0
// View operators: shape arithmetic over one storage, and their gradients.
#include "engine/ops/view/view.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/meta.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view_rules.h"

namespace tenon {

using namespace view;  // NOLINT: the operators this file calls

namespace {

/// x as views take it: strided.
Tensor stridedOf(const Tensor& x) {
  if (!x.defined()) throw Error(Code::Usage, "[view] x is undefined: it holds no tensor");
  return x.layout().blocked() ? contiguous(x) : x;
}

ShapeParams shapeParams(const Shape& shape) {
  ShapeParams params;
  params.ndim = shape.ndim();
  for (int i = 0; i < shape.ndim(); ++i) params.sizes[i] = shape[i];
  return params;
}

/// `shape` with its -1, if any, replaced by what is left of `count` elements.
Shape completed(const Tensor& x, Shape shape) {
  int open = -1;
  int64_t known = 1;
  for (int i = 0; i < shape.ndim(); ++i) {
    if (shape[i] == -1 && open < 0) {
      open = i;
    } else {
      known *= shape[i];
    }
  }
  if (open >= 0 && known > 0 && x.numel() % known == 0) shape[open] = x.numel() / known;
  bool valid = shape.numel() == x.numel();
  for (int64_t size : shape.span()) valid = valid && size >= 0;
  if (!valid)
    throw Error(Code::Shape, fmt::format("[reshape] {} elements do not fill shape {}: {}",
                                         x.numel(), toString(shape), describe(x)));
  return shape;
}

}  // namespace

Tensor reshape(const Tensor& x, const Shape& shape) {
  Tensor from = stridedOf(x);
  const Shape wanted = completed(from, shape);
  if (wanted == from.shape()) return from;
  Shape strides;
  if (!stridesOfReshape(from, wanted, strides)) from = contiguous(from);
  const ShapeParams params = shapeParams(wanted);
  return gate::run(reshapeOp(), {&from}, &params);
}

Tensor flatten(const Tensor& x, int first, int last) {
  if (!x.defined()) throw Error(Code::Usage, "[flatten] x is undefined: it holds no tensor");
  if (x.ndim() == 0) return reshape(x, {1});
  const int from = normalizeAxis(first, x.ndim(), "flatten");
  const int to = normalizeAxis(last, x.ndim(), "flatten");
  if (from > to)
    throw Error(Code::Shape,
                fmt::format("[flatten] axis {} comes after axis {}: {}", first, last, describe(x)));
  Shape shape;
  for (int i = 0; i < x.ndim(); ++i) {
    if (i > from && i <= to) {
      shape[shape.ndim() - 1] *= x.size(i);
    } else {
      shape.push(x.size(i));
    }
  }
  return reshape(x, shape);
}

Tensor permute(const Tensor& x, const Axes& order) {
  const Tensor from = stridedOf(x);
  PermuteParams params;
  params.ndim = static_cast<int32_t>(order.size());
  if (params.ndim != from.ndim())
    throw Error(Code::Shape,
                fmt::format("[permute] {} axes are given for {}", params.ndim, describe(from)));
  uint32_t seen = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const int axis = normalizeAxis(order[i], from.ndim(), "permute");
    if ((seen >> axis) & 1u)
      throw Error(Code::Shape,
                  fmt::format("[permute] axis {} is named twice for {}", order[i], describe(from)));
    seen |= 1u << axis;
    params.order[i] = axis;
  }
  return gate::run(permuteOp(), {&from}, &params);
}

Tensor transpose(const Tensor& x, int a, int b) {
  if (!x.defined()) throw Error(Code::Usage, "[transpose] x is undefined: it holds no tensor");
  const int first = normalizeAxis(a, x.ndim(), "transpose");
  const int second = normalizeAxis(b, x.ndim(), "transpose");
  Axes order;
  for (int i = 0; i < x.ndim(); ++i) order.push_back(i == first ? second : i == second ? first : i);
  return permute(x, order);
}

Tensor slice(const Tensor& x, int axis, int64_t start, int64_t length, int64_t step) {
  const Tensor from = stridedOf(x);
  SliceParams params;
  params.axis = normalizeAxis(axis, from.ndim(), "slice");
  params.start = start;
  params.length = length;
  params.step = step;
  params.size = from.ndim() ? from.size(params.axis) : 0;
  const bool fits =
      from.ndim() > 0 && start >= 0 && length >= 0 && step >= 1 &&
      (length == 0 ? start <= params.size : start + (length - 1) * step < params.size);
  if (!fits)
    throw Error(Code::Shape,
                fmt::format("[slice] {} elements from {} by {} do not fit axis {} of {}", length,
                            start, step, axis, describe(from)));
  return gate::run(sliceOp(), {&from}, &params);
}

Tensor narrow(const Tensor& x, int axis, int64_t start, int64_t length) {
  return slice(x, axis, start, length, 1);
}

Tensor select(const Tensor& x, int axis, int64_t index) {
  if (!x.defined()) throw Error(Code::Usage, "[select] x is undefined: it holds no tensor");
  const int at = normalizeAxis(axis, x.ndim(), "select");
  const int64_t size = x.ndim() ? x.size(at) : 0;
  const int64_t positive = index < 0 ? index + size : index;
  if (positive < 0 || positive >= size)
    throw Error(Code::Shape, fmt::format("[select] index {} is outside axis {} of {}", index, axis,
                                         describe(x)));
  return squeeze(slice(x, at, positive, 1, 1), at);
}

Tensor expand(const Tensor& x, const Shape& shape) {
  const Tensor from = stridedOf(x);
  Shape wanted = shape;
  const int missing = wanted.ndim() - from.ndim();
  bool fits = missing >= 0;
  for (int i = 0; fits && i < wanted.ndim(); ++i) {
    const int64_t own = i < missing ? 1 : from.size(i - missing);
    if (wanted[i] == -1 && i >= missing) wanted[i] = own;
    fits = wanted[i] >= 0 && (own == wanted[i] || own == 1);
  }
  if (!fits)
    throw Error(Code::Shape, fmt::format("[expand] {} does not broadcast to {}", describe(from),
                                         toString(shape)));
  if (wanted == from.shape()) return from;
  const ShapeParams params = shapeParams(wanted);
  return gate::run(expandOp(), {&from}, &params);
}

Tensor squeeze(const Tensor& x, int axis) {
  if (!x.defined()) throw Error(Code::Usage, "[squeeze] x is undefined: it holds no tensor");
  const int at = normalizeAxis(axis, x.ndim(), "squeeze");
  if (x.ndim() == 0 || x.size(at) != 1)
    throw Error(Code::Shape,
                fmt::format("[squeeze] axis {} of {} has not size 1", axis, describe(x)));
  Shape shape;
  for (int i = 0; i < x.ndim(); ++i)
    if (i != at) shape.push(x.size(i));
  return reshape(x, shape);
}

Tensor unsqueeze(const Tensor& x, int axis) {
  if (!x.defined()) throw Error(Code::Usage, "[unsqueeze] x is undefined: it holds no tensor");
  const int at = normalizeAxis(axis, x.ndim() + 1, "unsqueeze");
  Shape shape;
  for (int i = 0; i <= x.ndim(); ++i) {
    if (i == at) shape.push(1);
    if (i < x.ndim()) shape.push(x.size(i));
  }
  return reshape(x, shape);
}

}  // namespace tenon
