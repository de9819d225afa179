// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "copy" and "copy_", from and to any layout.
#include "engine/backend/cpu/copy_elements.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

void askCopy(const TenonKernelArgs*, TenonKernelQuery*) {}  // any layout in, dense out

void askCopyInto(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  const TenonTensorView& dst = args->inputs[0];
  const TenonTensorView& src = args->inputs[1];
  if (blocked(src) && !sameShape(dst, src)) answer->inputs[1] = TENON_WISH_CONTIGUOUS;
}

int32_t runCopy(const TenonKernelArgs* args) {
  copyElements(args->outputs[0], args->inputs[0], widthOf(args->inputs[0].dtype));
  return TENON_OK;
}

int32_t runCopyInto(const TenonKernelArgs* args) {
  const TenonTensorView& dst = args->outputs[0];
  const TenonTensorView& src = args->inputs[1];
  copyElements(dst, sameShape(dst, src) ? src : broadcastView(src, dst), widthOf(dst.dtype));
  return TENON_OK;
}

constexpr TenonKernel kKernels[] = {
    {"copy", "tiled", 10, kAnyType, &askCopy, &runCopy},
    {"copy_", "tiled", 10, kAnyType, &askCopyInto, &runCopyInto},
};

}  // namespace

KernelList cpuKernels_copy();
KernelList cpuKernels_copy() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
