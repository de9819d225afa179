// SPDX-License-Identifier: Apache-2.0
// Operators that put whole tensors in another arrangement: joined, turned round, cut to a triangle,
// padded.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "cat".
struct CatParams {
  int32_t axis = 0;
};

/// Parameters of "flip".
struct FlipParams {
  uint32_t axes = 0;  ///< bit k: axis k runs backwards
};

/// Parameters of "triangle".
struct TriangleParams {
  int64_t diagonal = 0;  ///< the one that is kept last; above the main one if positive
  int32_t upper = 0;     ///< 1: what lies above it is kept, else what lies below
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include <vector>

#include "engine/base/small_vector.h"
#include "engine/tensor/tensor.h"

namespace tenon {

using Axes = SmallVector<int, 8>;

// Every function takes tensors of any type and is differentiable.

/// The tensors one after the other along an axis; all of one type, and of one shape but for that
/// axis. @throws Error(Usage) for no tensors, Error(Shape | Type) naming the one that does not fit.
TENON_API Tensor cat(const std::vector<Tensor>& tensors, int axis = 0);
/// The tensors, all of one shape, one after the other along a new axis.
TENON_API Tensor stack(const std::vector<Tensor>& tensors, int axis = 0);
/// The elements along `axes` in reverse order.
TENON_API Tensor flip(const Tensor& x, const Axes& axes);
/// Every element `shift` places further along an axis; those that leave come in at the other end.
TENON_API Tensor roll(const Tensor& x, int64_t shift, int axis);
/// Zeros above the diagonal of the last two axes. @throws Error(Shape) for fewer than two.
TENON_API Tensor tril(const Tensor& x, int64_t diagonal = 0);
/// Zeros below the diagonal of the last two axes.
TENON_API Tensor triu(const Tensor& x, int64_t diagonal = 0);

/// What stands outside a tensor: one value; the tensor mirrored at its edge elements; its edge
/// elements; the tensor again from its other end.
enum class PadMode : int32_t { Constant = 0, Reflect, Replicate, Circular };

/// Elements to add before and after an axis; negative ones are taken away (Constant only).
struct Padding {
  int axis = 0;
  int64_t before = 0;
  int64_t after = 0;
};
/// @param value for PadMode::Constant
/// @throws Error(Shape) for more than there is to mirror (size - 1) or repeat (size), or to take.
TENON_API Tensor pad(const Tensor& x, const std::vector<Padding>& paddings,
                     PadMode mode = PadMode::Constant, double value = 0);

}  // namespace tenon
#endif
