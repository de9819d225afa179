// SPDX-License-Identifier: Apache-2.0
// An optimizer's step that finds no memory is no step: weights, state and counts stay, and the next
// one gives the bits it would have given.
#include "engine/ops/view/view.h"
#include "tests/engine/optim/optim_fixture.h"
#include "tests/support/failing_allocation.h"

namespace tenon::test {
namespace {

/// Weights and an optimizer of them: two groups and a weight with a late first gradient, so that
/// one step is several calls.
struct Training {
  std::vector<OptimizedParameter> parameters;
  std::unique_ptr<Optimizer> optimizer;

  Training(const std::string& id, DType dtype) : parameters(weights(dtype)) {
    for (OptimizedParameter& each : parameters) each.decays = !each.name.ends_with("bias");
    optimizer =
        optimizerOf(id, {{"groups", std::vector<std::string>{"head.* lr_factor=10"}}}, parameters);
  }
  ~Training() {
    for (const OptimizedParameter& each : parameters) autograd::setGrad(each.tensor, {});
  }
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  /// The first weight's gradient lies transposed, as one of a caller's own may.
  void giveGradients(int64_t t) const {
    setGradients(parameters, t);
    const Tensor& first = parameters[0].tensor;
    const Tensor turned = seeded({first.shape()[1], first.shape()[0]}, 10 * t, first.dtype());
    autograd::setGrad(first, transpose(turned, 0, 1));
  }
  Bits bits() const {
    std::vector<Tensor> all;
    for (const OptimizedParameter& each : parameters) all.push_back(each.tensor);
    for (const OptimizerState& each : optimizer->state()) all.push_back(each.tensor);
    return bitsOf(all);
  }
};

/// Step `t` fails at each of its allocations in turn. @returns how many it has.
uint64_t failEach(const std::string& id, DType dtype, int64_t t, const Bits& wanted) {
  for (uint64_t n = 1;; ++n) {
    Training training(id, dtype);
    for (int64_t i = 1; i < t; ++i) {
      training.giveGradients(i);
      training.optimizer->step(rateOf(0.1, i));
    }
    training.giveGradients(t);
    const Bits before = training.bits();
    const size_t live = memory::cpuAllocator().allocatedBytes();
    const auto failure = failureAt(n, [&] { training.optimizer->step(rateOf(0.1, t)); });
    if (!failure) {
      EXPECT_EQ(training.bits(), wanted);
      return n - 1;
    }
    EXPECT_EQ(failure->code(), Code::Memory);
    EXPECT_EQ(phaseIn(failure->what()), "optimizer") << failure->what();
    EXPECT_NE(namedIn(failure->what(), "operator"), "") << failure->what();
    EXPECT_EQ(training.bits(), before) << failure->what();
    EXPECT_EQ(training.optimizer->steps(), t - 1);
    EXPECT_EQ(memory::cpuAllocator().allocatedBytes(), live) << failure->what();
    training.optimizer->step(rateOf(0.1, t));
    EXPECT_EQ(training.optimizer->steps(), t);
    EXPECT_EQ(training.bits(), wanted) << failure->what();
  }
}

TEST(FailingUpdate, IsNoStepOfAnyOptimizer) {
  for (const OptimizerDef* def : allOptimizers())
    for (const DType dtype : {DType::F32, DType::F64}) {
      Training whole(def->id, dtype);
      for (int64_t t = 1; t <= 4; ++t) {
        SCOPED_TRACE(def->id + " step " + std::to_string(t) + " " + std::string(dtypeName(dtype)));
        whole.giveGradients(t);
        whole.optimizer->step(rateOf(0.1, t));
        const uint64_t failures = failEach(def->id, dtype, t, whole.bits());
        EXPECT_GE(failures, t == 1 ? 2U : 1U) << "scalars of the calls, the turned gradient";
      }
    }
}

TEST(FailingUpdate, IsReportedWithTheLayerOfAState) {
  const auto all = weights(DType::F32);
  const auto failure = failureAt(2, [&] { optimizerOf("adamw", {}, all); });
  ASSERT_TRUE(failure);
  EXPECT_EQ(namedIn(failure->what(), "operator"), "adamw") << failure->what();
  EXPECT_EQ(namedIn(failure->what(), "layer"), "body") << failure->what();
  EXPECT_EQ(phaseIn(failure->what()), "optimizer") << failure->what();
}

}  // namespace
}  // namespace tenon::test
