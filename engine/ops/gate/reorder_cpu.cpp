// SPDX-License-Identifier: Apache-2.0
// CPU kernel of "reorder": a copy in the layout that the parameters name.
#include "engine/ops/gate/reorder.h"

#include "engine/backend/cpu/copy_elements.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

void ask(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  const bool blocks = static_cast<const ReorderParams*>(args->params)->blocked != 0;
  if (blocks && args->inputs[0].ndim < 2) {
    answer->supported = 0;
    answer->reason = "a blocked tensor has at least 2 dimensions";
  }
  answer->outputs[0] = blocks ? TENON_WISH_BLOCKED : TENON_WISH_CONTIGUOUS;
}

int32_t run(const TenonKernelArgs* args) {
  copyElements(args->outputs[0], args->inputs[0], widthOf(args->inputs[0].dtype));
  return TENON_OK;
}

constexpr TenonKernel kKernels[] = {{"reorder", "tiled", 10, kAnyType, &ask, &run}};

}  // namespace

KernelList cpuKernels_reorder();
KernelList cpuKernels_reorder() { return {kKernels, 1}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
