// SPDX-License-Identifier: Apache-2.0
// CPU kernels of activation functions: one set for each row of functions/activations.h.
#include "engine/ops/elementwise/unary_cpu.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

KernelList cpuKernels_activations();
KernelList cpuKernels_activations() {
  static const auto kTable = [] {
    KernelTable<192> table;
    TENON_ACTIVATIONS(TENON_ADD_UNARY, TENON_ADD_UNARY, TENON_ADD_UNARY)
    return table;
  }();
  return kTable.list();
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
