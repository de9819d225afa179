// SPDX-License-Identifier: Apache-2.0
// CPU kernel of "unfold_backward": windows are added up where they overlap, in their order. With
// the axis as outer x length x inner, window w, place k lies at ((outer * W + w) * inner + i) * K
// + k. Dense in and out.
#include "engine/backend/cpu/axis.h"
#include "engine/ops/view/unfold_params.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

template <class T>
int32_t run(const TenonKernelArgs* args) {
  const auto* params = static_cast<const UnfoldParams*>(args->params);
  const AxisShape shape(args->outputs[0], params->axis);
  const T* dy = dataOf<T>(args->inputs[0]);
  T* dx = dataOf<T>(args->outputs[0]);
  const int64_t windows = args->inputs[0].sizes[params->axis];
  forEachAxisRow(shape, [&](int64_t row, int64_t start) {
    T* const to = dx + start;
    for (int64_t i = 0; i < shape.size; ++i) to[i * shape.inner] = T(0);
    const int64_t outer = row / shape.inner;
    const int64_t inner = row % shape.inner;
    for (int64_t w = 0; w < windows; ++w) {
      const T* from = dy + ((outer * windows + w) * shape.inner + inner) * params->size;
      for (int64_t k = 0; k < params->size; ++k)
        to[(w * params->step + k) * shape.inner] += from[k];
    }
  });
  return TENON_OK;
}

constexpr TenonKernel kKernels[] = {
    {"unfold_backward", "rows", 10, TENON_DTYPE_BIT(TENON_F32), nullptr, &run<float>},
    {"unfold_backward", "reference", 0, TENON_DTYPE_BIT(TENON_F64), nullptr, &run<double>},
};

}  // namespace

KernelList cpuKernels_unfold_backward();
KernelList cpuKernels_unfold_backward() { return {kKernels, 2}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
