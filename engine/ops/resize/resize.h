// SPDX-License-Identifier: Apache-2.0
// Images and other grids in another size: interpolation, and channels dealt out as pixels.
#pragma once

#include <cstdint>

namespace tenon {

/// Parameters of "resample" and "resample_backward".
struct ResampleParams {
  int32_t axis = 0;
  int64_t size = 0;  ///< of the axis of what is read from
};

}  // namespace tenon

#ifndef TENON_CPU_LEVEL
#include "engine/ops/spatial.h"

namespace tenon {

/// How values between elements are found.
enum class Interpolation : int32_t {
  Nearest = 0,   ///< element floor(i * in / out), in f32 as PyTorch's "nearest"
  NearestExact,  ///< element floor((i + 0.5) * in / out): the one whose middle is nearest
  Linear,        ///< lines between two elements an axis (bilinear, trilinear)
  Cubic,         ///< Keys' cubic convolution of four elements an axis, a = -0.75 (bicubic)
  Area,          ///< means of bins, as adaptiveAvgPool
};

/// Settings of `interpolate`; both switches are for Linear and Cubic only.
struct InterpolateOptions {
  Interpolation mode = Interpolation::Nearest;
  bool alignCorners = false;  ///< the middles of the corner elements stay where they are
  bool antialias = false;     ///< wider filters when the size shrinks (cubic: a = -0.5)
  /// What the sizes were computed from, out = floor(in * factor): then positions go by 1 / factor
  /// in place of in / out, unless alignCorners or Area. 0: the sizes were given.
  double factor = 0;
};

/// x with other spatial sizes. Positions are (i + 0.5) * in / out - 0.5, or with alignCorners
/// i * (in - 1) / (out - 1); beyond the edge stands the edge's element.
/// @param x [N, C, (D,) (H,) W] f32 or f64 (the nearest modes: any type), no axis empty
/// @param size wanted, one number or one for each spatial axis
/// @throws Error(Shape | Usage | Type). Gradients of every order.
TENON_API Tensor interpolate(const Tensor& x, const PerAxis& size,
                             const InterpolateOptions& options = {});

/// Weighted sums of `taps` neighbours along an axis: y[i] = sum over k of weights[i, k] *
/// x[starts[i] + k]. Differentiable in x.
/// @param x f32 or f64; @param weights [out, taps], x's type; @param starts [out] i64
/// @throws Error(Shape | Type), Error(Input) naming the first start that leaves the axis.
TENON_API Tensor resample(const Tensor& x, int axis, const Tensor& weights, const Tensor& starts);

/// [N, C * f * f, H, W] -> [N, C, H * f, W * f]: the channels of a pixel become a square of pixels
/// (Shi et al. 2016, arXiv:1609.05158). A view and one copy; any type.
/// @throws Error(Shape) if f * f does not divide the channels.
TENON_API Tensor pixelShuffle(const Tensor& x, int64_t factor);
/// The opposite: [N, C, H, W] -> [N, C * f * f, H / f, W / f].
/// @throws Error(Shape) if f does not divide height and width.
TENON_API Tensor pixelUnshuffle(const Tensor& x, int64_t factor);

}  // namespace tenon
#endif
