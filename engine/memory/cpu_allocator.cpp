// SPDX-License-Identifier: Apache-2.0
// The process's one allocator of host memory.
#include "engine/memory/cpu_allocator.h"

#include "engine/memory/cpu_raw_memory.h"

namespace tenon::memory {

CachingAllocator& cpuAllocator() {
  static CachingAllocator& allocator =
      *new CachingAllocator(cpuRawMemory());  // freed by nobody: tensors may outlive statics
  return allocator;
}

}  // namespace tenon::memory
