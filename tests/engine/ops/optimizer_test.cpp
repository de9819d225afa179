// SPDX-License-Identifier: Apache-2.0
// Fused optimizer steps: several steps against the written formulas in f64, many tensors, versions,
// errors.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "engine/autograd/autograd.h"
#include "engine/backend/registry/devices.h"
#include "engine/base/error.h"
#include "engine/ops/optimizer/optimizer.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

using Numbers = std::vector<double>;

Tensor scalars(std::initializer_list<double> values, DType dtype) {
  Numbers numbers(values);
  numbers.resize(kStepScalars);
  return fromNumbers(numbers, {kStepScalars}, dtype);
}

struct SgdCase {
  double momentum, dampening, decay;
  bool nesterov, maximize;
};

/// One step of facts 4.1 on plain numbers.
void sgdByFormula(const SgdCase& c, double rate, bool first, const Numbers& g, Numbers& p,
                  Numbers& b) {
  for (size_t i = 0; i < p.size(); ++i) {
    double grad = (c.maximize ? -g[i] : g[i]) + c.decay * p[i];
    if (c.momentum != 0) {
      b[i] = first ? grad : c.momentum * b[i] + (1 - c.dampening) * grad;
      grad = c.nesterov ? grad + c.momentum * b[i] : b[i];
    }
    p[i] -= rate * grad;
  }
}

TEST(Optimizer, SgdFollowsTheFormula) {
  for (const SgdCase& c :
       {SgdCase{0, 0, 0.1, false, false}, SgdCase{0.9, 0, 0, false, false},
        SgdCase{0.9, 0.5, 0.01, false, true}, SgdCase{0.8, 0, 0.01, true, false}})
    for (DType dtype : {DType::F32, DType::F64})
      for (const std::string& level : levels()) {
        const LevelGuard guard(level.c_str());
        const Shape shape{3, 7};
        Numbers p = numbersOf(makeInput({shape}, 1));
        Numbers b(p.size(), 0.0);
        const bool momentum = c.momentum != 0;
        const SgdSlot slot{fromNumbers(p, shape, dtype), Tensor::zeros(shape, dtype),
                           momentum ? Tensor::zeros(shape, dtype) : Tensor()};
        for (int step = 0; step < 4; ++step) {
          const Tensor g = makeInput({shape}, 10 + static_cast<uint64_t>(step));
          const double rate = 0.1 / (1 + step);
          const SgdSlot now{slot.parameter, converted(g, dtype), slot.momentum};
          sgdStep(scalars({rate, c.decay, c.momentum, 1 - c.dampening, step == 0 ? 1.0 : 0.0, 1},
                          dtype),
                  std::vector{now}, {momentum, c.nesterov, c.maximize});
          sgdByFormula(c, rate, step == 0, numbersOf(g), p, b);
          EXPECT_TRUE(near(slot.parameter, fromNumbers(p, shape, DType::F64), toleranceOf(dtype)));
        }
      }
}

struct AdamCase {
  double decay;
  bool decoupled, maximize;
};

void adamByFormula(const AdamCase& c, double rate, int t, const Numbers& g, Numbers& p, Numbers& m,
                   Numbers& v) {
  for (size_t i = 0; i < p.size(); ++i) {
    double grad = c.maximize ? -g[i] : g[i];
    if (c.decoupled) {
      p[i] *= 1 - rate * c.decay;
    } else {
      grad += c.decay * p[i];
    }
    m[i] = 0.9 * m[i] + 0.1 * grad;
    v[i] = 0.999 * v[i] + 0.001 * grad * grad;
    const double root = std::sqrt(v[i]) / std::sqrt(1 - std::pow(0.999, t));
    p[i] -= rate / (1 - std::pow(0.9, t)) * m[i] / (root + 1e-8);
  }
}

