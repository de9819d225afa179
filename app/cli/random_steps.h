// SPDX-License-Identifier: Apache-2.0
// The benchmark's measure of fragmentation: training steps of random shapes on an allocator of
// their own.
#pragma once

#include <cstdint>

namespace tenon::cli {

/// What the steps took at most at once. Bytes.
struct RandomStepsMemory {
  int64_t live = 0;
  int64_t reserved = 0;
  int64_t pages = 0;  ///< smallest amounts by which the pools grow, added up
};

/// Runs so many steps on host memory with expandable segments. The memory is mapped but not
/// written to, so that it takes no room.
/// @throws Error(Code::Memory) if the machine has too little
RandomStepsMemory runRandomSteps(int steps);

}  // namespace tenon::cli
