// SPDX-License-Identifier: Apache-2.0
// The operator "reorder" and the gate's use of it; the operators that belong to the gate.
#include "engine/ops/gate/reorder.h"

#include "engine/ops/gate/cast.h"
#include "engine/ops/gate/gate.h"

namespace tenon {
namespace {

void sameAsInput(const OpCall& call, std::span<TensorMeta> out) {
  out[0] = {call.input(0).shape(), call.input(0).dtype()};
}

const OpDef kReorder = {.id = "reorder",
                        .help = "Copies a tensor into another layout; the values stay the same.",
                        .inputNames = {"input"},
                        .paramBytes = sizeof(ReorderParams),
                        .meta = &sameAsInput};
}  // namespace

OpDefList opDefs_gate();
OpDefList opDefs_gate() {
  static const OpDef* const kOps[] = {&kReorder, &gate::castOp()};
  return {kOps, 2};
}

namespace gate {

Tensor reordered(const Tensor& tensor, Layout layout) {
  const NoGradGuard noGrad;
  const ReorderParams params{layout.blocked()};
  ++threadState().counters.reorders;
  return run(kReorder, {&tensor}, &params);
}

}  // namespace gate
}  // namespace tenon
