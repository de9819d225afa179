// SPDX-License-Identifier: Apache-2.0
// What loss functions share; only for the files of this folder.
#pragma once

#include "engine/ops/losses/losses.h"

namespace tenon::losses {

/// Mean, sum, or the losses themselves.
Tensor reduced(const Tensor& losses, Reduction reduction);
/// @throws Error(Usage | Type | Shape) if one is undefined or they differ in type or shape.
void needAlike(const char* loss, const Tensor& x, const Tensor& target);
/// @throws Error(Usage | Type) if x is undefined or not floating.
void needFloatingInput(const char* loss, const Tensor& x);
/// max(x, 0), whose gradient at 0 passes.
Tensor positivePart(const Tensor& x);

}  // namespace tenon::losses
