// SPDX-License-Identifier: Apache-2.0
// What convolution and transposed convolution share; only for the files of this folder.
#pragma once

#include "engine/ops/conv2d/conv2d.h"
#include "engine/ops/spatial.h"

namespace tenon::conv_parts {

/// The settings of a convolution, one number for each of its axes.
struct Geometry {
  int axes = 0;
  PerAxis stride, padding, dilation;
  int64_t groups = 1;

  /// As conv2d takes them: axes `height` and `width`, -1 for an axis that is not there.
  Conv2dParams of(int height, int width) const;
  Conv2dParams ofLines() const { return of(-1, 0); }
  Conv2dParams ofImages() const { return of(0, 1); }
  Conv2dParams ofSlices() const { return of(1, 2); }  ///< of a volume
};

/// @throws Error(Usage) for settings that do not fit the axes or are too small.
Geometry geometryOf(const std::string& op, int axes, const PerAxis& stride, const PerAxis& padding,
                    const PerAxis& dilation);
/// w must be there with as many axes as x, all must be floating and of one type, groups >= 1.
/// @throws Error(Usage | Shape | Type)
void checkOperands(const std::string& op, const Tensor& x, const Tensor& w, const Tensor& b,
                   const Geometry& g);
/// @throws Error(Shape) unless b is [channels] or undefined.
void checkBias(const std::string& op, const Tensor& b, int64_t channels);

}  // namespace tenon::conv_parts
