// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "fill_" (one value everywhere) and "masked_fill_" (where a mask says so), in any
// layout; the padding of a blocked tensor stays zero.
#include "engine/backend/api/half.h"
#include "engine/backend/cpu/loops.h"
#include "engine/backend/cpu/pointwise.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

template <class T>
void fillBlocked(const TenonTensorView& out, T value) {
  const int64_t block = out.blockSize;
  const int64_t blocks = out.paddedSize / block;
  const int64_t last = out.sizes[out.blockAxis] - (blocks - 1) * block;  // lanes in use
  int64_t outer = 1;
  int64_t inner = 1;
  for (int i = 0; i < out.blockAxis; ++i) outer *= out.sizes[i];
  for (int i = out.blockAxis + 1; i < out.ndim; ++i) inner *= out.sizes[i];
  T* data = dataOf<T>(out);
  parallelFor(outer * blocks, 1 + kPointwiseGrain / (inner * block + 1),
              [&](int64_t begin, int64_t end) {
                for (int64_t part = begin; part < end; ++part) {
                  const int64_t lanes = part % blocks == blocks - 1 ? last : block;
                  T* at = data + part * inner * block;
                  for (int64_t i = 0; i < inner; ++i)
                    for (int64_t lane = 0; lane < block; ++lane)
                      at[i * block + lane] = lane < lanes ? value : T{};
                }
              });
}

template <class T>
int32_t fillAll(const TenonTensorView& out, T value) {
  if (blocked(out)) {
    fillBlocked<T>(out, value);
    return TENON_OK;
  }
  const LoopNest<1> nest = makeNest<1>(out, {&out});
  const int64_t stride = nest.rowStride(0);
  forEachRow(nest, kPointwiseGrain, [&](const int64_t(&at)[1], int64_t n) {
    T* data = dataOf<T>(out) + at[0];
    for (int64_t i = 0; i < n; ++i) data[i * stride] = value;
  });
  return TENON_OK;
}

template <class T>
int32_t runFill(const TenonKernelArgs* args) {
  return fillAll(args->outputs[0],
                 static_cast<T>(static_cast<const ScalarParams*>(args->params)->value));
}

int32_t runFillHalves(const TenonKernelArgs* args) {
  const TenonTensorView& out = args->outputs[0];
  const auto value = static_cast<float>(static_cast<const ScalarParams*>(args->params)->value);
  return fillAll(out, out.dtype == TENON_F16 ? tenonF16OfF32(value) : tenonBF16OfF32(value));
}

/// The padding of a blocked mask is false.
template <class T>
int32_t fillWhere(const TenonKernelArgs* args, T value) {
  mapMixed([value](T x, uint8_t chosen) { return chosen ? value : x; },
           Operand<T>{args->outputs[0]}, Operand<T>{args->inputs[0]},
           Operand<uint8_t>{args->inputs[1]});
  return TENON_OK;
}

template <class T>
int32_t runMaskedFill(const TenonKernelArgs* args) {
  return fillWhere(args, static_cast<T>(static_cast<const ScalarParams*>(args->params)->value));
}

int32_t runMaskedFillHalves(const TenonKernelArgs* args) {
  const auto value = static_cast<float>(static_cast<const ScalarParams*>(args->params)->value);
  const bool f16 = args->outputs[0].dtype == TENON_F16;
  return fillWhere(args, f16 ? tenonF16OfF32(value) : tenonBF16OfF32(value));
}

void askMaskedFill(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  pointwiseWishes(args, answer, true, true);
}

void askFill(const TenonKernelArgs*, TenonKernelQuery*) {}  // any layout

#define TENON_MASKED_FILL(type, T) \
  { "masked_fill_", "reference", 0, TENON_DTYPE_BIT(type), &askMaskedFill, &runMaskedFill<T> }
constexpr TenonKernel kKernels[] = {
    {"fill_", "reference", 0, TENON_DTYPE_BIT(TENON_F32), &askFill, &runFill<float>},
    {"fill_", "reference", 0, TENON_DTYPE_BIT(TENON_F64), &askFill, &runFill<double>},
    {"fill_", "reference", 0, TENON_DTYPE_BIT(TENON_F16) | TENON_DTYPE_BIT(TENON_BF16), &askFill,
     &runFillHalves},
    {"fill_", "reference", 0, TENON_DTYPE_BIT(TENON_I64), &askFill, &runFill<int64_t>},
    {"fill_", "reference", 0, TENON_DTYPE_BIT(TENON_I32), &askFill, &runFill<int32_t>},
    {"fill_", "reference", 0, TENON_DTYPE_BIT(TENON_I8), &askFill, &runFill<int8_t>},
    {"fill_", "reference", 0, TENON_DTYPE_BIT(TENON_U8), &askFill, &runFill<uint8_t>},
    {"fill_", "reference", 0, TENON_DTYPE_BIT(TENON_BOOL), &askFill, &runFill<bool>},
    {"masked_fill_", "reference", 0, TENON_DTYPE_BIT(TENON_F16) | TENON_DTYPE_BIT(TENON_BF16),
     &askMaskedFill, &runMaskedFillHalves},
    TENON_MASKED_FILL(TENON_F32, float),
    TENON_MASKED_FILL(TENON_F64, double),
    TENON_MASKED_FILL(TENON_I64, int64_t),
    TENON_MASKED_FILL(TENON_I32, int32_t),
    TENON_MASKED_FILL(TENON_I8, int8_t),
    TENON_MASKED_FILL(TENON_U8, uint8_t),
    TENON_MASKED_FILL(TENON_BOOL, bool),
};

}  // namespace

KernelList cpuKernels_fill();
KernelList cpuKernels_fill() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
