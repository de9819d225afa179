// SPDX-License-Identifier: Apache-2.0
// Rows of kernels by operator, and a generation that changes when rows do.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "engine/backend/api/kernel.h"
#include "engine/base/export.h"

namespace tenon::backend {

/// The kernels of one operator on one kind of device, highest priority first. Lives as long as the
/// process.
struct KernelRow {
  std::vector<const TenonKernel*> kernels;
};

/// The row, or null if the device kind has no kernel for `op`.
TENON_API const KernelRow* kernelRow(int kind, const char* op);
/// Every CPU kernel that the level in use was built with, replaced or not.
TENON_API std::vector<const TenonKernel*> builtKernels();
/// Gives an operator other kernels than those built in, at every level, first asked first; none:
/// its own again. For tests, which thereby force a kernel or look into one; no call may run
/// meanwhile, and the kernels must live until they are taken back.
TENON_API void replaceKernels(const char* op, std::vector<const TenonKernel*> kernels);
/// Storage of `kernelGeneration`; constinit, so that reading it is one instruction.
TENON_API extern constinit std::atomic<uint32_t> tableGeneration;
/// Changes when kernel rows may have changed (another instruction level, replaced); starts at 1.
inline uint32_t kernelGeneration() noexcept {
  return tableGeneration.load(std::memory_order_acquire);
}

}  // namespace tenon::backend
