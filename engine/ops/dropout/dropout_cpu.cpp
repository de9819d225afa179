// SPDX-License-Identifier: Apache-2.0
// CPU kernels of dropout. The number of an element depends on its logical row-major index alone, so
// blocked tensors are walked channel by channel in logical order.
//
// Dense or blocked (with 8 channels a block); outputs lie as the input does. The padding of blocked
// outputs was zeroed when they were made.
#include "engine/ops/dropout/dropout.h"

#include "engine/backend/cpu/pointwise.h"
#include "engine/backend/cpu/random_walk.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

/// An element is kept if the upper 24 bits of its word reach it.
uint32_t thresholdOf(const TenonKernelArgs* args) {
  const double p = static_cast<const DropoutParams*>(args->params)->p;
  const double scaled = p * 16777216.0;  // uniform01 is a multiple of 2^-24
  const auto threshold = static_cast<uint32_t>(scaled);
  return static_cast<double>(threshold) < scaled ? threshold + 1 : threshold;
}

template <class T>
T scaleOf(const TenonKernelArgs* args) {
  return static_cast<T>(1.0 / (1.0 - static_cast<const DropoutParams*>(args->params)->p));
}

/// A whole group of elements next to each other; loops of fixed length, for the compiler's vectors.
template <class T>
void dropGroup(const uint32_t* words, uint32_t threshold, T scale, const T* x, T* y,
               uint8_t* mask) {
  for (int i = 0; i < kPhiloxWords; ++i) mask[i] = (words[i] >> 8) >= threshold ? 1 : 0;
  for (int i = 0; i < kPhiloxWords; ++i) {
    const T scaled = x[i] * scale;
    y[i] = (words[i] >> 8) >= threshold ? scaled : T(0);
  }
}

template <class T>
int32_t runForward(const TenonKernelArgs* args) {
  const Draw draw(args);
  const uint32_t threshold = thresholdOf(args);
  const T scale = scaleOf<T>(args);
  const T* x = dataOf<T>(args->inputs[0]);
  T* y = dataOf<T>(args->outputs[0]);
  auto* mask = dataOf<uint8_t>(args->outputs[1]);
  forEachRun(args->inputs[0], kPointwiseGrain,
             [=](int64_t begin, int64_t end, int64_t start, int64_t stride) {
               const auto group = [=](int64_t i, int64_t stop, int64_t first,
                                      const uint32_t* words) {
                 int64_t at = start + (i - begin) * stride;
                 if (stride == 1 && stop - i == kPhiloxWords)
                   return dropGroup(words, threshold, scale, x + at, y + at, mask + at);
                 for (; i < stop; ++i, at += stride) {
                   const bool keep = (words[i - first] >> 8) >= threshold;
                   mask[at] = keep ? 1 : 0;
                   y[at] = keep ? x[at] * scale : T(0);
                 }
               };
               forEachGroup(draw, begin, end, group);
             });
  return TENON_OK;
}

template <class T>
int32_t runBackward(const TenonKernelArgs* args) {
  const T scale = scaleOf<T>(args);
  mapMixed([=](T dy, uint8_t keep) { return keep ? dy * scale : T(0); },
           Operand<T>{args->outputs[0]}, Operand<T>{args->inputs[0]},
           Operand<uint8_t>{args->inputs[1]});
  return TENON_OK;
}

void askForward(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  const bool blocks = blocked(args->inputs[0]);
  answer->inputs[0] = blocks ? TENON_WISH_BLOCKED : TENON_WISH_CONTIGUOUS;
  answer->outputs[0] = answer->outputs[1] = answer->inputs[0];
}
void askBackward(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  pointwiseWishes(args, answer, true);
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);
constexpr TenonKernel kKernels[] = {
    {"dropout", "philox8", 10, kF32, &askForward, &runForward<float>},
    {"dropout", "philox8", 10, kF64, &askForward, &runForward<double>},
    {"dropout_backward", "masked", 10, kF32, &askBackward, &runBackward<float>},
    {"dropout_backward", "reference", 0, kF64, &askBackward, &runBackward<double>},
};

}  // namespace

KernelList cpuKernels_dropout();
KernelList cpuKernels_dropout() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
