// SPDX-License-Identifier: Apache-2.0
// Automatic mixed precision: while a guard lives, operators read f16 or bf16 where that is safe and
// f32 where it is not, each by its class (OpDef::autocast).
//
// | class        | reads                                                                      |
// |--------------|----------------------------------------------------------------------------|
// | LowPrecision | the guard's type: products, convolutions, prelu                             |
// | Float32      | f32: powers, exp and log, softmax, norms of samples, sums, losses           |
// | Widest       | f32 if any input is f32 (or 16-bit types mix), else what arrives            |
// | AsIs         | what arrives, brought to one type as always                                 |
//
// f64, integers and bools are left alone, and so are operators that write in place. Casts are
// recorded, so a weight's gradient has the weight's type. Backward runs in the types that forward
// chose, inside or outside of a guard.
#pragma once

#include <memory>

#include "engine/base/export.h"
#include "engine/tensor/dtype.h"

namespace tenon::amp {

/// Switches autocast on, or within another guard off or to another type, for the calling thread.
///
/// Casts of f32 leaves that want a gradient (weights) to the low type are made once and kept until
/// the outermost guard ends; a leaf that is written in between is cast anew.
class TENON_API AutocastGuard {
 public:
  /// @param type BF16 or F16 @param enabled false: operators take what arrives (a part of a network
  ///   that is to run in f32; its inputs may be 16-bit and want a cast to f32)
  /// @throws Error(Code::Type) for another type.
  explicit AutocastGuard(DType type, bool enabled = true);
  ~AutocastGuard();
  AutocastGuard(const AutocastGuard&) = delete;
  AutocastGuard& operator=(const AutocastGuard&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether operators that the calling thread calls now are cast.
TENON_API bool autocastEnabled();

}  // namespace tenon::amp
