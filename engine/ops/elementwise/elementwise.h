// SPDX-License-Identifier: Apache-2.0
// Pointwise operators: one value out for one value (or a pair) in, with broadcasting.
//
// The functions themselves are the rows of functions/*.h; declarations here come from those rows.
// A tensor that lies blocked stays blocked where the function keeps zero (the padding is zero).
#pragma once

#include "engine/ops/elementwise/functions/activations.h"
#include "engine/ops/elementwise/functions/arithmetic.h"
#include "engine/ops/elementwise/functions/binary.h"
#include "engine/ops/elementwise/functions/exponential.h"
#include "engine/ops/elementwise/functions/rounding.h"
#include "engine/ops/elementwise/functions/trigonometric.h"

namespace tenon {

/// Parameters of every unary pointwise operator: up to two numbers, meaning as in its row.
struct UnaryParams {
  double a = 0;
  double b = 0;
};

/// Parameters of operators with one number: "fill_", "axpy_".
struct ScalarParams {
  double value = 0;
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

// Unary: x of any shape, f32 or f64 (neg, abs, square, relu, clamp, addScalar, mulScalar, sign and
// rounding also i64 and i32); the result has x's shape, type and, where it can, layout. A limit of
// clamp or hardTanh that is infinite is none.
// @throws Error(Type) for a type without kernel.
#define TENON_UNARY0(name, ...) TENON_API Tensor name(const Tensor& x);
#define TENON_UNARY1(name, functor, id, help, first, firstDefault) \
  TENON_API Tensor name(const Tensor& x, double first = firstDefault);
#define TENON_UNARY2(name, functor, id, help, first, firstDefault, second, secondDefault) \
  TENON_API Tensor name(const Tensor& x, double first = firstDefault,                     \
                        double second = secondDefault);
TENON_ARITHMETIC(TENON_UNARY0, TENON_UNARY1, TENON_UNARY2)
TENON_ACTIVATIONS(TENON_UNARY0, TENON_UNARY1, TENON_UNARY2)
TENON_EXPONENTIALS(TENON_UNARY0, TENON_UNARY1, TENON_UNARY2)
TENON_TRIGONOMETRIC(TENON_UNARY0, TENON_UNARY1, TENON_UNARY2)
TENON_ROUNDING(TENON_UNARY0, TENON_UNARY1, TENON_UNARY2)
#undef TENON_UNARY0
#undef TENON_UNARY1
#undef TENON_UNARY2

// Binary: a and b of one type, shapes broadcast. Gradients are summed back to each input's shape.
// add, sub, mul, maximum and minimum also take i64, i32 and u8.
// @throws Error(Shape) if the shapes do not broadcast, Error(Type) if the types differ.
#define TENON_BINARY(name, ...) TENON_API Tensor name(const Tensor& a, const Tensor& b);
TENON_BINARY_FUNCTIONS(TENON_BINARY)
// Comparisons and logic (0 is false): as above and also bool; the result is bool. No gradient.
TENON_COMPARISONS(TENON_BINARY)
#undef TENON_BINARY

/// a where `condition` (bool) is true, else b; all three broadcast. Differentiable in a and b.
TENON_API Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);

/// 1 (bool) where x is 0, else 0.
TENON_API Tensor logicalNot(const Tensor& x);
/// a + weight (b - a); all three broadcast, of one floating type. Differentiable in all. Exact at
/// weights 0 and 1.
TENON_API Tensor lerp(const Tensor& a, const Tensor& b, const Tensor& weight);
/// The same with one weight for all elements.
TENON_API Tensor lerp(const Tensor& a, const Tensor& b, double weight);
/// x for x > 0, else weight * x, with one weight for all or one a channel.
/// @param x [N, C, ...]; @param weight [1] or [C] (x of one axis: [1]), x's type
/// @throws Error(Shape) if weight has another shape.
TENON_API Tensor prelu(const Tensor& x, const Tensor& weight);
/// First half * sigmoid(second half) of an axis, whose size must be even. @throws Error(Shape)
TENON_API Tensor glu(const Tensor& x, int axis = -1);

// In place. The changed tensor keeps its shape (b broadcasts to it), type and layout; each call
// adds one to its version. @throws Error(Shape) if b does not broadcast to a.

/// a += b
TENON_API void addInPlace(const Tensor& a, const Tensor& b);
/// a -= b
TENON_API void subInPlace(const Tensor& a, const Tensor& b);
/// a *= b. @throws Error(Usage) if b needs a gradient (the old a would be needed: use mul).
TENON_API void mulInPlace(const Tensor& a, const Tensor& b);
/// y += alpha * x
TENON_API void axpyInPlace(const Tensor& y, const Tensor& x, double alpha);
/// x *= factor
TENON_API void mulScalarInPlace(const Tensor& x, double factor);
/// x = max(x, 0)
TENON_API void reluInPlace(const Tensor& x);
/// Every element of t becomes `value` (the padding of a blocked t stays zero).
TENON_API void fillInPlace(const Tensor& t, double value);
/// dst = src, which broadcasts to dst and is converted to its type.
TENON_API void copyInPlace(const Tensor& dst, const Tensor& src);

}  // namespace tenon
#endif
