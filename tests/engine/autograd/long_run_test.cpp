// SPDX-License-Identifier: Apache-2.0
// Nothing is left over after thousands of steps: live bytes and nodes return to where they began.
#include <gtest/gtest.h>

#include "engine/autograd/checkpoint.h"
#include "engine/autograd/custom_function.h"
#include "engine/memory/cpu_allocator.h"
#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/ops/dropout/dropout.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/reduce/reduce.h"
#include "tests/engine/autograd/autograd_fixture.h"

namespace tenon {
namespace {

using autograd::CustomFunction;
using autograd::FunctionContext;
using Tensors = std::vector<Tensor>;

struct Alive {
  size_t bytes = memory::cpuAllocator().allocatedBytes();
  int64_t nodes = autograd::liveNodes();
  bool operator==(const Alive&) const = default;
};

/// A small net whose step passes everything that may keep tensors.
struct Net {
  Tensor first = Tensor::full({8, 4}, 0.1);
  Tensor last = Tensor::full({3, 8}, 0.2);
  Tensor x = Tensor::full({5, 4}, 1);
  Tensor targets = Tensor::fromValues<int64_t>({0, 1, 2, 0, 1}, {5});
  std::shared_ptr<const CustomFunction> doubled = std::make_shared<const CustomFunction>(
      CustomFunction{"doubled",
                     [](FunctionContext& context, std::span<const Tensor> in) {
                       context.save({in[0]});
                       return Tensors{mulScalar(in[0], 2)};
                     },
                     [](FunctionContext&, std::span<const Tensor> grad) {
                       return Tensors{mulScalar(grad[0], 2)};
                     }});

  Net() {
    autograd::setRequiresGrad(first);
    autograd::setRequiresGrad(last);
  }

  Tensor loss() const {
    const auto block = [this](std::span<const Tensor> in) {
      return Tensors{dropout(relu(linear(in[0], first, {})), 0.5, true)};
    };
    const Tensor hidden = autograd::checkpoint(block, {&x, 1})[0];
    const Tensor logits = linear(autograd::apply(doubled, {&hidden, 1})[0], last, {});
    return crossEntropy(logits, targets);
  }

  void step(int number) const {
    const Tensor value = loss();
    if (number % 3 == 0) {
      const Tensor wanted[] = {first, last};
      const Tensors once = autograd::grad({&value, 1}, wanted, {}, {true, false, false});
      EXPECT_EQ(once[1].shape(), last.shape());
    }
    if (number % 7 != 0) autograd::backward(value);  // else the graph goes without a pass
    for (const Tensor& weight : {first, last}) autograd::setGrad(weight, {});
  }
};

TEST(LongRun, TenThousandStepsLeaveNothing) {
  const Net net;
  for (int i = 0; i < 21; ++i) net.step(i);  // what is made once is made
  const Alive before;
  for (int i = 0; i < 10000; ++i) {
    net.step(i);
    if (i % 1000 == 999) {
      const Alive now;
      ASSERT_EQ(now.bytes, before.bytes) << "after step " << i;
      ASSERT_EQ(now.nodes, before.nodes) << "after step " << i;
    }
  }
}

TEST(LongRun, NodesAreCounted) {
  const int64_t before = autograd::liveNodes();
  {
    const Tensor x = leaf(2);
    const Tensor y = exp(mul(x, x));
    EXPECT_EQ(autograd::liveNodes(), before + 3);  // mul, exp and the leaf's own
  }
  EXPECT_EQ(autograd::liveNodes(), before);
}

}  // namespace
}  // namespace tenon
