// SPDX-License-Identifier: Apache-2.0
// Whether the kernels for AVX-512 may run.
#include "engine/backend/cpu/wide.h"

#include <atomic>

namespace tenon::cpu::wide {
namespace {

std::atomic<bool> allowed{true};

}  // namespace

bool available() noexcept {
  static const bool here = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma");
  return here && allowed.load(std::memory_order_relaxed);
}

void allow(bool yes) noexcept { allowed.store(yes, std::memory_order_relaxed); }

}  // namespace tenon::cpu::wide
