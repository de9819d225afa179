// SPDX-License-Identifier: Apache-2.0
// Random operators: tensors of uniform, normal, Bernoulli and whole numbers, and permutations.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "uniform_".
struct UniformParams {
  double low = 0;
  double high = 1;
};

/// Parameters of "normal_".
struct NormalParams {
  double mean = 0;
  double std = 1;
};

/// Parameters of "bernoulli_".
struct BernoulliParams {
  double p = 0.5;
};

/// Parameters of "randint_".
struct RandintParams {
  int64_t low = 0;
  int64_t high = 1;
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

// The numbers are those of engine/base/philox.h with the key makeKey(seed, Purpose::Operator, rank)
// of the thread's generator and the number of the call: they depend on that and on the logical
// row-major index of an element, never on threads, layout or strides. Every type gets the same
// numbers: those of f64, rounded to the type, f16 and bf16 by way of f32, so twice (uniform: whose
// u is cut off first). The generator's
// `calls` goes up by one a call; put back, the same numbers come again. Nothing here has a
// gradient: what is overwritten gets zeros.
// @throws Error(Usage) for parameters that allow no number, Error(Type) for types not named.

/// Numbers in [low, high), low < high, both finite: low + (high - low) u with u a multiple of 2^-24
/// (f64: 2^-53), rounded to the type: where `low` is no number of it, the least may be the one
/// below. What rounding would make `high` or more becomes the number before. f32, f64, f16, bf16.
TENON_API Tensor uniform(const Shape& shape, double low = 0, double high = 1,
                         DType dtype = DType::F32);
/// Numbers of the normal distribution (Box-Muller, at most 6.67 `std` from the mean). std >= 0.
/// f32, f64, f16, bf16.
TENON_API Tensor normal(const Shape& shape, double mean = 0, double std = 1,
                        DType dtype = DType::F32);
/// 1 with chance p (0 .. 1), else 0; the chance is exact to 2^-64. f32, f64, f16, bf16, bool.
TENON_API Tensor bernoulli(const Shape& shape, double p, DType dtype = DType::F32);
/// The same with a chance of its own for each element; shape and (floating) type are p's.
/// @throws Error(Input) naming the first p outside 0 .. 1.
TENON_API Tensor bernoulli(const Tensor& p);
/// Whole numbers in [low, high), low < high, each equally likely. i64 or i32.
TENON_API Tensor randint(const Shape& shape, int64_t low, int64_t high, DType dtype = DType::I64);
/// A random order of 0 .. n-1, every order equally likely: i64 [n]. n >= 0.
TENON_API Tensor permutation(int64_t n);

// The same into a tensor that is there, of any layout and strides.
TENON_API void uniformInPlace(const Tensor& t, double low = 0, double high = 1);
TENON_API void normalInPlace(const Tensor& t, double mean = 0, double std = 1);
TENON_API void bernoulliInPlace(const Tensor& t, double p);
TENON_API void randintInPlace(const Tensor& t, int64_t low, int64_t high);

}  // namespace tenon
#endif
