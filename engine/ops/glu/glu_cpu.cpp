// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "glu" and "glu_backward": the halves of x are two operands of one loop.
//
// x lies row-major in any strides, outputs are dense. 1 - sigmoid(b) is sigmoid(-b), so that it
// keeps its digits where sigmoid(b) is near 1. f32 runs over SIMD vectors, f64 over scalars.
#include "engine/ops/glu/glu.h"

#include "engine/backend/cpu/pointwise.h"
#include "engine/ops/elementwise/functions/function.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

/// One half of the axis that is cut, of x or of its gradient.
template <class S>
TenonTensorView halfOf(const TenonKernelArgs* args, const TenonTensorView& x, int which) {
  TenonTensorView half = x;
  int axis = static_cast<const GluParams*>(args->params)->axis;
  if (axis < 0) axis += x.ndim;
  half.sizes[axis] /= 2;
  if (which == 1) half.data = dataOf<S>(x) + half.sizes[axis] * x.strides[axis];
  return half;
}

template <class V>
int32_t runGlu(const TenonKernelArgs* args) {
  using S = typename Lanes<V>::Scalar;
  const TenonTensorView& x = args->inputs[0];
  mapBinary<V>(args->outputs[0], halfOf<S>(args, x, 0), halfOf<S>(args, x, 1),
               [](V a, V b) { return a * math::sigmoid(b); });
  return TENON_OK;
}

/// Operands: da, db, dy, a, b.
template <class V, class S>
void backwardRow(S* const (&p)[5], const int64_t (&s)[5], int64_t n) {
  using L = Lanes<V>;
  for (int64_t i = 0; i < n; i += L::kCount) {
    const int64_t m = n - i < L::kCount ? n - i : L::kCount;
    const V dy = L::gather(p[2] + i * s[2], s[2], m);
    const V a = L::gather(p[3] + i * s[3], s[3], m);
    const V b = L::gather(p[4] + i * s[4], s[4], m);
    const V passed = dy * math::sigmoid(b);
    L::scatter(p[0] + i * s[0], passed, s[0], m);
    L::scatter(p[1] + i * s[1], passed * a * math::sigmoid(-b), s[1], m);
  }
}

template <class V>
int32_t runGluBackward(const TenonKernelArgs* args) {
  using S = typename Lanes<V>::Scalar;
  const TenonTensorView& dy = args->inputs[0];
  const TenonTensorView da = halfOf<S>(args, args->outputs[0], 0);
  const TenonTensorView db = halfOf<S>(args, args->outputs[0], 1);
  const TenonTensorView a = halfOf<S>(args, args->inputs[1], 0);
  const TenonTensorView b = halfOf<S>(args, args->inputs[1], 1);
  const LoopNest<5> nest = makeNest<5>(dy, {&da, &db, &dy, &a, &b});
  const int64_t strides[5] = {nest.rowStride(0), nest.rowStride(1), nest.rowStride(2),
                              nest.rowStride(3), nest.rowStride(4)};
  forEachRow(nest, kPointwiseGrain, [&](const int64_t(&at)[5], int64_t n) {
    backwardRow<V, S>({dataOf<S>(da) + at[0], dataOf<S>(db) + at[1], dataOf<S>(dy) + at[2],
                       dataOf<S>(a) + at[3], dataOf<S>(b) + at[4]},
                      strides, n);
  });
  return TENON_OK;
}

void ask(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  for (int i = 0; i < args->inputCount && i < TENON_MAX_WISHES; ++i)
    if (blocked(args->inputs[i])) answer->inputs[i] = TENON_WISH_CONTIGUOUS;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);

constexpr TenonKernel kKernels[] = {
    {"glu", "simd", 10, kF32, &ask, &runGlu<Vec<float>>},
    {"glu", "reference", 0, kF64, &ask, &runGlu<double>},
    {"glu_backward", "simd", 10, kF32, &ask, &runGluBackward<Vec<float>>},
    {"glu_backward", "reference", 0, kF64, &ask, &runGluBackward<double>},
};

}  // namespace

KernelList cpuKernels_glu();
KernelList cpuKernels_glu() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
