// SPDX-License-Identifier: Apache-2.0
// The products of lstm_backward over all steps, for all of its kernels.
#pragma once

#include "engine/backend/cpu/recurrence.h"
#include "engine/ops/lstm/lstm.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace lstm_products {

/// dx, dwi and dwh of a call from the gradients of the gates in front of their functions.
template <class T>
int32_t gradients(const TenonKernelArgs& args, const recurrence::Steps& s,
                  const recurrence::GateGradients<T>& d) {
  const auto& in = args.inputs;
  const bool ofInput = static_cast<const LstmGradParams*>(args.params)->inputGradient != 0;
  int32_t status = TENON_OK;
  if (ofInput)
    status =
        recurrence::gradientOfInput<T>(args, s, d, valuesOf<T>(in[3]), dataOf<T>(args.outputs[0]));
  if (status == TENON_OK)
    status = recurrence::gradientOfInputWeight<T>(args, s, d, valuesOf<T>(in[2]),
                                                  dataOf<T>(args.outputs[1]));
  if (status != TENON_OK) return status;
  return recurrence::gradientOfHiddenWeight<T>(args, s, d, {valuesOf<T>(in[5]), valuesOf<T>(in[8])},
                                               dataOf<T>(args.outputs[2]));
}

}  // namespace lstm_products
}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
