// SPDX-License-Identifier: Apache-2.0
// The kernels of an operator on a kind of device, remembered in its OpDef.
#pragma once

#include "engine/backend/registry/kernel_table.h"
#include "engine/ops/op_def.h"

namespace tenon::gate {

/// Null if the device has no kernel for the operator.
inline const backend::KernelRow* kernelRowOf(const OpDef& op, DeviceKind kind) {
  OpDef::KernelCache& cache = op.cache[static_cast<size_t>(kind)];
  const uint32_t generation = backend::kernelGeneration();
  if (cache.generation.load(std::memory_order_acquire) != generation) {
    cache.row.store(backend::kernelRow(static_cast<int>(kind), op.id), std::memory_order_relaxed);
    cache.generation.store(generation, std::memory_order_release);
  }
  return static_cast<const backend::KernelRow*>(cache.row.load(std::memory_order_relaxed));
}

}  // namespace tenon::gate
