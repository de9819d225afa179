// SPDX-License-Identifier: Apache-2.0
// CPU kernels of rounding and sign: one set for each row of functions/rounding.h.
#include "engine/ops/elementwise/unary_cpu.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

KernelList cpuKernels_rounding();
KernelList cpuKernels_rounding() {
  static const auto kTable = [] {
    KernelTable<192> table;
    TENON_ROUNDING(TENON_ADD_UNARY, TENON_ADD_UNARY, TENON_ADD_UNARY)
    return table;
  }();
  return kTable.list();
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
