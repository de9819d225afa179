// SPDX-License-Identifier: Apache-2.0
// What the kernels of lstm share: sizes, the order of steps, and the products over all steps.
#pragma once

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/gemm.h"
#include "engine/backend/cpu/views.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace lstm_steps {

/// Axes as in lstm.h; rows are the N sequences.
struct Steps {
  int64_t count, batch, inputs, hidden;
  bool backwards;
  const int64_t* lengths;  // [N] or null

  /// Place of the k-th step on the axis T.
  int64_t at(int64_t k) const { return backwards ? count - 1 - k : k; }
  bool runs(int64_t t, int64_t row) const { return !lengths || t < lengths[row]; }
  int64_t states() const { return batch * hidden; }  // elements of a step's state
  int64_t gates() const { return 4 * batch * hidden; }
};

inline Steps stepsOf(const TenonTensorView& x, const TenonTensorView& state,
                     const TenonTensorView& lengths, int64_t backwards) {
  return {x.sizes[0],     x.sizes[1],     x.sizes[2],
          state.sizes[1], backwards != 0, valuesOf<int64_t>(lengths)};
}

inline int32_t multiply(const TenonKernelArgs& args, const GemmProblem& p, const float* a,
                        const float* b, float* c) {
  return gemm(args, p, a, b, {}, c);
}
inline int32_t multiply(const TenonKernelArgs&, const GemmProblem& p, const double* a,
                        const double* b, double* c) {
  referenceGemm<double>(p, a, b, nullptr, c);
  return TENON_OK;
}

/// What a row of `wide` values is from the next: oneDNN wants at least 1.
inline int64_t distance(int64_t wide) { return wide > 0 ? wide : 1; }

/// gates [T N, 4 H] = x wi^T
template <class T>
int32_t projectInputs(const TenonKernelArgs& args, const Steps& s, const T* x, const T* weight,
                      T* gates) {
  const int64_t width = 4 * s.hidden, in = distance(s.inputs);
  return multiply(args, {s.count * s.batch, width, s.inputs, false, true, in, in, width, false}, x,
                  weight, gates);
}

/// dx, dwi and dwh of lstm_backward from the gradients of the gates before their functions.
template <class T>
int32_t gradientsOfProducts(const TenonKernelArgs& args, const Steps& s, bool ofInput,
                            const T* dgates) {
  const int64_t width = 4 * s.hidden, rows = s.count * s.batch, in = distance(s.inputs);
  const T* x = valuesOf<T>(args.inputs[2]);
  int32_t status = TENON_OK;
  const auto product = [&](const GemmProblem& p, const T* a, const T* b, int output) {
    if (status == TENON_OK) status = multiply(args, p, a, b, dataOf<T>(args.outputs[output]));
  };
  if (ofInput)
    product({rows, s.inputs, width, false, false, width, in, in, false}, dgates,
            valuesOf<T>(args.inputs[3]), 0);
  product({width, s.inputs, rows, true, false, width, in, in, false}, dgates, x, 1);
  // The state before a step is that after the one before, and the given one before the first.
  const T* hiddens = valuesOf<T>(args.inputs[8]);
  GemmProblem p = {width, s.hidden, rows - s.batch, true, false, width, s.hidden, s.hidden, false};
  const int64_t later = s.backwards ? 0 : 1;
  product(p, dgates + later * s.gates(), hiddens + (1 - later) * s.states(), 2);
  p.k = s.batch;
  p.accumulate = true;
  product(p, dgates + s.at(0) * s.gates(), valuesOf<T>(args.inputs[5]), 2);
  return status;
}

}  // namespace lstm_steps
}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
