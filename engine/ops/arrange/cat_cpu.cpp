// SPDX-License-Identifier: Apache-2.0
// CPU kernel of "cat": each input is copied to its part of the output. Any strides in, dense out.
#include "engine/backend/cpu/copy_elements.h"
#include "engine/ops/arrange/arrange.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

void ask(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  for (int i = 0; i < args->inputCount && i < TENON_MAX_WISHES; ++i)
    if (blocked(args->inputs[i])) answer->inputs[i] = TENON_WISH_CONTIGUOUS;
}

int32_t run(const TenonKernelArgs* args) {
  const int axis = static_cast<const CatParams*>(args->params)->axis;
  const TenonTensorView& out = args->outputs[0];
  const int width = widthOf(out.dtype);
  int64_t start = 0;
  for (int i = 0; i < args->inputCount; ++i) {
    const TenonTensorView& in = args->inputs[i];
    TenonTensorView part = out;
    part.sizes[axis] = in.sizes[axis];
    part.data = static_cast<char*>(out.data) + start * out.strides[axis] * width;
    if (countOf(in) > 0) copyElements(part, in, width);
    start += in.sizes[axis];
  }
  return TENON_OK;
}

constexpr TenonKernel kKernels[] = {{"cat", "tiled", 10, kAnyType, &ask, &run}};

}  // namespace

KernelList cpuKernels_cat();
KernelList cpuKernels_cat() { return {kKernels, 1}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
