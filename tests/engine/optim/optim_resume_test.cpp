// SPDX-License-Identifier: Apache-2.0
// A training that is stopped at a step and goes on has the same bits, for every optimizer; and the
// fast kernels agree with themselves on every instruction level.
#include <cstring>

#include "engine/optim/optimizer_sequence.h"
#include "engine/optim/weight_average.h"
#include "tests/engine/optim/optim_fixture.h"

namespace tenon::test {
namespace {

struct Variant {
  const char* id;
  ParamMap changes;
};

/// Every optimizer with each option that adds state or another rule.
std::vector<Variant> variants() {
  std::vector<Variant> all = {
      {"sgd", {{"momentum", 0.0}}},
      {"sgd", {{"momentum", 0.9}, {"dampening", 0.5}, {"weight_decay", 0.01}}},
      {"sgd", {{"momentum", 0.9}, {"nesterov", true}}},
      {"adam", {{"amsgrad", true}, {"weight_decay", 0.1}}},
      {"adamw", {{"amsgrad", true}}},
      {"rmsprop", {{"centered", true}, {"momentum", 0.9}}},
      {"rmsprop", {{"momentum", 0.9}}},
      {"rmsprop", {{"centered", true}}},
      {"nadam", {{"decoupled", true}, {"weight_decay", 0.1}}},
      {"radam", {{"decoupled", true}, {"weight_decay", 0.1}}},
      {"adagrad", {{"lr_decay", 0.1}, {"initial_accumulator", 0.5}}},
  };
  for (const OptimizerDef* def : allOptimizers()) all.push_back({def->id.c_str(), {}});
  return all;
}

void copyInto(const Tensor& from, const Tensor& to) {
  ASSERT_EQ(from.bytes(), to.bytes());
  std::memcpy(to.rawData(), from.rawData(), static_cast<size_t>(from.bytes()));
}

void train(Optimizer& optimizer, const std::vector<OptimizedParameter>& all, int64_t from,
           int64_t to) {
  for (int64_t t = from; t <= to; ++t) {
    setGradients(all, t);
    optimizer.step(rateOf(0.02, t));
  }
}

/// What checkpointParts and restoreCheckpoint do (engine/train), in memory.
void restore(Optimizer& from, const std::vector<OptimizedParameter>& fromWeights, Optimizer& to,
             const std::vector<OptimizedParameter>& toWeights) {
  for (size_t j = 0; j < toWeights.size(); ++j)
    copyInto(fromWeights[j].tensor, toWeights[j].tensor);
  to.setSteps(from.steps());
  const std::vector<OptimizerState> saved = from.state();
  const std::vector<OptimizerState> own = to.state();
  ASSERT_EQ(saved.size(), own.size());
  for (size_t k = 0; k < own.size(); ++k) {
    ASSERT_EQ(saved[k].name, own[k].name);
    copyInto(saved[k].tensor, own[k].tensor);
  }
}

void expectSameBits(const std::vector<OptimizedParameter>& a,
                    const std::vector<OptimizedParameter>& b) {
  for (size_t j = 0; j < a.size(); ++j)
    EXPECT_EQ(a[j].tensor.toBytes(), b[j].tensor.toBytes()) << a[j].name;
}

TEST(OptimResume, SameBitsAfterEveryStep) {
  for (const Variant& variant : variants())
    for (const DType dtype : {DType::F32, DType::F64})
      for (const int64_t stop : {1, 2, 4, 7}) {  // before and after the late weight's first step
        SCOPED_TRACE(std::string(variant.id) + " stopped after " + std::to_string(stop));
        const auto a = weights(dtype);
        const auto b = weights(dtype);
        const auto whole = optimizerOf(variant.id, variant.changes, a);
        train(*whole, a, 1, stop);
        const auto resumed = optimizerOf(variant.id, variant.changes, b);
        restore(*whole, a, *resumed, b);
        train(*whole, a, stop + 1, 9);
        train(*resumed, b, stop + 1, 9);
        expectSameBits(a, b);
      }
}

TEST(OptimResume, CheckpointsWithoutStepCountsGoOnWithThoseOfTheRun) {
  const auto all = weights(DType::F32);
  const auto adam = optimizerOf("adam", {}, all);
  adam->setSteps(5);
  int optional = 0;
  for (const OptimizerState& state : adam->state()) {
    if (!state.optional) continue;
    ++optional;
    EXPECT_EQ(state.name, "steps");
    EXPECT_EQ(state.tensor.toVector<int64_t>(), std::vector<int64_t>(all.size(), 5));
  }
  EXPECT_EQ(optional, 1);
}

TEST(OptimResume, StepsAreCountedForEachParameter) {
  const auto all = weights(DType::F32);
  const auto adam = optimizerOf("adam", {}, all);
  train(*adam, all, 1, 5);
  EXPECT_EQ(adam->state().back().tensor.toVector<int64_t>(), (std::vector<int64_t>{5, 5, 5, 5, 3}));
  EXPECT_EQ(adam->steps(), 5);
}

std::unique_ptr<Optimizer> adamThenSgd(const std::vector<OptimizedParameter>& all) {
  const OptimizerDef* adam = findOptimizer("adam");
  const OptimizerDef* sgd = findOptimizer("sgd");
  return makeOptimizerSequence({{adam, changed(adam->schema, {{"lr", 0.01}}), 0},
                                {sgd, changed(sgd->schema, {{"lr", 0.05}, {"momentum", 0.9}}), 4}},
                               all);
}

TEST(OptimizerSequence, ChangesAtItsStepAndBeginsFresh) {
  const auto a = weights(DType::F64);
  const auto b = weights(DType::F64);
  const auto sequence = adamThenSgd(a);
  train(*sequence, a, 1, 4);
  for (int64_t t = 5; t <= 8; ++t) {  // the rate is that of the phase at work
    setGradients(a, t);
    sequence->step(rateOf(0.05, t));
  }
  const auto adam = optimizerOf("adam", {}, b);
  train(*adam, b, 1, 4);
  const auto sgd = optimizerOf("sgd", {{"momentum", 0.9}}, b);
  for (int64_t t = 5; t <= 8; ++t) {
    setGradients(b, t);
    sgd->step(rateOf(0.05, t));
  }
  for (size_t j = 0; j < a.size(); ++j) {
    const std::vector<double> got = numbersOf(a[j].tensor);
    const std::vector<double> wanted = numbersOf(b[j].tensor);
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-12) << a[j].name;
  }
  EXPECT_EQ(sequence->steps(), 8);
  EXPECT_EQ(sequence->state().front().name, "body.weight/momentum");
}

TEST(OptimizerSequence, ResumesInEachPhase) {
  for (const int64_t stop : {2, 4, 5, 7}) {
    SCOPED_TRACE(stop);
    const auto a = weights(DType::F32);
    const auto b = weights(DType::F32);
    const auto whole = adamThenSgd(a);
    train(*whole, a, 1, stop);
    const auto resumed = adamThenSgd(b);
    restore(*whole, a, *resumed, b);
    train(*whole, a, stop + 1, 9);
    train(*resumed, b, stop + 1, 9);
    expectSameBits(a, b);
  }
}

TEST(OptimizerSequence, RefusalsSayWhatIsWrong) {
  const auto all = weights(DType::F32);
  const OptimizerDef* sgd = findOptimizer("sgd");
  const ParamMap params = sgd->schema.defaults();
  const auto made = [&](std::vector<OptimizerPhase> phases) {
    return errorOf([&] { makeOptimizerSequence(std::move(phases), all); });
  };
  EXPECT_NE(made({}).find("begin at step 0"), std::string::npos);
  EXPECT_NE(made({{sgd, params, 3}}).find("begin at step 0"), std::string::npos);
  EXPECT_NE(made({{sgd, params, 0}, {sgd, params, 0}}).find("phase 1 wants to begin after step 0"),
            std::string::npos);
  EXPECT_NE(made({{sgd, params, 0}, {nullptr, params, 4}}).find("phase 1 has no optimizer"),
            std::string::npos);
  const ParamMap wrong = params.with("nesterov", true).with("momentum", 0.0);
  EXPECT_NE(made({{sgd, params, 0}, {sgd, wrong, 4}}).find("nesterov"), std::string::npos);
}

TEST(WeightAverage, SwapsBitForBitAndResumes) {
  const auto all = weights(DType::F32);
  WeightAverage average(all, {.decay = 0.75});
  const auto sgd = optimizerOf("sgd", {}, all);
  for (int64_t t = 1; t <= 3; ++t) {
    train(*sgd, all, t, t);
    average.update();
  }
  std::vector<std::vector<std::byte>> before;
  for (const OptimizedParameter& weight : all) before.push_back(weight.tensor.toBytes());
  const std::vector<std::byte> averaged = average.state()[0].tensor.toBytes();
  {
    const AveragedWeights evaluating(average);
    EXPECT_TRUE(average.isSwapped());
    EXPECT_EQ(all[0].tensor.toBytes(), averaged);
    EXPECT_NE(all[0].tensor.toBytes(), before[0]);
    EXPECT_NE(errorOf([&] { average.update(); }).find("the weights themselves"), std::string::npos);
  }
  for (size_t j = 0; j < all.size(); ++j) EXPECT_EQ(all[j].tensor.toBytes(), before[j]);
  EXPECT_TRUE(all[0].tensor.requiresGrad());

  WeightAverage resumed(all, {.decay = 0.75});
  for (size_t j = 0; j < all.size(); ++j)
    copyInto(average.state()[j].tensor, resumed.state()[j].tensor);
  resumed.setUpdates(average.updates());
  train(*sgd, all, 4, 4);
  average.update();
  resumed.update();
  for (size_t j = 0; j < all.size(); ++j)
    EXPECT_EQ(resumed.state()[j].tensor.toBytes(), average.state()[j].tensor.toBytes());
}

TEST(WeightAverage, WarmUpForgetsEarlyWeights) {
  const std::vector<OptimizedParameter> all = {{"w", Tensor::full({3}, 1, DType::F64)}};
  WeightAverage average(all, {.decay = 0.9, .warmUp = true});
  double wanted = 0;
  for (int n = 0; n < 30; ++n) {
    all[0].tensor.data<double>()[1] = n;
    average.update();
    const double decay = std::min(0.9, (1.0 + n) / (10.0 + n));
    wanted = n == 0 ? n : decay * wanted + (1 - decay) * n;
    EXPECT_NEAR(average.state()[0].tensor.toVector<double>()[1], wanted, 1e-12) << n;
  }
}

TEST(WeightAverage, RefusalsSayWhatIsWrong) {
  const std::vector<OptimizedParameter> whole = {{"n", Tensor::zeros({2}, DType::I64)}};
  EXPECT_NE(errorOf([&] { WeightAverage(whole, {}); }).find("'n' is i64, wanted f32 or f64"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { WeightAverage({}, {.decay = 1.0}); }).find("got 1"), std::string::npos);
}

}  // namespace
}  // namespace tenon::test
