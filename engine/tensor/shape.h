// SPDX-License-Identifier: Apache-2.0
// Shapes and strides: up to 8 sizes, stored inline.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "engine/backend/api/types.h"
#include "engine/base/export.h"

namespace tenon {

inline constexpr int kMaxDims = TENON_MAX_DIMS;

/// A list of at most 8 sizes (or strides). No dimensions: a scalar with one element.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int64_t> sizes) : Shape(std::span(sizes.begin(), sizes.size())) {}
  /// @throws Error(Code::Shape) for more than 8 dimensions.
  explicit Shape(std::span<const int64_t> sizes) {
    if (sizes.size() > static_cast<size_t>(kMaxDims)) tooManyDims(sizes.size());
    for (int64_t size : sizes) sizes_[static_cast<size_t>(ndim_++)] = size;
  }

  int ndim() const { return ndim_; }
  int64_t operator[](int axis) const { return sizes_[static_cast<size_t>(axis)]; }
  int64_t& operator[](int axis) { return sizes_[static_cast<size_t>(axis)]; }
  /// Size along `axis`; negative axes count from the end.
  int64_t at(int axis) const { return sizes_[static_cast<size_t>(axis < 0 ? axis + ndim_ : axis)]; }
  const int64_t* begin() const { return sizes_.data(); }
  const int64_t* end() const { return sizes_.data() + ndim_; }
  std::span<const int64_t> span() const { return {begin(), static_cast<size_t>(ndim_)}; }
  void push(int64_t size) {
    if (ndim_ == kMaxDims) tooManyDims(kMaxDims + 1);
    sizes_[static_cast<size_t>(ndim_++)] = size;
  }
  void resize(int ndim, int64_t fill = 1) {
    for (int i = ndim_; i < ndim; ++i) sizes_[static_cast<size_t>(i)] = fill;
    ndim_ = ndim;
  }
  /// Product of the sizes.
  int64_t numel() const {
    int64_t n = 1;
    for (int i = 0; i < ndim_; ++i) n *= sizes_[static_cast<size_t>(i)];
    return n;
  }
  bool operator==(const Shape& other) const {
    if (ndim_ != other.ndim_) return false;
    for (int i = 0; i < ndim_; ++i)
      if (sizes_[static_cast<size_t>(i)] != other.sizes_[static_cast<size_t>(i)]) return false;
    return true;
  }

 private:
  [[noreturn]] TENON_API static void tooManyDims(size_t n);

  std::array<int64_t, kMaxDims> sizes_;  // only the first ndim_ are set
  int ndim_ = 0;
};

/// "[8, 3, 32, 32]"
TENON_API std::string toString(const Shape& shape);
/// Row-major strides in elements.
TENON_API Shape contiguousStrides(const Shape& shape);
/// True if elements of `shape` with `strides` fill memory densely in row-major order (sizes of 1 do
/// not matter).
TENON_API bool isContiguous(const Shape& shape, const Shape& strides);
/// The common shape under broadcasting. @throws Error(Code::Shape) naming both, prefixed "[op]".
TENON_API Shape broadcastShapes(const Shape& a, const Shape& b, const char* op);
/// numel * bytes with overflow check. @throws Error(Code::Shape) for negative or too large sizes.
TENON_API int64_t checkedBytes(const Shape& shape, int bits);
/// Maps a negative axis to its positive one. @throws Error(Code::Shape) if out of range, prefixed
/// "[op]".
TENON_API int normalizeAxis(int axis, int ndim, const char* op);

}  // namespace tenon