Tensor adamScalars(const AdamCase& c, double rate, int t, DType dtype) {
  return scalars({rate / (1 - std::pow(0.9, t)), c.decoupled ? 1 - rate * c.decay : c.decay, 0.1,
                  0.999, 0.001, 1e-8, 1 / std::sqrt(1 - std::pow(0.999, t)), 1},
                 dtype);
}

TEST(Optimizer, AdamFollowsTheFormula) {
  for (const AdamCase& c : {AdamCase{0.01, true, false}, AdamCase{0.01, false, true}})
    for (DType dtype : {DType::F32, DType::F64})
      for (const std::string& level : levels()) {
        const LevelGuard guard(level.c_str());
        const Shape shape{5, 7};
        Numbers p = numbersOf(makeInput({shape}, 1));
        Numbers m(p.size(), 0.0);
        Numbers v(p.size(), 0.0);
        AdamSlot slot{fromNumbers(p, shape, dtype),
                      {},
                      Tensor::zeros(shape, dtype),
                      Tensor::zeros(shape, dtype)};
        for (int t = 1; t <= 5; ++t) {
          const Tensor g = makeInput({shape}, 20 + static_cast<uint64_t>(t));
          slot.gradient = converted(g, dtype);
          adamStep(adamScalars(c, 0.01, t, dtype), std::vector{slot}, {c.decoupled, c.maximize});
          adamByFormula(c, 0.01, t, numbersOf(g), p, m, v);
          EXPECT_TRUE(near(slot.parameter, fromNumbers(p, shape, DType::F64), toleranceOf(dtype)));
          EXPECT_TRUE(near(slot.secondMoment, fromNumbers(v, shape, DType::F64),
                           dtype == DType::F32 ? Tolerance{1e-5, 1e-9} : Tolerance{1e-9, 1e-12}));
        }
      }
}

TEST(Optimizer, ManyTensorsOfAllSizesAreAllChanged) {
  std::vector<AdamSlot> slots;
  for (int64_t i = 0; i < 150; ++i) {
    const Shape shape{i % 7 == 0 ? 20000 + i : i};
    slots.push_back({Tensor::full(shape, 1), Tensor::full(shape, 0.5), Tensor::zeros(shape),
                     Tensor::zeros(shape)});
  }
  adamStep(adamScalars({0, true, false}, 0.25, 1, DType::F32), slots, {});
  for (const AdamSlot& slot : slots) {
    for (double p : numbersOf(slot.parameter)) ASSERT_NEAR(p, 0.75, 1e-6);  // the first step is lr
    EXPECT_EQ(slot.parameter.version(), 1u);
    EXPECT_EQ(slot.gradient.version(), 0u);
    EXPECT_EQ(slot.firstMoment.version(), 1u);
    EXPECT_EQ(slot.secondMoment.version(), 1u);
  }
}

TEST(Optimizer, GradientsMayLieOtherwiseAndParametersAreLeaves) {
  const Tensor p = Tensor::full({4, 3}, 1);
  autograd::setRequiresGrad(p);
  const Tensor g = laid(Tensor::fromValues<float>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {4, 3}),
                        Lay::Transposed);
  sgdStep(scalars({0.5, 0, 0, 1, 0, 2}, DType::F32), std::vector{SgdSlot{p, g, {}}}, {});
  EXPECT_EQ(numbersOf(p), (Numbers{1, 0, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10}));
  EXPECT_TRUE(p.requiresGrad());
}

TEST(Optimizer, ScaleInPlaceScalesTheList) {
  const Tensor a = Tensor::full({20001}, 2);
  const Tensor b = Tensor::full({3}, 1);
  scaleInPlace(std::vector{a, b}, Tensor::full({}, 0.25));
  for (double x : numbersOf(a)) ASSERT_EQ(x, 0.5);
  for (double x : numbersOf(b)) EXPECT_EQ(x, 0.25);
  EXPECT_EQ(a.version(), 1u);
}

