// SPDX-License-Identifier: Apache-2.0
// The process's one allocator of host memory.
#pragma once

#include "engine/memory/allocator.h"

namespace tenon::memory {

/// Host memory for tensors, over `cpuRawMemory()`; never destroyed.
/// @thread may be called from any thread.
TENON_API CachingAllocator& cpuAllocator();

}  // namespace tenon::memory
