// SPDX-License-Identifier: Apache-2.0
// The table of indexing operators, and the functions that are made of others.
#include "engine/ops/index/index.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/index/families.h"
#include "engine/ops/view/view.h"
#include "engine/tensor/fill_value.h"

namespace tenon {
namespace {

void needDefined(const Tensor& x, const char* op, const char* name) {
  if (!x.defined())
    throw Error(Code::Usage, fmt::format("[{}] {} is undefined: it holds no tensor", op, name));
}

void needMask(const Tensor& mask, const char* op) {
  needDefined(mask, op, "mask");
  if (mask.dtype() != DType::Bool)
    throw Error(Code::Type, fmt::format("[{}] mask must be bool, got {}", op, describe(mask)));
}

}  // namespace

OpDefList opDefs_index();
OpDefList opDefs_index() {
  static const OpDefs kOps = [] {
    OpDefs ops;
    appendGather(ops);
    appendIndexRows(ops);
    return ops;
  }();
  return {kOps.data(), static_cast<int>(kOps.size())};
}

Tensor scatter(const Tensor& x, int axis, const Tensor& index, double value) {
  needDefined(x, "scatter", "x");
  needDefined(index, "scatter", "index");
  needFillValue(value, x.dtype(), "scatter");
  return scatter(x, axis, index, expand(Tensor::full({}, value, x.dtype()), index.shape()));
}

Tensor maskedFill(const Tensor& x, const Tensor& mask, double value) {
  needDefined(x, "masked_fill", "x");
  needMask(mask, "masked_fill");
  if (!(broadcastShapes(x.shape(), mask.shape(), "masked_fill") == x.shape()))
    throw Error(Code::Shape, fmt::format("[masked_fill] mask does not broadcast to x: {} and {}",
                                         describe(mask), describe(x)));
  needFillValue(value, x.dtype(), "masked_fill");
  return where(mask, Tensor::full({}, value, x.dtype()), x);
}

Tensor maskedSelect(const Tensor& x, const Tensor& mask) {
  needDefined(x, "masked_select", "x");
  needMask(mask, "masked_select");
  const Shape shape = broadcastShapes(x.shape(), mask.shape(), "masked_select");
  const std::vector<std::byte> chosen = expand(mask, shape).toBytes();
  std::vector<int64_t> places;
  for (size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i] != std::byte{0}) places.push_back(static_cast<int64_t>(i));
  const Tensor index = Tensor::fromValues(places, {static_cast<int64_t>(places.size())});
  return indexSelect(reshape(expand(x, shape), {shape.numel()}), 0, index);
}

Tensor oneHot(const Tensor& indices, int64_t classes) {
  needDefined(indices, "one_hot", "indices");
  if (indices.dtype() != DType::I64)
    throw Error(Code::Type,
                fmt::format("[one_hot] indices must be i64, got {}", describe(indices)));
  if (classes < 0) {
    classes = 0;
    for (int64_t index : indices.toVector<int64_t>()) classes = std::max(classes, index + 1);
  }
  Shape shape = indices.shape();
  shape.push(classes);
  const Tensor places = unsqueeze(indices, indices.ndim());
  return scatter(Tensor::zeros(shape, DType::I64), shape.ndim() - 1, places, 1);
}

}  // namespace tenon
