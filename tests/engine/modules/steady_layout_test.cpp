// SPDX-License-Identifier: Apache-2.0
// From layer to layer of a convolutional net nothing is brought into another layout, neither
// forward nor backward: what the first convolution makes blocked stays so to the last pooling.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "engine/autograd/autograd.h"
#include "engine/modules/layers.h"
#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/pool2d/pool2d.h"
#include "engine/ops/view/view.h"
#include "tests/engine/modules/module_fixture.h"
#include "tests/engine/ops/launch_log.h"

namespace tenon {
namespace {

constexpr int64_t kBatch = 4;

/// A residual net with what stands between convolutions: norms, activations, pooling, dropout of
/// elements and of channels, squeeze-and-excite, a branch that is added.
struct Net final : nn::Module {
  nn::ModulePtr stem = addChild("stem", nn::conv2d(3, 16, 3, {.padding = 1, .bias = false}));
  nn::ModulePtr norm = addChild("norm", nn::batchNorm2d(16));
  nn::ModulePtr act = addChild("act", nn::relu());
  nn::ModulePtr drop = addChild("drop", nn::dropout(0.2));
  nn::ModulePtr body = addChild("body", nn::conv2d(16, 16, 3, {.padding = 1}));
  nn::ModulePtr channels = addChild("channels", nn::layer("channel_dropout", {{"p", 0.2}}));
  nn::ModulePtr weigh = addChild("weigh", nn::layer("squeeze_excite", {{"reduction", int64_t{4}}},
                                                    {{{kFreeSize, 16, 10, 10}, DType::F32}}));
  nn::ModulePtr pool = addChild("pool", nn::maxPool2d(2));
  nn::ModulePtr wide = addChild("wide", nn::conv2d(16, 32, 3, {.stride = 2, .padding = 1}));
  nn::ModulePtr swish = addChild("swish", nn::layer("silu"));
  nn::ModulePtr head = addChild("head", nn::linear(32, 5));

 protected:
  nn::Tensors forward(std::span<const Tensor> in) override {
    const Tensor x = (*drop)((*act)((*norm)((*stem)(in[0]))));
    const Tensor y = add(x, (*weigh)((*channels)((*body)(x))));
    const Tensor z = (*swish)((*wide)((*pool)(y)));
    EXPECT_EQ(x.layout(), kBlocked8);
    EXPECT_EQ(y.layout(), kBlocked8);
    EXPECT_EQ(z.layout(), kBlocked8);
    return {(*head)(flatten(adaptiveAvgPool2d(z, 1, 1), 1))};
  }
};

/// Hears calls, so that kernels note that they run.
struct Hearing final : gate::Listener {
  void onCall(const gate::CallInfo&) override {}
};

std::map<std::string, int> launchesOf(Net& net, const Tensor& x, const Tensor& targets) {
  const test::LaunchLog log;
  Hearing hearing;
  const gate::ListenerGuard heard(hearing);
  autograd::backward(crossEntropy(net(x), targets));
  std::map<std::string, int> count;
  for (const auto& [op, kernel] : log.ran()) ++count[op];
  return count;
}

TEST(SteadyLayout, NoReorderFromLayerToLayer) {
  const Seeded seeded(5);
  Net net;
  const Tensor x = Tensor::full({kBatch, 3, 10, 10}, 0.5);
  const Tensor targets = Tensor::fromValues<int64_t>({0, 1, 2, 3}, {kBatch});
  launchesOf(net, x, targets);
  net.zeroGrad();
  auto count = launchesOf(net, x, targets);
  EXPECT_EQ(count["conv2d"], 3);
  EXPECT_EQ(count["conv2d_backward_weight"], 3);
  EXPECT_EQ(count["dropout"], 2) << "of elements, and of the channels' ones";
  EXPECT_EQ(count["reorder"], 0);
  EXPECT_EQ(count["copy"], 0);
  EXPECT_EQ(count["cast"], 0);
}

}  // namespace
}  // namespace tenon
