// SPDX-License-Identifier: Apache-2.0
// One call of an operator, forward and backward, as often as wanted: what it gives, bit for bit.
#pragma once

#include <vector>

#include "engine/autograd/autograd.h"
#include "engine/memory/scope.h"
#include "engine/ops/copy/copy.h"
#include "tests/engine/ops/harness.h"
#include "tests/engine/ops/kernel_cases.h"
#include "tests/support/failing_allocation.h"

namespace tenon::test {

/// An operator with inputs of its own, in the scope layer "probe", step 5.
struct OpTrial {
  const OpDef& op;
  const void* params;
  std::vector<Tensor> inputs;  ///< as the operator takes them
  std::vector<Tensor> leaves;  ///< those of them that want gradients
  std::vector<Tensor> seeds;   ///< gradients of the outputs; made by the first run if empty
  Generator generator = {42, 7};
  bool forward = false;  ///< the forward call came to its end

  /// @param gradients false: forward only
  OpTrial(const OpDef& of, const KernelCase& with, const std::vector<Tensor>& values,
          bool gradients)
      : op(of), params(with.parameters()), inputs(values) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      Tensor& t = inputs[i];
      if (!t.defined()) continue;
      t = laid(t, Lay::Dense);
      const bool constant = i < with.constant.size() && with.constant[i];
      if (!gradients || constant || !op.grad || !isFloating(t.dtype())) continue;
      autograd::setRequiresGrad(t);
      leaves.push_back(t);
      if (op.mutatesInput(i)) t = clone(t);  // leaves are not written
    }
  }

  struct Result {
    Bits outputs;
    Bits gradients;
    bool operator==(const Result&) const = default;
  };

  Result run() {
    const memory::ScopeGuard scoped(
        {.layer = memory::internName("probe"), .phase = memory::Phase::Forward, .step = 5});
    const gate::GeneratorGuard guard(generator);
    const std::vector<Tensor> outputs = callOp(op, inputs, params);
    forward = true;
    Result result{bitsOf(outputs), {}};
    std::vector<Tensor> roots;
    for (const Tensor& t : outputs)
      if (t.requiresGrad()) roots.push_back(t);
    if (leaves.empty() || roots.empty()) return result;
    if (seeds.empty())
      for (const Tensor& t : roots)
        seeds.push_back(converted(makeInput({t.shape()}, 77 + seeds.size()), t.dtype()));
    memory::currentScope().phase = memory::Phase::Backward;
    result.gradients = bitsOf(autograd::grad(roots, leaves, seeds, {.allowUnused = true}));
    return result;
  }
};

/// Whether the operator takes these values, and if so, whether with gradients of all that float.
struct Takes {
  bool values = false;
  bool gradients = false;

  Takes(const OpDef& op, const KernelCase& made, const std::vector<Tensor>& given) {
    for (const bool with : {true, false}) {
      try {
        OpTrial(op, made, given, with).run();
        values = true;
        gradients = with;
        return;
      } catch (const Error& error) {
        EXPECT_TRUE(error.code() != Code::Memory && error.code() != Code::Internal) << error.what();
      }
    }
  }
};

}  // namespace tenon::test
