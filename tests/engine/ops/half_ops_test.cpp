// SPDX-License-Identifier: Apache-2.0
// Every operator in f16 and bf16, from its own samples: the results are those of f32 over the same
// numbers, rounded; gradients have the types of their inputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/autograd/autograd.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/glu/glu.h"
#include "engine/ops/pool/pool.h"
#include "engine/ops/reduce/reduce.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

using Numbers = std::vector<double>;
using Tensors = std::vector<Tensor>;
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
  all.reserve(inputs.size());
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
  grads.reserve(outputs.size());
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

struct Lerped {
  DType type;
  double weight;
  Numbers y, da, db;
};

// PyTorch 2.15: torch.lerp(a, b, weight) and torch.autograd.grad of it. 1.003 is none of bf16's
// numbers, nor is 0.3: rounded first, they would give 2 and 1.3046875 for the first element.
const Lerped kLerped[] = {
    {DType::BF16,
     0.3,
     {1.296875, -0.7734375, 0.000782012939453125, 100.5, 2.203125, 0.000499725341796875},
     {0.69921875, 0.2109375, -1.3984375, 3.5, 0.00701904296875, 4.90625},
     {0.30078125, 0.09033203125, -0.6015625, 1.5, 0.0030059814453125, 2.09375}},
    {DType::BF16,
     1.003,
     {2.0, 3.265625, -0.703125, 101.0, -9.0625, 0.003997802734375},
     {-0.0030059814453125, -0.000904083251953125, 0.006011962890625, -0.0150146484375,
      -3.0040740966796875e-05, -0.02099609375},
     {1.0, 0.30078125, -2.0, 5.0, 0.010009765625, 7.03125}},
    {DType::F16,
     0.3,
     {1.2998046875, -0.77490234375, -2.4437904357910156e-05, 100.3125, 2.19921875,
      0.0005002021789550781},
     {0.7001953125, 0.2100830078125, -1.400390625, 3.5, 0.006999969482421875, 4.8984375},
     {0.300048828125, 0.09002685546875, -0.60009765625, 1.5, 0.0030002593994140625, 2.099609375}},
};

TEST(HalfOps, LerpByANumberRoundsOnce) {
  for (const Lerped& wanted : kLerped) {
    SCOPED_TRACE(std::string(dtypeName(wanted.type)) + " by " + std::to_string(wanted.weight));
    const Tensor a = fromNumbers({1, -2.5, 0.3, 100, 7, -0.001}, {6}, wanted.type);
    const Tensor b = fromNumbers({2, 3.25, -0.7, 101, -9, 0.004}, {6}, wanted.type);
    const Tensor dy = fromNumbers({1, 0.3, -2, 5, 0.01, 7}, {6}, wanted.type);
    autograd::setRequiresGrad(a);
    autograd::setRequiresGrad(b);
    const Tensor y = lerp(a, b, wanted.weight);
    EXPECT_EQ(numbersOf(y), wanted.y);
    const std::vector<Tensor> grads = autograd::grad(Tensors{y}, Tensors{a, b}, Tensors{dy});
    EXPECT_EQ(numbersOf(grads[0]), wanted.da);
    EXPECT_EQ(numbersOf(grads[1]), wanted.db);
  }
}

struct Gated {
  DType type;
  Numbers y, dx;
};

// y: F.glu of PyTorch 2.15 in the type; dx: its gradient in f64, rounded. (Its gradient in the type
// takes 1 - sigmoid from a rounded sigmoid, and is 0 for the seventh element.)
const Gated kGated[] = {
    {DType::BF16,
     {1.4921875, -0.004241943359375, 2.0, 3.3527612686157227e-06},
     {0.99609375, 0.004241943359375, -2.0, 0.001678466796875, 0.006072998046875, -0.001251220703125,
      -0.000492095947265625, 1.6808509826660156e-05}},
    {DType::F16,
     {1.494140625, -0.00421905517578125, 2.0, 3.337860107421875e-06},
     {0.99609375, 0.00421905517578125, -2.0, 0.0016765594482421875, 0.00608062744140625,
      -0.0012483596801757812, -0.0004935264587402344, 1.6748905181884766e-05}},
};

TEST(HalfOps, GluRoundsOnce) {
  for (const Gated& wanted : kGated) {
    SCOPED_TRACE(dtypeName(wanted.type));
    const Tensor x = fromNumbers({1.5, -0.3, 2, 0.01, 5.5, -4.25, 9, -8}, {1, 8}, wanted.type);
    const Tensor dy = fromNumbers({1, 0.3, -2, 5}, {1, 4}, wanted.type);
    autograd::setRequiresGrad(x);
    const Tensor y = glu(x, 1);
    EXPECT_EQ(numbersOf(y), wanted.y);
    for (const bool again : {false, true})  // the fused rule, and the one that is differentiated
      EXPECT_EQ(numbersOf(autograd::grad(Tensors{y}, Tensors{x}, Tensors{dy},
                                         {.retainGraph = true, .createGraph = again})[0]),
                wanted.dx);
  }
}

// 1.0078125 squared less 1.015625 is 2^-14; the square rounded to bf16 first, it would be 0.
TEST(HalfOps, PreluAddsUpAChannelBeforeItRounds) {
  const Tensor x = fromNumbers({-1.0078125, -1}, {2}, DType::BF16);
  const Tensor dy = fromNumbers({1.0078125, -1.015625}, {2}, DType::BF16);
  const Tensor weight = fromNumbers({0.25}, {1}, DType::BF16);
  autograd::setRequiresGrad(weight);
  const Tensors grads = autograd::grad(Tensors{prelu(x, weight)}, Tensors{weight}, Tensors{dy});
  EXPECT_EQ(numbersOf(grads[0]), Numbers{-0x1p-14});
}

// The sums along one axis, rounded to f16, would be 1 and -0.99951171875.
TEST(HalfOps, BinsThatShareAnElementAddUpBeforeTheyRound) {
  const Tensor x = fromNumbers({0.5}, {1, 1, 1, 1, 1}, DType::F16);
  const Tensor dy = fromNumbers({1, 0x1.8p-12, -1, 0x1.8p-12}, {1, 1, 2, 1, 2}, DType::F16);
  autograd::setRequiresGrad(x);
  const Tensor y = adaptiveMaxPool(x, {2, 1, 2});
  EXPECT_EQ(y.dtype(), DType::F16);
  const Tensors grads = autograd::grad(Tensors{y}, Tensors{x}, Tensors{dy});
  EXPECT_EQ(numbersOf(grads[0]), Numbers{0x1.8p-11});
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
