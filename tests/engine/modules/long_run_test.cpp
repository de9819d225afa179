// SPDX-License-Identifier: Apache-2.0
// Ten thousand steps of a small convolutional training leave nothing: live bytes, live blocks and
// nodes of the gradient graph after the last step are those after the hundredth.
#include <gtest/gtest.h>

#include "engine/autograd/autograd.h"
#include "engine/memory/cpu_allocator.h"
#include "engine/modules/layers.h"
#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/optim/optimizer_def.h"
#include "tests/engine/modules/module_fixture.h"

namespace tenon {
namespace {

struct Alive {
  size_t bytes = memory::cpuAllocator().allocatedBytes();
  int64_t blocks = memory::cpuAllocator().statistics().allocations[0].current;
  int64_t requested = memory::cpuAllocator().statistics().requestedBytes[0].current;
  int64_t nodes = autograd::liveNodes();
  bool operator==(const Alive&) const = default;
};

/// What a test prints of a difference.
void PrintTo(const Alive& alive, std::ostream* out) {
  *out << alive.bytes << " bytes (" << alive.requested << " wanted) in " << alive.blocks
       << " blocks, " << alive.nodes << " nodes";
}

TEST(SoakLeaks, TenThousandStepsOfATrainingLeaveNothing) {
  const Seeded seeded(3);
  nn::Sequential net{nn::conv2d(2, 8, 3, {.padding = 1}),
                     nn::batchNorm2d(8),
                     nn::relu(),
                     nn::maxPool2d(2),
                     nn::dropout(0.2),
                     nn::flatten(),
                     nn::linear(32, 3)};
  const std::vector<OptimizedParameter> parameters = net.parameters();
  const OptimizerDef* def = findOptimizer("adamw");
  const auto optimizer = def->make(def->schema.defaults(), parameters);
  const Tensor x = Tensor::full({2, 2, 4, 4}, 0.5);
  const Tensor targets = Tensor::fromValues<int64_t>({0, 2}, {2});
  Alive before;
  for (int step = 1; step <= 10000; ++step) {
    net.zeroGrad();
    autograd::backward(crossEntropy(net(x), targets));
    clipGradNorm(parameters, 1);
    optimizer->step(0.001);
    if (step == 100) before = {};
    if (step % 1000 == 0) {
      ASSERT_EQ(Alive(), before) << "after step " << step;
    }
  }
  EXPECT_GT(before.blocks, 10);
  EXPECT_GT(before.bytes, 0U);
}

}  // namespace
}  // namespace tenon
