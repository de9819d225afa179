// SPDX-License-Identifier: Apache-2.0
// CPU kernels of circular and hyperbolic functions: one set for each row of
// functions/trigonometric.h.
#include "engine/ops/elementwise/unary_cpu.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

KernelList cpuKernels_trigonometric();
KernelList cpuKernels_trigonometric() {
  static const auto kTable = [] {
    KernelTable<192> table;
    TENON_TRIGONOMETRIC(TENON_ADD_UNARY, TENON_ADD_UNARY, TENON_ADD_UNARY)
    return table;
  }();
  return kTable.list();
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