/// LAMB's formula over whole tensors, in f64.
void lambByFormula(double rate, int t, const Numbers& g, Numbers& p, Numbers& m, Numbers& v) {
  Numbers r(p.size());
  double weights = 0;
  double steps = 0;
  for (size_t i = 0; i < p.size(); ++i) {
    m[i] = 0.9 * m[i] + 0.1 * g[i];
    v[i] = 0.99 * v[i] + 0.01 * g[i] * g[i];
    r[i] = m[i] / (1 - std::pow(0.9, t)) / (std::sqrt(v[i] / (1 - std::pow(0.99, t))) + 1e-6);
    r[i] += 0.1 * p[i];
    weights += p[i] * p[i];
    steps += r[i] * r[i];
  }
  const double ratio = std::min(std::sqrt(weights), 50.0) / std::sqrt(steps);
  for (size_t i = 0; i < p.size(); ++i) p[i] -= rate * ratio * r[i];
}

Tensor lambScalars(double rate, int t, DType dtype) {
  Numbers s(kRuleScalars);
  s[kRuleRate] = rate;
  s[kRuleDecay] = 0.1;
  s[kRuleGradScale] = 1;
  s[kRuleOneMinusBeta1] = 0.1;
  s[kRuleBeta2] = 0.99;
  s[kRuleOneMinusBeta2] = 0.01;
  s[kRuleEpsilon] = 1e-6;
  s[kRuleInvSqrtBias2] = 1 / std::sqrt(1 - std::pow(0.99, t));
  s[kLambHighestNorm] = 50;
  s[kLambInvBias1] = 1 / (1 - std::pow(0.9, t));
  return fromNumbers(s, {kRuleScalars}, dtype);
}

TEST(Optimizer, LambTakesTheNormsOfWholeTensors) {
  for (DType dtype : {DType::F32, DType::F64})
    for (const std::string& level : levels())
      for (const int threads : {1, 2}) {
        SCOPED_TRACE(std::string(dtypeName(dtype)) + " " + level + " " + std::to_string(threads));
        const LevelGuard guard(level.c_str());
        backend::setThreads(threads);
        std::vector<StepSlot> slots;
        std::vector<Numbers> p, m, v;
        for (const Shape& shape : {Shape{40001}, Shape{3}, Shape{0}, Shape{5, 1000}, Shape{1}}) {
          p.push_back(numbersOf(makeInput({shape}, 7 + slots.size())));
          m.emplace_back(p.back().size());
          v.emplace_back(p.back().size());
          slots.push_back({fromNumbers(p.back(), shape, dtype),
                           {},
                           {Tensor::zeros(shape, dtype), Tensor::zeros(shape, dtype), {}}});
        }
        for (int t = 1; t <= 3; ++t) {
          for (size_t k = 0; k < slots.size(); ++k) {
            const Tensor g =
                makeInput({slots[k].parameter.shape()}, static_cast<uint64_t>(t) * 31 + k);
            slots[k].gradient = converted(g, dtype);
            lambByFormula(0.01, t, numbersOf(g), p[k], m[k], v[k]);
          }
          fusedStep(StepKind::Lamb, lambScalars(0.01, t, dtype), slots, {});
          for (size_t k = 0; k < slots.size(); ++k) {
            const Tensor wanted = fromNumbers(p[k], slots[k].parameter.shape(), DType::F64);
            EXPECT_TRUE(near(slots[k].parameter, wanted, toleranceOf(dtype))) << "tensor " << k;
          }
        }
      }
  backend::setThreads(0);
}

TEST(Optimizer, LambDoesNotDependOnThreads) {
  std::vector<Numbers> results;
  for (const int threads : {1, 2}) {
    backend::setThreads(threads);
    std::vector<StepSlot> slots;
    for (const Shape& shape : {Shape{100003}, Shape{7}}) {
      const Tensor p = converted(makeInput({shape}, 1), DType::F32);
      const Tensor g = converted(makeInput({shape}, 2), DType::F32);
      slots.push_back({p, g, {Tensor::zeros(shape), Tensor::zeros(shape), {}}});
    }
    fusedStep(StepKind::Lamb, lambScalars(0.1, 1, DType::F32), slots, {});
    results.push_back(numbersOf(slots[0].parameter));
  }
  backend::setThreads(0);
  EXPECT_EQ(results[0], results[1]);
}

