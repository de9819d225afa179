// SPDX-License-Identifier: Apache-2.0
// The devices of this process: their allocators and kernel tables, and why a device is refused.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/backend/api/kernel.h"
#include "engine/base/export.h"

namespace tenon::memory {
class CachingAllocator;
}

namespace tenon::backend {

/// Kind numbers equal DeviceKind: 0 CPU, 1 CUDA.
struct DeviceInfo {
  int kind = 0;
  int index = 0;
  std::string name;         ///< "AMD EPYC ..."
  std::string description;  ///< instruction level, threads; or compute capability
  uint64_t totalBytes = 0;
  uint64_t freeBytes = 0;
};

/// What became of a kind of device.
struct KindStatus {
  std::string kind;  ///< "cpu", "cuda"
  bool available = false;
  std::string reason;  ///< why not, for a user to read; empty when available
};

/// Every usable device, the CPU first.
TENON_API std::vector<DeviceInfo> devices();
/// Each kind the program knows, usable or not, with the reason.
TENON_API std::vector<KindStatus> deviceKinds();

/// The device's caching allocator. @throws Error(Code::Device) with the reason if there is no such
/// device.
TENON_API memory::CachingAllocator& allocatorOf(int kind, int index);

/// Memory of a device now, over all processes. Bytes; zeros if unknown.
struct DeviceMemory {
  uint64_t totalBytes = 0;
  uint64_t freeBytes = 0;
};
TENON_API DeviceMemory deviceMemory(int kind, int index);

/// Threads that CPU kernels use; 0: one per core. @throws Error(Code::Usage) if negative.
TENON_API void setThreads(int threads);
TENON_API int threads();

/// Kernels for operator `op` on a kind of device, highest priority first; empty if there is none.
TENON_API std::span<const TenonKernel* const> kernelsFor(int kind, const char* op);

/// The instruction level in use for CPU kernels: "baseline" or "avx2" (environment TENON_CPU forces
/// one).
TENON_API const char* cpuLevel();
/// Selects another level for this process; for tests. @throws Error(Code::Device) if the machine
/// cannot run it.
TENON_API void setCpuLevel(const char* level);

}  // namespace tenon::backend
