// SPDX-License-Identifier: Apache-2.0
// Convolution and transposed convolution over one, two or three spatial axes.
//
// All are made of conv2d and its gradients (engine/ops/conv2d), so they run where those run fast: a
// line is an image of one row, and the taps along the depth of a volume are more channels.
#pragma once

#include "engine/ops/arrange/arrange.h"
#include "engine/ops/spatial.h"

namespace tenon {

/// Settings of `conv`. Each list holds one number, or one for each spatial axis.
struct ConvOptions {
  PerAxis stride = {1};                     ///< >= 1
  PerAxis padding = {0};                    ///< elements added on both sides, >= 0
  PerAxis dilation = {1};                   ///< distance of the kernel's taps, >= 1
  int64_t groups = 1;                       ///< >= 1; divides both channel counts
  PadMode paddingMode = PadMode::Constant;  ///< what is added; Constant: zeros
};

/// y[n, o, i] = b[o] + sum over c, k of x[n, c, i * stride + k * dilation - padding] * w[o, c, k]
/// along every spatial axis (a cross-correlation).
/// @param x [N, C, (D,) (H,) W] f32 or f64; @param w [O, C/groups, (kd,) (kh,) kw];
/// @param b [O] or undefined
/// @returns [N, O, ...], each size (in + 2 * padding - dilation * (k - 1) - 1) / stride + 1,
/// rounded down. @throws Error(Shape | Type | Usage) that begins with "[conv1d]", "[conv2d]" or
/// "[conv3d]". Gradients of every order.
TENON_API Tensor conv(const Tensor& x, const Tensor& w, const Tensor& b,
                      const ConvOptions& options = {});

/// Settings of `convTranspose`.
struct ConvTransposeOptions {
  PerAxis stride = {1};         ///< >= 1
  PerAxis padding = {0};        ///< elements taken away on both sides of the result, >= 0
  PerAxis outputPadding = {0};  ///< more elements at the far end, below stride or dilation
  PerAxis dilation = {1};       ///< >= 1
  int64_t groups = 1;           ///< >= 1; divides both channel counts
};

/// The gradient of `conv` with respect to its input as an operator: each element of x puts a
/// kernel's worth of values into the result, `stride` apart.
/// @param x [N, C, (D,) (H,) W] f32 or f64; @param w [C, O/groups, (kd,) (kh,) kw];
/// @param b [O] or undefined
/// @returns [N, O, ...], each size (in - 1) * stride - 2 * padding + dilation * (k - 1) +
/// outputPadding + 1. @throws Error(Shape | Type | Usage) that begins with "[conv_transpose1d]",
/// ... Gradients of every order.
TENON_API Tensor convTranspose(const Tensor& x, const Tensor& w, const Tensor& b,
                               const ConvTransposeOptions& options = {});

}  // namespace tenon
