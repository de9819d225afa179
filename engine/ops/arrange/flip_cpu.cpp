// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "flip" (a copy with negative strides) and "triangle". Elements are only moved, so
// they take every type. Flip: any strides in; triangle: dense in. Dense out.
#include "engine/backend/cpu/copy_elements.h"
#include "engine/ops/arrange/arrange.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

void askFlip(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  if (blocked(args->inputs[0])) answer->inputs[0] = TENON_WISH_CONTIGUOUS;
}

int32_t runFlip(const TenonKernelArgs* args) {
  const uint32_t axes = static_cast<const FlipParams*>(args->params)->axes;
  TenonTensorView from = args->inputs[0];
  if (countOf(from) == 0) return TENON_OK;
  const int width = widthOf(from.dtype);
  for (int i = 0; i < from.ndim; ++i) {
    if (!((axes >> i) & 1u)) continue;
    from.data = static_cast<char*>(from.data) + (from.sizes[i] - 1) * from.strides[i] * width;
    from.strides[i] = -from.strides[i];
  }
  copyElements(args->outputs[0], from, width);
  return TENON_OK;
}

int64_t within(int64_t value, int64_t most) { return value < 0 ? 0 : value > most ? most : value; }

int32_t runTriangle(const TenonKernelArgs* args) {
  const auto* params = static_cast<const TriangleParams*>(args->params);
  const TenonTensorView& out = args->outputs[0];
  const int64_t rows = out.sizes[out.ndim - 2];
  const int64_t columns = out.sizes[out.ndim - 1];
  const int64_t width = widthOf(out.dtype);
  if (countOf(out) == 0) return TENON_OK;
  const int64_t lines = countOf(out) / columns;
  const char* const x = static_cast<const char*>(args->inputs[0].data);
  char* const y = static_cast<char*>(out.data);
  parallelFor(lines, 1 + 16384 / columns, [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      const int64_t row = line % rows;
      const int64_t first = params->upper ? within(row + params->diagonal, columns) : 0;
      const int64_t last = params->upper ? columns : within(row + params->diagonal + 1, columns);
      char* const to = y + line * columns * width;
      __builtin_memset(to, 0, static_cast<size_t>(columns * width));
      if (first < last)
        __builtin_memcpy(to + first * width, x + (line * columns + first) * width,
                         static_cast<size_t>((last - first) * width));
    }
  });
  return TENON_OK;
}

constexpr TenonKernel kKernels[] = {
    {"flip", "tiled", 10, kAnyType, &askFlip, &runFlip},
    {"triangle", "rows", 10, kAnyType, nullptr, &runTriangle},
};

}  // namespace

KernelList cpuKernels_flip();
KernelList cpuKernels_flip() { return {kKernels, 2}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
