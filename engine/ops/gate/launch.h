// SPDX-License-Identifier: Apache-2.0
// What is noted of the kernels that run for a call while someone listens.
#pragma once

#include <cstdint>

#include "engine/backend/api/kernel.h"
#include "engine/base/small_vector.h"

namespace tenon::gate {

/// A kernel that ran; it names its operator.
struct Launch {
  const TenonKernel* kernel;
  int64_t startNs;  ///< monotonic; before memory was asked for, but for rounding results
  int64_t endNs;
};
using Launches = SmallVector<Launch, 4>;

}  // namespace tenon::gate
