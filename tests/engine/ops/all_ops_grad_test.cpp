// SPDX-License-Identifier: Apache-2.0
// Gradients of every operator, from its own samples: against central differences in f64, first and
// second order, and f32 against f64 in every layout and instruction level.
#include <gtest/gtest.h>

#include <map>

#include "engine/autograd/autograd.h"
#include "engine/autograd/gradcheck.h"
#include "engine/base/error.h"
#include "engine/ops/copy/copy.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

/// Operators whose gradient cannot be differentiated again, and why.
const std::map<std::string, std::string> kFirstOrderOnly = {
    {"relu_", "saves its own output, which the second pass has no history of"},
};

constexpr int64_t kMostForSecondOrder = 64;  // elements of all inputs; more takes too long

bool wantsGradient(const OpDef& op, const OpSample& sample, size_t i) {
  const SampleInput& input = sample.inputs[i];
  const bool floating = input.values != SampleInput::Values::Index &&
                        input.values != SampleInput::Values::Bool &&
                        input.values != SampleInput::Values::Absent;
  return op.grad != nullptr && floating && input.differentiable;
}

bool hasGradient(const OpDef& op, const OpSample& sample) {
  if (!sample.refusedWith.empty()) return false;
  for (size_t i = 0; i < sample.inputs.size(); ++i)
    if (wantsGradient(op, sample, i)) return true;
  return false;
}

/// The outputs that carry gradients. In-place operators work on a copy, since leaves may not be
/// changed.
std::vector<Tensor> differentiableOutputs(const OpDef& op, const OpSample& sample,
                                          std::vector<Tensor> inputs) {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (op.mutatesInput(i)) inputs[i] = clone(inputs[i]);
  Generator generator{42, 7};
  const gate::GeneratorGuard guard(generator);
  std::vector<Tensor> all = callOp(op, inputs, paramsOf(sample));
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < all.size(); ++i)
    if (isFloating(all[i].dtype()) && !((op.nonDifferentiable >> i) & 1u))
      outputs.push_back(all[i]);
  return outputs;
}

struct Checked {
  std::vector<Tensor> inputs;  // all
  std::vector<Tensor> leaves;  // those that want a gradient
  std::vector<size_t> places;  // of the leaves among the inputs
};

Checked checkedInputs(const OpDef& op, const OpSample& sample) {
  Checked checked;
  checked.inputs = makeInputs(sample);
  for (size_t i = 0; i < checked.inputs.size(); ++i) {
    if (!wantsGradient(op, sample, i)) continue;
    autograd::setRequiresGrad(checked.inputs[i]);
    checked.leaves.push_back(checked.inputs[i]);
    checked.places.push_back(i);
  }
  return checked;
}

autograd::CheckedFunction functionOf(const OpDef& op, const OpSample& sample,
                                     const Checked& checked) {
  return [&op, &sample, &checked](std::span<const Tensor> leaves) {
    std::vector<Tensor> inputs = checked.inputs;
    for (size_t i = 0; i < leaves.size(); ++i) inputs[checked.places[i]] = leaves[i];
    return differentiableOutputs(op, sample, inputs);
  };
}

template <class Check>
void forEachGradient(Check&& check) {
  for (const OpDef* op : allOps()) {
    if (!op->samples || !op->grad) continue;
    for (const OpSample& sample : op->samples()) {
      if (!hasGradient(*op, sample)) continue;
      SCOPED_TRACE(std::string(op->id) + ": " + sample.name);
      check(*op, sample);
    }
  }
}

TEST(AllOpsGradients, AgreeWithDifferences) {
  int checks = 0;
  forEachGradient([&](const OpDef& op, const OpSample& sample) {
    const Checked checked = checkedInputs(op, sample);
    const auto result = autograd::gradcheck(functionOf(op, sample, checked), checked.leaves);
    EXPECT_TRUE(result.ok) << result.text;
    ++checks;
  });
  EXPECT_GT(checks, 100);
}

TEST(AllOpsGradients, SecondOrderAgreesWithDifferences) {
  int checks = 0;
  forEachGradient([&](const OpDef& op, const OpSample& sample) {
    if (kFirstOrderOnly.count(op.id)) return;
    const Checked checked = checkedInputs(op, sample);
    int64_t elements = 0;
    for (const Tensor& leaf : checked.leaves) elements += leaf.numel();
    if (elements > kMostForSecondOrder) return;
    const auto result = autograd::gradgradcheck(functionOf(op, sample, checked), checked.leaves);
    EXPECT_TRUE(result.ok) << result.text;
    ++checks;
  });
  EXPECT_GT(checks, 80);
}

/// Gradients of all leaves for fixed gradients of the outputs, which lie like the inputs.
std::vector<Tensor> gradientsOf(const OpDef& op, const OpSample& sample,
                                const std::vector<Tensor>& values, DType dtype, Lay lay) {
  std::vector<Tensor> inputs;
  std::vector<Tensor> leaves;
  for (size_t i = 0; i < values.size(); ++i) {
    Tensor t = values[i];
    if (t.defined() && isFloating(t.dtype())) t = converted(t, dtype);
    if (canLie(t, lay)) t = laid(t, lay);
    if (wantsGradient(op, sample, i)) {
      autograd::setRequiresGrad(t);
      leaves.push_back(t);
    }
    inputs.push_back(t);
  }
  const std::vector<Tensor> outputs = differentiableOutputs(op, sample, inputs);
  std::vector<Tensor> grads;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor dy = makeInput({outputs[i].shape()}, 77 + i);
    const Tensor rounded = converted(converted(dy, DType::F32), dtype);
    grads.push_back(canLie(rounded, lay) ? laid(rounded, lay) : rounded);
  }
  return autograd::grad(outputs, leaves, grads, {.allowUnused = true});
}

void compareGradients(const OpDef& op, const OpSample& sample) {
  std::vector<Tensor> values = makeInputs(sample);
  for (Tensor& t : values)
    if (t.defined() && t.dtype() == DType::F64)
      t = converted(converted(t, DType::F32), DType::F64);  // numbers that both types hold
  const std::vector<Tensor> wanted = gradientsOf(op, sample, values, DType::F64, Lay::Dense);
  for (const std::string& level : levels()) {
    for (Lay lay : kLays) {
      if (lay == Lay::Blocked && op.view) continue;
      for (DType dtype : {DType::F32, DType::F64}) {
        SCOPED_TRACE(std::string(dtypeName(dtype)) + " " + level + " " + layName(lay));
        const LevelGuard guard(level.c_str());
        std::vector<Tensor> got;
        try {
          got = gradientsOf(op, sample, values, dtype, lay);
        } catch (const Error& error) {
          EXPECT_TRUE(mayRefuse(op, error)) << error.what();
          continue;
        }
        ASSERT_EQ(got.size(), wanted.size());
        for (size_t i = 0; i < got.size(); ++i) {
          ASSERT_EQ(got[i].defined(), wanted[i].defined()) << "gradient " << i;
          if (got[i].defined()) {
            EXPECT_TRUE(near(got[i], wanted[i], toleranceOf(dtype))) << "gradient " << i;
          }
        }
      }
    }
  }
}

TEST(AllOpsGradients, KernelsAgreeWithTheReference) { forEachGradient(&compareGradients); }

}  // namespace
}  // namespace tenon::test
