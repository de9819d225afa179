// SPDX-License-Identifier: Apache-2.0
// Shape arithmetic and its errors; names of element types.
#include "engine/tensor/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/tensor/dtype.h"

namespace tenon {

void Shape::tooManyDims(size_t n) {
  throw Error(Code::Shape,
              fmt::format("a tensor has at most {} dimensions, wanted {}", kMaxDims, n));
}

std::string toString(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape.span(), ", "));
}

Shape contiguousStrides(const Shape& shape) {
  Shape strides = shape;
  int64_t step = 1;
  for (int i = shape.ndim() - 1; i >= 0; --i) {
    strides[i] = step;
    step *= std::max<int64_t>(shape[i], 1);
  }
  return strides;
}

bool isContiguous(const Shape& shape, const Shape& strides) {
  int64_t step = 1;
  for (int i = shape.ndim() - 1; i >= 0; --i) {
    if (shape[i] == 0) return true;
    if (shape[i] != 1 && strides[i] != step) return false;
    step *= shape[i];
  }
  return true;
}

Shape broadcastShapes(const Shape& a, const Shape& b, const char* op) {
  const int ndim = std::max(a.ndim(), b.ndim());
  Shape out;
  out.resize(ndim);
  for (int i = 1; i <= ndim; ++i) {
    const int64_t x = i <= a.ndim() ? a.at(-i) : 1;
    const int64_t y = i <= b.ndim() ? b.at(-i) : 1;
    if (x != y && x != 1 && y != 1)
      throw Error(Code::Shape, fmt::format("[{}] shapes do not broadcast at axis -{}: {} and {}",
                                           op, i, toString(a), toString(b)));
    out[ndim - i] = x == 1 ? y : x;
  }
  return out;
}

int64_t checkedBytes(const Shape& shape, int bits) {
  int64_t total = bits / 8;
  for (int64_t size : shape.span()) {
    if (size < 0 || __builtin_mul_overflow(total, size, &total))
      throw Error(Code::Shape, "shape " + toString(shape) + " has a negative or too large size");
  }
  return total;
}

int normalizeAxis(int axis, int ndim, const char* op) {
  const int positive = axis < 0 ? axis + ndim : axis;
  if (positive < 0 || positive >= std::max(ndim, 1))
    throw Error(Code::Shape,
                fmt::format("[{}] axis {} is outside a tensor of {} dimensions", op, axis, ndim));
  return positive;
}

namespace {
struct Named {
  DType type;
  std::string_view name;
};
constexpr Named kTypes[] = {{DType::F32, "f32"},   {DType::F64, "f64"}, {DType::F16, "f16"},
                            {DType::BF16, "bf16"}, {DType::I64, "i64"}, {DType::I32, "i32"},
                            {DType::I8, "i8"},     {DType::U8, "u8"},   {DType::Bool, "bool"}};
}  // namespace

std::string_view dtypeName(DType type) {
  for (const Named& known : kTypes)
    if (known.type == type) return known.name;
  return "?";
}

DType dtypeFromName(std::string_view name) {
  std::string all;
  for (const Named& known : kTypes) {
    if (known.name == name) return known.type;
    all += (all.empty() ? "" : ", ") + std::string(known.name);
  }
  throw Error(Code::Type, fmt::format("unknown element type '{}', known are {}", name, all));
}

}  // namespace tenon
