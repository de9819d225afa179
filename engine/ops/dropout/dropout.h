// SPDX-License-Identifier: Apache-2.0
// Operator "dropout": elements are zeroed at random, the rest is scaled up.
#pragma once

namespace tenon {

/// Parameters of "dropout" and "dropout_backward".
struct DropoutParams {
  double p = 0.5;  ///< chance of an element to be dropped, 0 .. 1
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/tensor/tensor.h"

namespace tenon {

/// What dropout gave: the values and which were kept (bool).
struct DropoutResult {
  Tensor y;
  Tensor mask;
};

/// y = x / (1 - p) where the element is kept, else 0; p = 1 gives zeros. Element i (logical
/// row-major index) is kept if uniform01(key, call, i) >= p, where the key is
/// makeKey(seed, Purpose::Dropout, rank) of the thread's generator (engine/base/philox.h):
/// independent of layout and threads. f32 or f64.
/// @throws Error(Usage) if p is outside 0 .. 1.
TENON_API DropoutResult dropoutWithMask(const Tensor& x, double p);
/// The same without the mask; x itself if not training or p is 0.
TENON_API Tensor dropout(const Tensor& x, double p, bool training);

/// Drops whole channels: channel c of sample n of x [N, C, ...] is kept if uniform01(key, call,
/// n * C + c) >= p, and then divided by 1 - p (Tompson et al. 2015, arXiv:1411.4280).
/// @throws Error(Shape) for fewer than two axes, Error(Usage) if p is outside 0 .. 1.
TENON_API Tensor channelDropout(const Tensor& x, double p, bool training);

/// Drops whole samples of a residual branch x [N, ...] (Huang et al. 2016, arXiv:1603.09382):
/// sample n is kept if uniform01(key, call, n) >= p, and then divided by 1 - p; if not
/// `perSample`, number 0 decides for the whole batch.
/// @throws Error(Shape) for a scalar, Error(Usage) if p is outside 0 .. 1.
TENON_API Tensor stochasticDepth(const Tensor& x, double p, bool training, bool perSample = true);

}  // namespace tenon
#endif
