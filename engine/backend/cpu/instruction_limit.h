// SPDX-License-Identifier: Apache-2.0
// Holds oneDNN to the instruction level that the kernels were asked for.
#pragma once

#include "engine/base/export.h"

namespace tenon::cpu::onednn {

/// `level` as kernels call it ("baseline", "avx2"). Works only until oneDNN's engine is made, so
/// the registry says it before it gives out a kernel.
/// @throws Error(Code::Device) if oneDNN does not take it (too late, or built without limits)
TENON_API void limitInstructions(const char* level);

}  // namespace tenon::cpu::onednn
