// SPDX-License-Identifier: Apache-2.0
// Optimizers against formulas worked by hand, schedules against PyTorch's sequences
// (reference/engine-facts.md 4.3).
#include <gtest/gtest.h>

#include <cmath>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/optim/optimizer_def.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

Tensor parameter(float value) {
  Tensor t = Tensor::fromValues(std::vector<float>{value, -value}, {2});
  autograd::setRequiresGrad(t);
  return t;
}

std::unique_ptr<Optimizer> optimizer(const char* id, const ParamMap& changes, const Tensor& p,
                                     bool decays = true) {
  const OptimizerDef* def = findOptimizer(id);
  ParamMap params = def->schema.defaults();
  for (const auto& [name, value] : changes) params.set(name, value);
  return def->make(params, {{"p", p, decays}});
}

void setGrad(const Tensor& p, float value) {
  autograd::setGrad(p, Tensor::fromValues(std::vector<float>{value, -value}, {2}));
}

TEST(Optim, SgdWithMomentumNesterovAndDecay) {
  for (const bool nesterov : {false, true}) {
    const Tensor p = parameter(1.0F);
    const auto sgd =
        optimizer("sgd", {{"momentum", 0.9}, {"weight_decay", 0.1}, {"nesterov", nesterov}}, p);
    double x = 1;
    double buffer = 0;
    for (int i = 0; i < 5; ++i) {
      setGrad(p, 0.5F);
      sgd->step(0.1);
      const double g = 0.5 + 0.1 * x;
      buffer = i == 0 ? g : 0.9 * buffer + g;
      x -= 0.1 * (nesterov ? g + 0.9 * buffer : buffer);
      EXPECT_NEAR(p.data<float>()[0], x, 1e-6);
      EXPECT_NEAR(p.data<float>()[1], -x, 1e-6);
    }
  }
}

TEST(Optim, AdamAndAdamW) {
  for (const char* id : {"adam", "adamw"}) {
    const bool decoupled = std::string(id) == "adamw";
    const Tensor p = parameter(1.0F);
    const auto adam = optimizer(id, {{"weight_decay", 0.1}}, p);
    double x = 1;
    double m = 0;
    double v = 0;
    for (int t = 1; t <= 10; ++t) {
      const double raw = 0.3 * t;
      setGrad(p, static_cast<float>(raw));
      adam->step(0.01);
      const double g = decoupled ? raw : raw + 0.1 * x;
      if (decoupled) x *= 1 - 0.01 * 0.1;
      m = 0.9 * m + 0.1 * g;
      v = 0.999 * v + 0.001 * g * g;
      x -= 0.01 / (1 - std::pow(0.9, t)) * m /
           (std::sqrt(v) / std::sqrt(1 - std::pow(0.999, t)) + 1e-8);
      EXPECT_NEAR(p.data<float>()[0], x, 2e-6) << id << " step " << t;
    }
  }
}

TEST(Optim, ParametersWithoutGradientAreLeftAlone) {
  const Tensor p = parameter(1.0F);
  const auto adamw = optimizer("adamw", {{"weight_decay", 0.5}}, p);
  adamw->step(0.1);
  EXPECT_EQ(p.data<float>()[0], 1.0F);
}

TEST(Optim, NormsAndBiasesCanBeLeftOutOfDecay) {
  const Tensor p = parameter(1.0F);
  const auto adamw =
      optimizer("adamw", {{"weight_decay", 0.5}, {"decay_norm_and_bias", false}}, p, false);
  setGrad(p, 0.0F);
  adamw->step(0.1);
  EXPECT_EQ(p.data<float>()[0], 1.0F);
}