TEST(Optimizer, EveryStepBumpsTheVersionsOfWhatItChanges) {
  for (int kind = 0; kind < kStepKinds; ++kind) {
    SCOPED_TRACE(kind);
    const auto step = static_cast<StepKind>(kind);
    StepSlot slot{Tensor::full({5}, 1), Tensor::full({5}, 0.5), {}};
    for (Tensor& state : slot.state) state = Tensor::full({5}, 2);
    fusedStep(step, Tensor::full({scalarsOf(step)}, 0.25), std::vector{slot}, {});
    EXPECT_EQ(slot.parameter.version(), 1u);
    EXPECT_EQ(slot.gradient.version(), 0u);
    for (double p : numbersOf(slot.parameter)) EXPECT_NE(p, 1.0);
  }
}

TEST(Optimizer, ClipInPlaceLimitsBothWaysAndKeepsNaN) {
  const Tensor a = Tensor::fromValues<float>(
      {-3, -0.5F, 0, 0.25F, 7, std::nanf(""), INFINITY, -INFINITY, 0.5F}, {9});
  clipInPlace(std::vector{a}, Tensor::full({}, 0.5));
  const Numbers got = numbersOf(a);
  EXPECT_TRUE(std::isnan(got[5]));
  const Numbers wanted = {-0.5, -0.5, 0, 0.25, 0.5, 0, 0.5, -0.5, 0.5};
  for (size_t i = 0; i < wanted.size(); ++i)
    if (i != 5) {
      EXPECT_EQ(got[i], wanted[i]) << i;
    }
}

TEST(Optimizer, AverageInPlaceMovesByTheShare) {
  for (const double share : {0.0, 0.25, 0.75, 1.0}) {
    const Tensor a = Tensor::full({20001}, 0.1);
    const Tensor b = Tensor::full({20001}, 0.7);
    averageInPlace(std::vector{a}, std::vector{b}, Tensor::full({}, share));
    for (double x : numbersOf(a)) ASSERT_NEAR(x, 0.1 + 0.6 * share, 1e-6);
    if (share == 1.0) {
      EXPECT_EQ(numbersOf(a), numbersOf(b));
    }
    EXPECT_EQ(a.version(), 1u);
    EXPECT_EQ(b.version(), 0u);
  }
  const Tensor a = Tensor::zeros({2});
  EXPECT_NE(errorOf([&] {
              averageInPlace(std::vector{a, a}, std::vector{a}, Tensor::full({}, 1));
            }).find("2 averages want as many values, got 1"),
            std::string::npos);
}

TEST(Optimizer, ErrorsNameTheSlot) {
  const Tensor s = Tensor::zeros({kStepScalars});
  const Tensor a = Tensor::zeros({2});
  const Tensor b = Tensor::zeros({3});
  EXPECT_NE(errorOf([&] {
              sgdStep(s, std::vector{SgdSlot{a, a, {}}, SgdSlot{a, b, {}}}, {});
            }).find("[sgd_step] gradient of slot 1"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              adamStep(s, std::vector{AdamSlot{a, a, a, {}}}, {});
            }).find("slot 0 has no second moment"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              sgdStep(s, std::vector{SgdSlot{{}, a, {}}}, {});
            }).find("slot 0 has no parameter"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              sgdStep(s, std::vector{SgdSlot{a, a, a}}, {0, 1, 0});
            }).find("nesterov needs momentum"),
            std::string::npos);
  const Tensor strided = narrow(Tensor::zeros({2, 3}), 1, 0, 2);
  EXPECT_NE(errorOf([&] {
              sgdStep(s, std::vector{SgdSlot{strided, Tensor::zeros({2, 2}), {}}}, {});
            }).find("writes in place only to dense"),
            std::string::npos);
}

}  // namespace
}  // namespace tenon::test
