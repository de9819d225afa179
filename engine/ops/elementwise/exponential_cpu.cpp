// SPDX-License-Identifier: Apache-2.0
// CPU kernels of exponentials, logarithms and error functions: one set for each row of
// functions/exponential.h.
#include "engine/ops/elementwise/unary_cpu.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

KernelList cpuKernels_exponential();
KernelList cpuKernels_exponential() {
  static const auto kTable = [] {
    KernelTable<192> table;
    TENON_EXPONENTIALS(TENON_ADD_UNARY, TENON_ADD_UNARY, TENON_ADD_UNARY)
    return table;
  }();
  return kTable.list();
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