TEST(Optim, StateComesBackBitForBit) {
  const Tensor p = parameter(1.0F);
  const Tensor q = parameter(1.0F);
  const auto first = optimizer("sgd", {{"momentum", 0.9}}, p);
  for (int i = 0; i < 3; ++i) {
    setGrad(p, 0.25F);
    first->step(0.1);
  }
  std::copy_n(p.data<float>(), 2, q.data<float>());
  const auto second = optimizer("sgd", {{"momentum", 0.9}}, q);
  second->setSteps(first->steps());
  ASSERT_EQ(second->state().size(), 2U);
  EXPECT_EQ(second->state()[0].name, "p/momentum");
  std::copy_n(first->state()[0].tensor.data<float>(), 2, second->state()[0].tensor.data<float>());
  for (int i = 0; i < 3; ++i) {
    setGrad(p, 0.5F);
    setGrad(q, 0.5F);
    first->step(0.1);
    second->step(0.1);
  }
  EXPECT_EQ(p.toVector<float>(), q.toVector<float>());
}

TEST(Optim, ClippingScalesToTheNorm) {
  const Tensor p = parameter(1.0F);
  setGrad(p, 3.0F);  // norm 3 sqrt 2
  const std::vector<OptimizedParameter> all = {{"p", p}};
  EXPECT_NEAR(clipGradNorm(all, 1.0), 3 * std::sqrt(2.0), 1e-6);
  EXPECT_NEAR(gradNorm(all), 1.0, 1e-5);
  EXPECT_NEAR(clipGradNorm(all, 5.0), 1.0, 1e-5);
  EXPECT_NEAR(gradNorm(all), 1.0, 1e-5);  // below the limit nothing changes
}

TEST(Optim, NesterovWantsMomentum) {
  const Tensor p = parameter(1.0F);
  EXPECT_THROW(optimizer("sgd", {{"momentum", 0.0}, {"nesterov", true}}, p), Error);
}

double factor(const char* id, const ParamMap& changes, int64_t step, int64_t total,
              int64_t perEpoch = 1) {
  const ScheduleDef* def = findSchedule(id);
  ParamMap params = def->schema.defaults();
  for (const auto& [name, value] : changes) params.set(name, value);
  return def->factor(params, {step, total, perEpoch});
}

TEST(Schedule, OneCycleEqualsPyTorch) {
  // engine-facts 4.3, total 10, measured on PyTorch
  const double wanted[] = {.04, .52, 1, .95048, .81175, .61126, .38874, .18826, .04952, 0};
  for (int64_t i = 0; i < 10; ++i)
    EXPECT_NEAR(factor("one_cycle", {}, i, 10), wanted[i], 1e-5) << i;
  EXPECT_NEAR(factor("one_cycle", {}, 9, 10), 1.0 / 25 / 1e4, 1e-12);
  EXPECT_EQ(factor("one_cycle", {}, 25, 10), factor("one_cycle", {}, 9, 10));
}

TEST(Schedule, CosineEqualsPyTorch) {
  const double wanted[] = {1, .868198, .55, .231802, .1};  // CosineAnnealingLR(T=4, eta_min 0.1)
  for (int64_t i = 0; i < 5; ++i)
    EXPECT_NEAR(factor("cosine", {{"final_factor", 0.1}}, i, 4), wanted[i], 1e-6) << i;
}

TEST(Schedule, StepWarmupAndConstant) {
  EXPECT_EQ(factor("constant", {}, 5, 10), 1.0);
  const ParamMap step = {{"every_epochs", int64_t{2}}, {"gamma", 0.1}};
  EXPECT_NEAR(factor("step", step, 19, 100, 10), 1.0, 1e-12);  // epoch 1
  EXPECT_NEAR(factor("step", step, 20, 100, 10), 0.1, 1e-12);  // epoch 2
  EXPECT_NEAR(factor("step", step, 59, 100, 10), 0.01, 1e-12);
  const ParamMap warm = {{"warmup", 0.2}, {"start_factor", 0.1}, {"final_factor", 0.0}};
  EXPECT_NEAR(factor("warmup_cosine", warm, 0, 10), 0.1, 1e-12);
  EXPECT_NEAR(factor("warmup_cosine", warm, 1, 10), 0.55, 1e-12);
  EXPECT_NEAR(factor("warmup_cosine", warm, 2, 10), 1.0, 1e-12);
  EXPECT_NEAR(factor("warmup_cosine", warm, 6, 10), 0.5, 1e-12);
  EXPECT_NEAR(factor("warmup_cosine", warm, 10, 10), 0.0, 1e-12);
}

}  // namespace
}  // namespace tenon
