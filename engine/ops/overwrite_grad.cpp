// SPDX-License-Identifier: Apache-2.0
// The gradient rule of operators that overwrite their first input.
#include "engine/ops/overwrite_grad.h"

#include "engine/ops/reduce/reduce.h"

namespace tenon {

void overwriteGrad(GradCall& call) {
  const Tensor& dy = call.gradOutputs[0];
  if (call.needs(0)) call.gradInputs[0] = Tensor::zeros(dy.shape(), dy.dtype(), dy.device());
  if (call.inputMetas.size() > 1 && call.needs(1))
    call.gradInputs[1] = sumTo(dy, call.inputMetas[1].shape);
}

}  // namespace tenon
