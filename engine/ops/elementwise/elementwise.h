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
#include "engine/ops/elementwise/number.h"
#include "engine/tensor/tensor.h"

namespace tenon {

// Unary: x of any shape; the result has x's shape, floating type and, where it can, layout. f16 and
// bf16 are computed in f32 and rounded. Integers and bools become f32 first, PyTorch's default, but
// neg, abs, square, powScalar, relu, clamp, addScalar, mulScalar, sign and rounding leave integers
// what they are (they wrap around): there a floating number (2.0 as well as 2.5) makes integers and
// bools f32, and an integer makes bools i64. A limit of clamp or hardTanh that is infinite is none.
// @throws Error(Type) for bools where they have no meaning (neg, abs, rounding, ...), Error(Input)
// for a negative power of integers.
// `nameInPlace` writes the result over x, which keeps its shape, type and layout; see "In place".
#define TENON_UNARY0(name, ...)           \
  TENON_API Tensor name(const Tensor& x); \
  TENON_API void name##InPlace(const Tensor& x);
#define TENON_UNARY1(name, functor, id, help, first, firstDefault)     \
  TENON_API Tensor name(const Tensor& x, Number first = firstDefault); \
  TENON_API void name##InPlace(const Tensor& x, Number first = firstDefault);
#define TENON_UNARY2(name, functor, id, help, first, firstDefault, second, secondDefault) \
  TENON_API Tensor name(const Tensor& x, Number first = firstDefault,                     \
                        Number second = secondDefault);                                   \
  TENON_API void name##InPlace(const Tensor& x, Number first = firstDefault,              \
                               Number second = secondDefault);
TENON_ARITHMETIC(TENON_UNARY0, TENON_UNARY1, TENON_UNARY2)
TENON_ACTIVATIONS(TENON_UNARY0, TENON_UNARY1, TENON_UNARY2)
TENON_EXPONENTIALS(TENON_UNARY0, TENON_UNARY1, TENON_UNARY2)
TENON_TRIGONOMETRIC(TENON_UNARY0, TENON_UNARY1, TENON_UNARY2)
TENON_ROUNDING(TENON_UNARY0, TENON_UNARY1, TENON_UNARY2)
#undef TENON_UNARY0
#undef TENON_UNARY1
#undef TENON_UNARY2

// Binary: shapes broadcast, and types are brought to a common one (engine/tensor/promotion.h),
// which is that of the result; f16 and bf16 are computed in f32 and rounded. Gradients are summed
// back to each input's shape and have its type. add, sub, mul, maximum, minimum, fmod, remainder,
// floorDivide and pow leave integers what they are (they wrap around); the others, true division
// among them, make them f32. Bools add as "or", multiply as "and", and have no difference.
// @throws Error(Shape) if the shapes do not broadcast, Error(Input) where integers are divided by
// 0.
#define TENON_BINARY(name, ...) TENON_API Tensor name(const Tensor& a, const Tensor& b);
TENON_BINARY_FUNCTIONS(TENON_BINARY)
// Comparisons and logic (0 is false): as above and also bool; the result is bool. No gradient.
TENON_COMPARISONS(TENON_BINARY)
#undef TENON_BINARY

/// Bits of integers, truth of bools; shapes broadcast, types are brought to a common one. No
/// gradient. @throws Error(Type) for floating types.
TENON_API Tensor bitwiseAnd(const Tensor& a, const Tensor& b);
TENON_API Tensor bitwiseOr(const Tensor& a, const Tensor& b);
TENON_API Tensor bitwiseXor(const Tensor& a, const Tensor& b);
/// Every bit of an integer turned over; the other truth of a bool.
TENON_API Tensor bitwiseNot(const Tensor& x);

/// a where `condition` (bool) is true, else b; all three broadcast, a and b to a common type too.
/// Differentiable in a and b.
TENON_API Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);

/// 1 (bool) where x is 0, else 0.
TENON_API Tensor logicalNot(const Tensor& x);
/// a + weight (b - a); all three broadcast, of one floating type. Differentiable in all. Exact at
/// weights 0 and 1.
TENON_API Tensor lerp(const Tensor& a, const Tensor& b, const Tensor& weight);
/// The same with one weight for all elements, which is not rounded to the type of a and b.
TENON_API Tensor lerp(const Tensor& a, const Tensor& b, double weight);
/// x for x > 0, else weight * x, with one weight for all or one a channel.
/// @param x [N, C, ...]; @param weight [1] or [C] (x of one axis: [1]), x's type
/// @throws Error(Shape) if weight has another shape.
TENON_API Tensor prelu(const Tensor& x, const Tensor& weight);

/// dy where y = relu(x) is above 0, else 0: relu's gradient in one pass, for operators that end in
/// it. Not recorded. @param dy, y of one shape and type. @throws Error(Shape | Type)
TENON_API Tensor reluBackward(const Tensor& dy, const Tensor& y);

// In place. The changed tensor keeps its shape (b broadcasts to it), type and layout; each call
// adds one to its version, so that a backward pass that would read what was there before refuses.
// The result is computed in the common type of both and converted. Differentiable; where the
// gradient needs the old value (log, pow, ...) recording keeps a copy of it.
// @throws Error(Shape) if b does not broadcast to a, Error(Type) if the common type is of a higher
// category (floating into integer, integer into bool), Error(Usage) for leaves that need a
// gradient, and for views while any operand needs one.

/// a += b
TENON_API void addInPlace(const Tensor& a, const Tensor& b);
/// a -= b
TENON_API void subInPlace(const Tensor& a, const Tensor& b);
/// a *= b. @throws Error(Usage) if b needs a gradient (the old a would be needed: use mul).
TENON_API void mulInPlace(const Tensor& a, const Tensor& b);
// a becomes div(a, b), pow(a, b), ...
#define TENON_BINARY(name, ...) TENON_API void name##InPlace(const Tensor& a, const Tensor& b);
TENON_BINARY_IN_PLACE(TENON_BINARY)
#undef TENON_BINARY
/// y += alpha * x
TENON_API void axpyInPlace(const Tensor& y, const Tensor& x, double alpha);
/// Every element of t becomes `value` (the padding of a blocked t stays zero).
/// @throws Error(Input) if t holds integers and `value` is not one of theirs: 300 or -1 in u8, 0.5,
/// NaN. (PyTorch refuses most numbers out of range, but cuts fractions off.)
TENON_API void fillInPlace(const Tensor& t, double value);
/// x becomes `value` where `mask` (bool, broadcasts to x) is true; no gradient comes from there.
/// @throws Error(Type) if mask is not bool, Error(Shape) if it does not broadcast to x,
/// Error(Input) as fillInPlace.
TENON_API void maskedFillInPlace(const Tensor& x, const Tensor& mask, double value);
/// dst = src, which broadcasts to dst and is converted to its type.
TENON_API void copyInPlace(const Tensor& dst, const Tensor& src);

}  // namespace tenon
#endif
