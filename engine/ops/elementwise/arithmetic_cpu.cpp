// SPDX-License-Identifier: Apache-2.0
// CPU kernels of unary arithmetic: one set for each row of functions/arithmetic.h.
#include "engine/ops/elementwise/unary_cpu.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

KernelList cpuKernels_arithmetic();
KernelList cpuKernels_arithmetic() {
  static const auto kTable = [] {
    KernelTable<192> table;
    TENON_ARITHMETIC(TENON_ADD_UNARY, TENON_ADD_UNARY, TENON_ADD_UNARY)
    return table;
  }();
  return kTable.list();
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
