// SPDX-License-Identifier: Apache-2.0
// CPU kernel of "slice_backward": zeros, and the values copied to every step-th place of an axis.
// Any strides in, dense out.
#include "engine/backend/cpu/copy_elements.h"
#include "engine/ops/view/slice_params.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

void ask(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  if (blocked(args->inputs[0])) answer->inputs[0] = TENON_WISH_CONTIGUOUS;
}

int32_t run(const TenonKernelArgs* args) {
  const auto* params = static_cast<const SliceParams*>(args->params);
  const TenonTensorView& out = args->outputs[0];
  const int width = widthOf(out.dtype);
  char* const data = static_cast<char*>(out.data);
  parallelFor(countOf(out) * width, 1 << 18, [&](int64_t begin, int64_t end) {
    __builtin_memset(data + begin, 0, static_cast<size_t>(end - begin));
  });
  if (params->length == 0) return TENON_OK;
  TenonTensorView part = out;
  const int64_t stride = out.strides[params->axis];
  part.data = data + params->start * stride * width;
  part.sizes[params->axis] = params->length;
  part.strides[params->axis] = stride * params->step;
  copyElements(part, args->inputs[0], width);
  return TENON_OK;
}

constexpr TenonKernel kKernels[] = {{"slice_backward", "tiled", 10, kAnyType, &ask, &run}};

}  // namespace

KernelList cpuKernels_slice_backward();
KernelList cpuKernels_slice_backward() { return {kKernels, 1}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
