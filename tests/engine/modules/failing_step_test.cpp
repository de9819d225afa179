// SPDX-License-Identifier: Apache-2.0
// Each allocation of a training step fails once - forward, loss, backward, optimizer - and the same
// step made again gives the bits it would have given.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>

#include "engine/autograd/autograd.h"
#include "engine/memory/scope.h"
#include "engine/modules/layers.h"
#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/optim/optimizer_def.h"
#include "tests/engine/modules/module_fixture.h"
#include "tests/support/failing_allocation.h"

namespace tenon {
namespace {

using memory::Phase;

Tensor pattern(const Shape& shape) {
  std::vector<float> values(static_cast<size_t>(shape.numel()));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>((i * 211 + 97) % 1021) / 512 - 1;
  return Tensor::fromValues(values, shape);
}

struct Net final : nn::Module {
  nn::ModulePtr stem = addChild("stem", nn::conv2d(3, 16, 3, {.padding = 1, .bias = false}));
  nn::ModulePtr norm = addChild("norm", nn::batchNorm2d(16));
  nn::ModulePtr body = addChild("body", nn::conv2d(16, 12, 3, {.stride = 2, .padding = 1}));
  nn::ModulePtr act = addChild("act", nn::relu());
  nn::ModulePtr pool = addChild("pool", nn::maxPool2d(2));
  nn::ModulePtr last = addChild("last", nn::batchNorm2d(12));
  nn::ModulePtr drop = addChild("drop", nn::dropout(0.25));
  nn::ModulePtr flat = addChild("flat", nn::flatten());
  nn::ModulePtr head = addChild("head", nn::linear(48, 5));

 protected:
  nn::Tensors forward(std::span<const Tensor> in) override {
    Tensor x = in[0];
    for (const auto& part : {stem, norm, act, body, last, act, pool, drop, flat, head})
      x = (*part)(x);
    return {x};
  }
};

/// A net at its start, and one step of it.
struct Training {
  Seeded seeded{11};
  Net net;
  std::vector<OptimizedParameter> parameters = net.parameters();
  std::unique_ptr<Optimizer> optimizer = [this] {
    const OptimizerDef* def = findOptimizer("adamw");
    return def->make(def->schema.defaults(), parameters);
  }();
  Tensor x = pattern({6, 3, 8, 8});
  Tensor targets = Tensor::fromValues<int64_t>({0, 1, 2, 3, 4, 0}, {6});
  Bits buffers = bitsOf(bufferTensors());  ///< at the start

  std::vector<Tensor> bufferTensors() const {
    std::vector<Tensor> all;
    for (const nn::NamedBuffer& each : net.buffers()) all.push_back(each.tensor);
    return all;
  }
  void step() {
    const memory::ScopeGuard scoped({.phase = Phase::Forward, .step = 3});
    const Seeded masks(12);
    const Tensor y = net(x);
    memory::currentScope().phase = Phase::Loss;
    const Tensor loss = crossEntropy(y, targets);
    memory::currentScope().phase = Phase::Backward;
    autograd::backward(loss);
    memory::currentScope().phase = Phase::Optimizer;
    optimizer->step(0.01);
  }
  /// What the optimizer owns: weights, moments, counts.
  Bits trained() const {
    std::vector<Tensor> all;
    for (const OptimizedParameter& each : parameters) all.push_back(each.tensor);
    for (const OptimizerState& each : optimizer->state()) all.push_back(each.tensor);
    return bitsOf(all);
  }
  Bits everything() const {
    Bits all = trained();
    for (auto& bits : bitsOf(bufferTensors())) all.push_back(std::move(bits));
    for (const OptimizedParameter& each : parameters)
      all.push_back(autograd::gradOf(each.tensor).toBytes());
    return all;
  }
  /// A batch norm's forward that came to its end has counted the batch, as everywhere: whoever
  /// makes the step again puts its statistics back.
  void takeBack() {
    net.zeroGrad();
    const std::vector<Tensor> now = bufferTensors();
    for (size_t i = 0; i < now.size(); ++i)
      std::memcpy(now[i].rawData(), buffers[i].data(), buffers[i].size());
  }
};

/// Layers whose work a phase does; the loss and the optimizer's step as a whole are of none.
void expectAsker(const std::string& text, std::map<std::string, int>& phases) {
  const std::string phase = phaseIn(text);
  ++phases[phase];
  EXPECT_NE(namedIn(text, "operator"), "") << text;
  EXPECT_NE(text.find("step 3"), std::string::npos) << text;
  EXPECT_NE(text.find("largest live: "), std::string::npos) << text;
  EXPECT_NE(text.find(" free; allocated "), std::string::npos) << text;
  if (phase == "forward") {
    EXPECT_EQ(text.rfind("module '" + namedIn(text, "layer") + "': ", 0), 0U) << text;
  }
}

TEST(FailingStep, LeavesNothingAndIsMadeAgainWithTheSameBits) {
  Training whole;
  whole.step();
  const Bits wanted = whole.everything();
  std::map<std::string, int> phases;
  std::map<std::string, int> layersOfBackward;
  for (uint64_t n = 1; n < 1000; ++n) {
    SCOPED_TRACE("allocation " + std::to_string(n));
    Training training;
    const Bits before = training.trained();
    const Bits batch = bitsOf({training.x, training.targets});
    const size_t live = memory::cpuAllocator().allocatedBytes();
    const auto failure = failureAt(n, [&] { training.step(); });
    if (!failure) {
      EXPECT_EQ(training.everything(), wanted);
      break;
    }
    const std::string text = failure->what();
    EXPECT_EQ(failure->code(), Code::Memory) << text;
    expectAsker(text, phases);
    if (phaseIn(text) == "backward") ++layersOfBackward[namedIn(text, "layer")];
    training.takeBack();
    EXPECT_EQ(memory::cpuAllocator().allocatedBytes(), live) << text;
    EXPECT_EQ(training.trained(), before) << text;
    EXPECT_EQ(bitsOf({training.x, training.targets}), batch) << text;
    EXPECT_EQ(training.optimizer->steps(), 0) << text;
    training.step();
    EXPECT_EQ(training.everything(), wanted) << text;
  }
  for (const char* phase : {"forward", "loss", "backward", "optimizer"})
    EXPECT_GT(phases[phase], 0) << phase;
  EXPECT_GT(phases["forward"], 15);
  EXPECT_GT(phases["backward"], 15);
  for (const char* layer : {"stem", "norm", "body", "last", "drop", "pool", "head"})
    EXPECT_GT(layersOfBackward[layer], 0) << layer;
}

}  // namespace
}  // namespace tenon
