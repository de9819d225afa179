// SPDX-License-Identifier: Apache-2.0
// Every operator in f16 and bf16, from its own samples: the results are those of f32 over the same
// numbers, rounded; gradients have the types of their inputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/autograd/autograd.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/reduce/reduce.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

constexpr DType kHalves[] = {DType::F16, DType::BF16};

/// Floating inputs of a sample as another type (their numbers rounded to `rounded` first).
std::vector<Tensor> inputsAs(const OpSample& sample, DType rounded, DType dtype) {
  std::vector<Tensor> inputs = makeInputs(sample);
  for (Tensor& t : inputs)
    if (t.defined() && t.dtype() == DType::F64) t = converted(converted(t, rounded), dtype);
  return inputs;
}

bool hasFloating(const std::vector<Tensor>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const Tensor& t) { return t.defined() && isFloating(t.dtype()); });
}

std::vector<Tensor> callFresh(const OpDef& op, const std::vector<Tensor>& inputs,
                              const OpSample& sample) {
  Generator generator{42, 7};
  const gate::GeneratorGuard guard(generator);
  return callOp(op, inputs, paramsOf(sample));
}

std::vector<Tensor> laidOut(const std::vector<Tensor>& inputs, Lay lay) {
  std::vector<Tensor> all;
  for (const Tensor& t : inputs)
    all.push_back(!t.defined() ? t : laid(t, canLie(t, lay) ? lay : Lay::Dense));
  return all;
}

/// Exact where the f32 kernel walks memory alike; strides are made dense at the edge, so that sums
/// may be added in another order and the last bit may turn.
Tolerance toleranceOf(DType half, Lay lay) {
  if (lay != Lay::Transposed) return {};
  return half == DType::F16 ? Tolerance{0x1p-10, 0x1p-24} : Tolerance{0x1p-7, 0};
}

void compareSample(const OpDef& op, const OpSample& sample, DType half, Lay lay) {
  SCOPED_TRACE(std::string(dtypeName(half)) + " " + layName(lay));
  const std::vector<Tensor> wide = laidOut(inputsAs(sample, half, DType::F32), lay);
  const std::vector<Tensor> narrow = laidOut(inputsAs(sample, half, half), lay);
  std::vector<Tensor> wanted;
  std::vector<Tensor> got;
  try {
    wanted = callFresh(op, wide, sample);
    got = callFresh(op, narrow, sample);
  } catch (const Error& error) {
    EXPECT_TRUE(mayRefuse(op, error)) << error.what();
    return;
  }
  ASSERT_EQ(got.size(), wanted.size());
  // What rounding would make the upper end becomes the number before it.
  const bool oneStep = lay == Lay::Transposed || std::string(op.id) == "uniform_";
  const Tolerance tolerance = toleranceOf(half, oneStep ? Lay::Transposed : lay);
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i].dtype() != wanted[i].dtype()) {
      EXPECT_EQ(got[i].dtype(), half) << "output " << i;
    }
    EXPECT_TRUE(near(got[i], converted(wanted[i], got[i].dtype()), tolerance)) << "output " << i;
    EXPECT_TRUE(paddingIsZero(got[i])) << "output " << i;
    EXPECT_EQ(got[i].layout(), wanted[i].layout()) << "output " << i;
  }
}

template <class Check>
int forEachSample(Check&& check) {
  int seen = 0;
  for (const OpDef* op : allOps()) {
    if (!op->samples) continue;
    for (const OpSample& sample : op->samples()) {
      if (!sample.refusedWith.empty() || !hasFloating(makeInputs(sample))) continue;
      SCOPED_TRACE(std::string(op->id) + ": " + sample.name);
      check(*op, sample);
      ++seen;
    }
  }
  return seen;
}

TEST(HalfOps, GiveTheResultsOfF32Rounded) {
  const int seen = forEachSample([](const OpDef& op, const OpSample& sample) {
    for (DType half : kHalves)
      for (Lay lay : {Lay::Dense, Lay::Transposed, Lay::Blocked})
        if (lay != Lay::Blocked || !op.view) compareSample(op, sample, half, lay);
  });
  EXPECT_GT(seen, 300);
}

/// Leaves in f16 or bf16 among the inputs of a sample; in-place operators work on copies.
void checkGradients(const OpDef& op, const OpSample& sample, DType half) {
  std::vector<Tensor> inputs = inputsAs(sample, half, half);
  std::vector<Tensor> leaves;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].defined() || inputs[i].dtype() != half) continue;
    if (!sample.inputs[i].differentiable) continue;
    autograd::setRequiresGrad(inputs[i]);
    leaves.push_back(inputs[i]);
    if (op.mutatesInput(i)) inputs[i] = clone(inputs[i]);
  }
  std::vector<Tensor> outputs;
  for (const Tensor& y : callFresh(op, inputs, sample))
    if (y.requiresGrad()) outputs.push_back(y);
  if (outputs.empty()) return;
  std::vector<Tensor> grads;
  for (const Tensor& y : outputs) grads.push_back(Tensor::full(y.shape(), 0.5, y.dtype()));
  for (const Tensor& g : autograd::grad(outputs, leaves, grads, {.allowUnused = true}))
    if (g.defined()) {
      EXPECT_EQ(g.dtype(), half);
    }
}

// Their mean is none of f16's numbers; rounded, it would be one of the two.
TEST(HalfOps, SpreadOfNeighboursHasItsGradient) {
  const Tensor x = fromNumbers({1, 1.0009765625}, {2}, DType::F16);
  autograd::setRequiresGrad(x);
  autograd::backward(stddev(x, {}, 0));
  EXPECT_EQ(numbersOf(autograd::gradOf(x)), (std::vector<double>{-0.5, 0.5}));
}

TEST(HalfOps, GradientsHaveTheTypeOfTheirInputs) {
  const int seen = forEachSample([](const OpDef& op, const OpSample& sample) {
    if (!op.grad) return;
    for (DType half : kHalves) EXPECT_NO_THROW(checkGradients(op, sample, half));
  });
  EXPECT_GT(seen, 300);
}

}  // namespace
}  // namespace tenon::test
