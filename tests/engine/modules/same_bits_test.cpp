// SPDX-License-Identifier: Apache-2.0
// A training with dropout, convolutions, batch norm, attention and an LSTM gives the same bits from
// run to run, and with the deterministic option for any number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "engine/autograd/autograd.h"
#include "engine/modules/layers.h"
#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/ops/view/view.h"
#include "engine/optim/optimizer_def.h"
#include "tests/engine/modules/module_fixture.h"
#include "tests/support/failing_allocation.h"
#include "tests/support/threads_guard.h"

namespace tenon {
namespace {

constexpr int64_t kBatch = 16;

/// Images [N, 3, 20, 20] -> blocks of pixels as a sequence of 100 steps of 32 numbers -> classes.
struct Net final : nn::Module {
  nn::ModulePtr stem = addChild("stem", nn::conv2d(3, 16, 3, {.padding = 1}));
  nn::ModulePtr norm = addChild("norm", nn::batchNorm2d(16));
  nn::ModulePtr act = addChild("act", nn::relu());
  nn::ModulePtr drop = addChild("drop", nn::dropout(0.2));
  nn::ModulePtr body = addChild("body", nn::conv2d(16, 32, 3, {.stride = 2, .padding = 1}));
  nn::ModulePtr look =
      addChild("look", nn::layer("self_attention", {{"num_heads", int64_t{4}}, {"dropout", 0.1}},
                                 {{{kFreeSize, 100, 32}, DType::F32}}));
  nn::ModulePtr level = addChild("level", nn::layerNorm(32));
  nn::ModulePtr walk = addChild(
      "walk", nn::layer("lstm", {{"hidden_size", int64_t{40}}, {"output", std::string("last")}},
                        {{{kFreeSize, 100, 32}, DType::F32}}));
  nn::ModulePtr head = addChild("head", nn::linear(40, 10));

 protected:
  nn::Tensors forward(std::span<const Tensor> in) override {
    const Tensor map = (*body)((*drop)((*act)((*norm)((*stem)(in[0])))));
    const Tensor steps = transpose(reshape(map, {kBatch, 32, 100}), 1, 2);
    return {(*head)((*walk)((*level)((*look)(steps))))};
  }
};

Tensor pattern(const Shape& shape, int64_t seed) {
  std::vector<float> values(static_cast<size_t>(shape.numel()));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(
        static_cast<double>((static_cast<int64_t>(i) * 211 + 97 * seed) % 1021) / 512 - 1);
  return Tensor::fromValues(values, shape);
}

struct Trained {
  Bits weights;  ///< buffers and the last gradients too
  std::vector<float> losses;
  bool operator==(const Trained&) const = default;
};

Trained train() {
  const Seeded seeded(21);
  Net net;
  const std::vector<OptimizedParameter> parameters = net.parameters();
  const OptimizerDef* def = findOptimizer("adamw");
  const auto optimizer = def->make(def->schema.defaults(), parameters);
  std::vector<int64_t> classes(kBatch);
  for (size_t i = 0; i < classes.size(); ++i) classes[i] = static_cast<int64_t>(i * 7 % 10);
  const Tensor targets = Tensor::fromValues(classes, {kBatch});
  Trained result;
  for (int64_t step = 1; step <= 3; ++step) {
    net.zeroGrad();
    const Tensor loss = crossEntropy(net(pattern({kBatch, 3, 20, 20}, step)), targets);
    autograd::backward(loss);
    clipGradNorm(parameters, 1.0);
    optimizer->step(0.01);
    result.losses.push_back(loss.data<float>()[0]);
  }
  std::vector<Tensor> all;
  for (const nn::NamedState& each : net.state()) all.push_back(each.tensor);
  for (const OptimizedParameter& each : parameters) all.push_back(autograd::gradOf(each.tensor));
  result.weights = bitsOf(all);
  return result;
}

TEST(SameBits, OfATrainingRunAgain) {
  const FixedCompute compute(3, false);
  const Trained first = train();
  EXPECT_TRUE(std::isfinite(first.losses.back()));
  EXPECT_NE(first.losses[0], first.losses[2]) << "nothing was learnt";
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(train() == first) << "run " << i + 2;
}

TEST(SameBits, OfADeterministicTrainingWithAnyThreads) {
  std::optional<Trained> wanted;
  for (const int threads : {1, 2, 3, 7, 2}) {
    const FixedCompute compute(threads, true);
    const Trained got = train();
    if (!wanted) wanted = got;
    EXPECT_EQ(got.losses, wanted->losses) << threads << " threads";
    EXPECT_TRUE(got == *wanted) << threads << " threads";
  }
}

}  // namespace
}  // namespace tenon
