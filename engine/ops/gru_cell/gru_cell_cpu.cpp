// SPDX-License-Identifier: Apache-2.0
// Kernels of gru_cell and its gradient, one source for f32 and f64: a row after the other, SIMD
// along the hidden units. Tensors are dense; every element is on its own.
#include "engine/ops/gru_cell/gru_cell.h"

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/math.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/tails.h"
#include "engine/backend/cpu/views.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

/// Runs body(state, gates, n) for n lanes of units: their first element in [N, H] and, of the first
/// gate, in [N, 3 H].
template <class T, class Body>
void overUnits(const TenonTensorView& state, Body&& body) {
  const int64_t rows = state.sizes[0], size = state.sizes[1];
  constexpr int64_t kLanes = Vec<T>::kLanes;
  parallelFor(rows, 1 + 4096 / (size + 1), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int64_t j = 0; j < size; j += kLanes)
        body(row * size + j, row * 3 * size + j, size - j < kLanes ? size - j : kLanes);
  });
}

template <class T>
int32_t forward(const TenonKernelArgs* args) {
  using V = Vec<T>;
  const int64_t size = args->inputs[2].sizes[1];
  const T* projected = valuesOf<T>(args->inputs[0]);
  const T* carried = valuesOf<T>(args->inputs[1]);
  const T* hidden = valuesOf<T>(args->inputs[2]);
  T* y = dataOf<T>(args->outputs[0]);
  T* gates = dataOf<T>(args->outputs[1]);
  overUnits<T>(args->inputs[2], [&](int64_t state, int64_t gate, int64_t n) {
    const auto x = [&](int64_t which) { return take(projected + gate + which * size, n); };
    const auto h = [&](int64_t which) { return take(carried + gate + which * size, n); };
    const V reset = math::sigmoid(x(0) + h(0)), update = math::sigmoid(x(1) + h(1));
    const V fresh = math::tanh(x(2) + reset * h(2));
    const V before = take(hidden + state, n);
    put(fresh + update * (before - fresh), y + state, n);
    put(reset, gates + gate, n);
    put(update, gates + gate + size, n);
    put(fresh, gates + gate + 2 * size, n);
  });
  return TENON_OK;
}

template <class T>
int32_t backward(const TenonKernelArgs* args) {
  using V = Vec<T>;
  const int64_t size = args->inputs[2].sizes[1];
  const T* dy = valuesOf<T>(args->inputs[0]);
  const T* carried = valuesOf<T>(args->inputs[1]);
  const T* hidden = valuesOf<T>(args->inputs[2]);
  const T* gates = valuesOf<T>(args->inputs[3]);
  T* dprojected = dataOf<T>(args->outputs[0]);
  T* dcarried = dataOf<T>(args->outputs[1]);
  T* dhidden = dataOf<T>(args->outputs[2]);
  overUnits<T>(args->inputs[2], [&](int64_t state, int64_t gate, int64_t n) {
    const V one(1.0), given = take(dy + state, n);
    const V reset = take(gates + gate, n), update = take(gates + gate + size, n);
    const V fresh = take(gates + gate + 2 * size, n);
    const V inner = given * (one - update) * (one - fresh * fresh);
    const V dreset = inner * take(carried + gate + 2 * size, n) * (reset * (one - reset));
    const V dupdate = given * (take(hidden + state, n) - fresh) * (update * (one - update));
    T* const both[] = {dprojected, dcarried};
    for (T* to : both) {
      put(dreset, to + gate, n);
      put(dupdate, to + gate + size, n);
    }
    put(inner, dprojected + gate + 2 * size, n);
    put(inner * reset, dcarried + gate + 2 * size, n);
    put(given * update, dhidden + state, n);
  });
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);

const TenonKernel kKernels[] = {
    {"gru_cell", "simd", 10, kF32, nullptr, &forward<float>},
    {"gru_cell", "reference", 0, kF64, nullptr, &forward<double>},
    {"gru_cell_backward", "simd", 10, kF32, nullptr, &backward<float>},
    {"gru_cell_backward", "reference", 0, kF64, nullptr, &backward<double>},
};

}  // namespace

KernelList cpuKernels_gru_cell();
KernelList cpuKernels_gru_cell() { return {kKernels, sizeof kKernels / sizeof kKernels[0]}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
