// SPDX-License-Identifier: Apache-2.0
// What reductions over several axes share: shapes, parameters, gradients brought to the input's
// shape. Only for the files of this folder.
#pragma once

#include "engine/ops/op_def.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon {

/// `shape` without the axes (bit k: axis k), or with size 1 there.
Shape reducedShape(const Shape& shape, uint32_t axes, bool keepdim);
/// Elements that one result is made of.
int64_t reducedCount(const Shape& shape, uint32_t axes);
/// Parameters from a caller's axes (none: all).
/// @throws Error(Usage) for an undefined x, Error(Shape) for axes out of range or named twice.
ReduceParams reduceParams(const Tensor& x, const Axes& axes, bool keepdim, const char* op);
/// Writes parameters that begin with ReduceParams.
void describeReduce(const void* params, ParamMap& out);

/// A gradient or an output of a reduction with its axes kept as size 1, so that it broadcasts to
/// the input.
Tensor keptAxes(const Tensor& t, const GradCall& call);
/// A mask as 1 and 0 of `like`'s type, without a gradient.
Tensor counted(const Tensor& mask, DType dtype);
/// Shares `dy` equally among the elements of x where `chosen` is 1. Axes as ReduceParams.
Tensor shared(const Tensor& dy, const Tensor& chosen, const ReduceParams& params);
/// The reduced axes of x as one last axis, the others before it in order.
Tensor axesLast(const Tensor& x, uint32_t axes);

/// Type of sums and products: integers and bools are added as i64.
inline DType sumType(DType type) { return isFloating(type) ? type : DType::I64; }

}  // namespace tenon
