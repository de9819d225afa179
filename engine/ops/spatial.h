// SPDX-License-Identifier: Apache-2.0
// What operators over one to three spatial axes share: settings for each axis, and checks.
#pragma once

#include <string>

#include "engine/base/small_vector.h"
#include "engine/tensor/tensor.h"

namespace tenon {

/// A setting of every spatial axis: one number for all of them, or one for each ({2} or {2, 1, 1}).
using PerAxis = SmallVector<int64_t, 3>;

namespace spatial {

/// How many axes lie behind [N, C]: 1 to 3. `op` begins the text of errors, `name` is x's.
/// @throws Error(Usage) if x is undefined, Error(Shape) for another number of axes.
TENON_API int axesOf(const Tensor& x, const char* op, const char* name);
/// "conv" and 2 give "conv2d".
TENON_API std::string nameOf(const char* family, int axes);
/// The setting as one number for each of `axes` axes.
/// @throws Error(Usage) for another count of numbers or one below `least`, naming `what`.
TENON_API PerAxis spread(const PerAxis& setting, int axes, int64_t least, const std::string& op,
                         const char* what);

}  // namespace spatial
}  // namespace tenon
