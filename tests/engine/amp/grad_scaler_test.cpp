// SPDX-License-Identifier: Apache-2.0
// The gradient scaler: its scale against PyTorch's, which steps are left out, clipping, state,
// errors.
#include "engine/amp/grad_scaler.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

#include "engine/amp/autocast.h"
#include "engine/autograd/autograd.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/optimizer/optimizer.h"
#include "engine/ops/reduce/reduce.h"
#include "tests/engine/amp/autocast_reference.h"
#include "tests/support/error_text.h"
#include "tests/support/failing_allocation.h"

namespace tenon::test {
namespace {

using amp::GradScaler;
using amp::GradScalerOptions;

constexpr float kInf = std::numeric_limits<float>::infinity();

/// One weight, learned by SGD with rate 1.
struct Learner {
  Tensor weight = Tensor::zeros({1});
  std::vector<OptimizedParameter> parameters = {{"weight", weight}};
  std::unique_ptr<Optimizer> optimizer;

  Learner() {
    autograd::setRequiresGrad(weight);
    const OptimizerDef& sgd = *findOptimizer("sgd");
    optimizer = sgd.make(sgd.schema.defaults(), parameters);
  }
  void setGradient(float value) const { autograd::setGrad(weight, Tensor::full({1}, value)); }
  float gradient() const { return autograd::gradOf(weight).toVector<float>()[0]; }
  float value() const { return weight.toVector<float>()[0]; }
};

GradScalerOptions optionsOf(const Json& json) {
  GradScalerOptions options;
  options.scale = json.value("init_scale", options.scale);
  options.growth = json.value("growth_factor", options.growth);
  options.backoff = json.value("backoff_factor", options.backoff);
  options.interval = json.value("growth_interval", options.interval);
  return options;
}

TEST(GradScaler, TheScaleMovesAsPyTorchs) {
  const std::vector<Json> cases = autocastCases("scaler");
  ASSERT_EQ(cases.size(), 4U);
  for (const Json& json : cases) {
    SCOPED_TRACE(json.at("scaler").get<std::string>());
    GradScaler scaler(optionsOf(json.at("options")));
    const Learner learner;
    const auto pattern = json.at("pattern").get<std::string>();
    const auto stepped = json.at("stepped").get<std::string>();
    int64_t skipped = 0;
    for (size_t i = 0; i < pattern.size(); ++i) {
      SCOPED_TRACE(i);
      zeroGrad(learner.parameters);
      autograd::backward(scaler.scale(sum(learner.weight)));
      if (pattern[i] != '1') learner.setGradient(pattern[i] == '0' ? kInf : NAN);
      EXPECT_EQ(scaler.step(*learner.optimizer, learner.parameters, 1), stepped[i] == '1');
      scaler.update();
      EXPECT_EQ(scaler.scaleFactor(), static_cast<float>(json.at("scale")[i].get<double>()));
      EXPECT_EQ(scaler.growthTracker(), json.at("tracker")[i].get<int64_t>());
      skipped += stepped[i] == '0' ? 1 : 0;
      EXPECT_EQ(scaler.skippedSteps(), skipped);
    }
  }
}

TEST(GradScaler, ALeftOutStepTouchesNothing) {
  Learner learner;
  GradScaler scaler;
  learner.setGradient(65536);
  EXPECT_TRUE(scaler.step(*learner.optimizer, learner.parameters, 1));
  scaler.update();
  EXPECT_EQ(learner.value(), -1);
  learner.setGradient(kInf);
  EXPECT_FALSE(scaler.unscale(*learner.optimizer, learner.parameters));
  EXPECT_FALSE(scaler.step(*learner.optimizer, learner.parameters, 1));
  EXPECT_EQ(learner.value(), -1);
  EXPECT_EQ(learner.optimizer->steps(), 1);
}

TEST(GradScaler, GradientsAreUnscaledBeforeTheyAreClipped) {
  Learner learner;
  GradScaler scaler({.scale = 1024});
  learner.setGradient(3 * 1024);
  EXPECT_TRUE(scaler.unscale(*learner.optimizer, learner.parameters));
  EXPECT_EQ(learner.gradient(), 3);
  EXPECT_EQ(clipGradNorm(learner.parameters, 1.5), 3);
  EXPECT_NEAR(learner.gradient(), 1.5, 1e-6);
  EXPECT_TRUE(scaler.step(*learner.optimizer, learner.parameters, 1));  // unscales no second time
  EXPECT_NEAR(learner.value(), -1.5, 1e-6);
}

TEST(GradScaler, AnyOptimizersOverflowShrinksTheScaleOfAll) {
  Learner good, bad;
  GradScaler scaler;
  good.setGradient(65536);
  bad.setGradient(NAN);
  EXPECT_TRUE(scaler.step(*good.optimizer, good.parameters, 1));
  EXPECT_FALSE(scaler.step(*bad.optimizer, bad.parameters, 1));
  scaler.update();
  EXPECT_EQ(good.value(), -1);
  EXPECT_EQ(bad.value(), 0);
  EXPECT_EQ(scaler.scaleFactor(), 32768);
  EXPECT_EQ(scaler.skippedSteps(), 1);
}

TEST(GradScaler, SavesGradientsThatF16WouldLose) {
  const auto gradientWith = [](double scale) {
    const Tensor w = Tensor::full({1, 1}, 1);
    autograd::setRequiresGrad(w);
    const Tensor x = Tensor::full({1, 1}, 1);
    GradScaler scaler({.scale = scale});
    Tensor loss;
    {
      const amp::AutocastGuard autocast(DType::F16);
      loss = mulScalar(sum(linear(x, w, {})), 1e-9);  // below the least f16, 6e-8
    }
    const std::vector<OptimizedParameter> parameters = {{"w", w}};
    const OptimizerDef& sgd = *findOptimizer("sgd");
    const auto optimizer = sgd.make(sgd.schema.defaults(), parameters);
    autograd::backward(scaler.scale(loss));
    scaler.unscale(*optimizer, parameters);
    EXPECT_EQ(autograd::gradOf(w).dtype(), DType::F32);
    return double{autograd::gradOf(w).toVector<float>()[0]};
  };
  EXPECT_EQ(gradientWith(1), 0);
  EXPECT_NEAR(gradientWith(65536), 1e-9, 1e-11);
}

TEST(GradScaler, AnF16LossDoesNotOverflow) {
  const GradScaler scaler;
  const Tensor scaled = scaler.scale(Tensor::full({}, 2, DType::F16));
  EXPECT_EQ(scaled.dtype(), DType::F32);
  EXPECT_EQ(scaled.toVector<float>()[0], 131072);
}

TEST(GradScaler, SwitchedOffItChangesNothing) {
  Learner learner;
  GradScaler scaler({.enabled = false});
  const Tensor loss = Tensor::full({}, 2);
  EXPECT_EQ(scaler.scale(loss).impl(), loss.impl());
  learner.setGradient(2);
  scaler.unscale(*learner.optimizer, learner.parameters);
  EXPECT_TRUE(scaler.step(*learner.optimizer, learner.parameters, 1));
  scaler.update();
  EXPECT_EQ(learner.value(), -2);
}

/// PyTorch's falls to 0, after which 1 / scale is Inf and weights are NaN.
TEST(GradScaler, TheScaleStaysAboveZero) {
  Learner learner;
  constexpr double kLeast = 0x1p-126;
  GradScaler scaler({.scale = 4 * kLeast});
  for (const double wanted : {2 * kLeast, kLeast, kLeast}) {
    learner.setGradient(kInf);
    EXPECT_FALSE(scaler.step(*learner.optimizer, learner.parameters, 1));
    scaler.update();
    EXPECT_EQ(scaler.scaleFactor(), wanted);
  }
  learner.setGradient(3 * kLeast);
  EXPECT_TRUE(scaler.step(*learner.optimizer, learner.parameters, 1));
  EXPECT_EQ(learner.value(), -3);
  scaler.update();
  learner.setGradient(8);  // 8 / scale is beyond f32
  EXPECT_FALSE(scaler.step(*learner.optimizer, learner.parameters, 1));
}

TEST(GradScaler, GoesOnFromItsState) {
  const auto run = [](GradScaler& scaler, const std::string& pattern) {
    Learner learner;
    std::vector<double> scales;
    for (const char kind : pattern) {
      learner.setGradient(kind == '1' ? 1 : kInf);
      scaler.step(*learner.optimizer, learner.parameters, 1);
      scaler.update();
      scales.push_back(scaler.scaleFactor());
    }
    return scales;
  };
  const GradScalerOptions options{.interval = 3};
  GradScaler whole(options), first(options), second(options);
  run(whole, "11011");
  const std::vector<double> wanted = run(whole, "10111");
  run(first, "11011");
  const std::vector<OptimizerState> saved = first.state();
  const std::vector<OptimizerState> restored = second.state();
  ASSERT_EQ(saved.size(), restored.size());
  for (size_t i = 0; i < saved.size(); ++i) {
    EXPECT_EQ(saved[i].name, restored[i].name);
    const std::vector<std::byte> bytes = saved[i].tensor.toBytes();
    ASSERT_EQ(bytes.size(), restored[i].tensor.toBytes().size());
    std::copy(bytes.begin(), bytes.end(), static_cast<std::byte*>(restored[i].tensor.rawData()));
  }
  EXPECT_EQ(second.skippedSteps(), 1);
  EXPECT_EQ(second.growthTracker(), 2);
  EXPECT_EQ(run(second, "10111"), wanted);
}

TEST(GradScaler, RefusesAWrongOrder) {
  Learner learner;
  GradScaler scaler;
  EXPECT_TRUE(hasAll(errorOf([&] { scaler.update(); }), {"nothing was unscaled"}));
  learner.setGradient(1);
  const auto unscale = [&] { scaler.unscale(*learner.optimizer, learner.parameters); };
  const auto step = [&] { scaler.step(*learner.optimizer, learner.parameters, 1); };
  unscale();
  EXPECT_TRUE(hasAll(errorOf(unscale), {"unscale was called already"}));
  step();
  EXPECT_TRUE(hasAll(errorOf(unscale), {"after this optimizer's step"}));
  EXPECT_TRUE(hasAll(errorOf(step), {"step was called already"}));
  scaler.update();
  EXPECT_EQ(errorOf(unscale), "no error");
}

/// Neither the division nor the step has happened, so both may be made again.
TEST(GradScaler, GoesOnAfterWantOfMemory) {
  const Tensor fine = Tensor::zeros({1}, DType::F64);
  autograd::setRequiresGrad(fine);
  for (uint64_t n = 1;; ++n) {
    Learner learner;
    learner.parameters.push_back({"fine", fine});
    GradScaler scaler({.scale = 4});
    learner.setGradient(8);
    autograd::setGrad(fine, Tensor::full({1}, 12, DType::F64));
    const auto step = [&] { scaler.step(*learner.optimizer, learner.parameters, 1); };
    const auto failure = failureAt(n, step);
    if (!failure) {
      EXPECT_GE(n, 6U) << "factor and flag of each type, the step's scalars";
      break;
    }
    EXPECT_EQ(failure->code(), Code::Memory);
    EXPECT_EQ(learner.value(), 0);
    step();
    EXPECT_EQ(learner.value(), -2) << failure->what();
    EXPECT_EQ(learner.gradient(), 2);
    EXPECT_EQ(autograd::gradOf(fine).toVector<double>()[0], 3);
    EXPECT_EQ(scaler.skippedSteps(), 0);
    scaler.update();
  }
}

TEST(GradScaler, RefusesWhatItCannotScale) {
  Learner learner;
  GradScaler scaler;
  const auto step = [&] { scaler.step(*learner.optimizer, learner.parameters, 1); };
  EXPECT_TRUE(hasAll(errorOf(step), {"no parameter of this optimizer has a gradient"}));
  const Tensor half = Tensor::zeros({2}, DType::F16);
  autograd::setRequiresGrad(half);
  autograd::setGrad(half, Tensor::full({2}, 1, DType::F16));
  const std::vector<OptimizedParameter> halves = {{"conv.weight", half}};
  GradScaler other;
  const std::string text = errorOf([&] { other.unscale(*learner.optimizer, halves); });
  EXPECT_TRUE(hasAll(text, {"'conv.weight'", "f16 [2]", "f32"})) << text;
}

TEST(GradScaler, RefusesOptionsOutOfRange) {
  const auto text = [](const GradScalerOptions& options) {
    return errorOf([&] { const GradScaler scaler(options); });
  };
  EXPECT_TRUE(hasAll(text({.scale = 0}), {"scale must be above 0", "got 0"}));
  EXPECT_TRUE(hasAll(text({.scale = 1e39}), {"scale", "finite", "1e+39"}));
  EXPECT_TRUE(hasAll(text({.growth = 1}), {"growth must be above 1", "got 1"}));
  EXPECT_TRUE(hasAll(text({.backoff = 1}), {"backoff", "below 1", "got 1"}));
  EXPECT_TRUE(hasAll(text({.interval = 0}), {"interval must be at least 1", "got 0"}));
}

TEST(UnscaleInPlace, FindsInfAndNaNAtEveryPlace) {
  for (const DType type : {DType::F32, DType::F64})
    for (const int64_t count : {1, 7, 8, 9, 40'000})
      for (const int64_t at : {int64_t{0}, count / 2, count - 1})
        for (const double value : {1.0, double{kInf}, -double{kInf}, double{NAN}}) {
          const Tensor bad = cast(Tensor::full({count}, 6), type);
          const Tensor good = cast(Tensor::full({3}, -2), type);
          if (type == DType::F32) bad.data<float>()[at] = static_cast<float>(value);
          if (type == DType::F64) bad.data<double>()[at] = value;
          const std::vector<Tensor> list = {good, bad};
          EXPECT_EQ(unscaleInPlace(list, 0.25), std::isfinite(value)) << count << " " << at;
          EXPECT_EQ(cast(good, DType::F64).toVector<double>(), std::vector<double>(3, -0.5));
          const std::vector<double> got = cast(bad, DType::F64).toVector<double>();
          if (count > 1) {
            EXPECT_EQ(got[static_cast<size_t>(at == 0 ? count - 1 : 0)], 1.5);
          }
        }
  EXPECT_TRUE(unscaleInPlace({}, 2));
}

}  // namespace
}  // namespace tenon::test
