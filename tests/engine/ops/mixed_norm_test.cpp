// SPDX-License-Identifier: Apache-2.0
// Norms of f16 and bf16 beside f32 weights and statistics: values of tests/reference/types.json
// (PyTorch's f32 results, rounded once), types of results and gradients, second order, refusals.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/autograd/autograd.h"
#include "engine/ops/batch_norm/batch_norm.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/layer_norm/group_norm.h"
#include "engine/ops/layer_norm/layer_norm.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/rms_norm/rms_norm.h"
#include "tests/engine/ops/golden.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

using golden::Json;

Tensor listIn(const Json& json, const char* name, const Shape& shape, DType dtype) {
  return fromNumbers(golden::numbersIn(json.at(name)), shape, dtype);
}

Tensor normOf(const std::string& norm, const Tensor& x, const Tensor& gamma, const Tensor& beta) {
  if (norm == "layer_norm") return layerNorm(x, gamma, beta, {1e-3, 1});
  if (norm == "group_norm") return groupNorm(x, 2, gamma, beta, 1e-3);
  if (norm == "batch_norm") return batchNormTraining(x, gamma, beta, 1e-3).y;
  const gate::NoGradGuard guard;
  const Tensor mean = mulScalar(beta, 0.5);
  const Tensor var = square(gamma);
  const gate::GradModeGuard again(true);
  return batchNormEval(x, gamma, beta, mean, var, 1e-3);
}

void compareNorm(const Json& json) {
  const DType half = json.at("type") == "f16" ? DType::F16 : DType::BF16;
  const Tolerance oneStep =
      half == DType::F16 ? Tolerance{0x1p-10, 0x1p-20} : Tolerance{0x1p-7, 0x1p-20};
  const Shape shape = golden::shapeIn(json.at("shape"));
  const Shape weights{static_cast<int64_t>(json.at("gamma").size())};
  const Tensor x = listIn(json, "x", shape, half);
  const Tensor gamma = listIn(json, "gamma", weights, DType::F32);
  const Tensor beta = listIn(json, "beta", weights, DType::F32);
  for (const Tensor& leaf : {x, gamma, beta}) autograd::setRequiresGrad(leaf);
  const Tensor y = normOf(json.at("norm"), x, gamma, beta);
  EXPECT_EQ(y.dtype(), half);
  EXPECT_TRUE(near(y, listIn(json, "y", shape, DType::F64), oneStep));
  autograd::backward(y, listIn(json, "dy", shape, half));
  EXPECT_EQ(autograd::gradOf(x).dtype(), half);
  EXPECT_EQ(autograd::gradOf(gamma).dtype(), DType::F32);
  EXPECT_EQ(autograd::gradOf(beta).dtype(), DType::F32);
  const Tolerance exact{1e-5, 1e-5};
  EXPECT_TRUE(
      near(autograd::gradOf(x), listIn(json, "dx", shape, DType::F64), {oneStep.rtol, 1e-5}));
  EXPECT_TRUE(near(autograd::gradOf(gamma), listIn(json, "dgamma", weights, DType::F64), exact));
  EXPECT_TRUE(near(autograd::gradOf(beta), listIn(json, "dbeta", weights, DType::F64), exact));
}

TEST(MixedNorms, ValuesAndGradientsAreThoseOfF32Rounded) {
  std::ifstream file(TENON_SOURCE_DIR "/tests/reference/types.json");
  const Json all = Json::parse(file).at("cases");
  int seen = 0;
  for (const Json& json : all) {
    if (!json.contains("norm")) continue;
    SCOPED_TRACE(json.at("norm").get<std::string>() + " " + json.at("type").get<std::string>());
    compareNorm(json);
    ++seen;
  }
  EXPECT_EQ(seen, 8);
}

constexpr DType kHalves[] = {DType::F16, DType::BF16};

Tensor leafOf(const Shape& shape, uint64_t seed, DType dtype) {
  Tensor t = converted(makeInput({shape}, seed), dtype);
  autograd::setRequiresGrad(t);
  return t;
}

TEST(MixedNorms, TheGradientThatCanBeDifferentiatedHasTheSameTypesAndValues) {
  for (DType half : kHalves)
    for (const std::string norm : {"layer_norm", "batch_norm", "batch_norm_eval", "group_norm"}) {
      SCOPED_TRACE(norm + " " + std::string(dtypeName(half)));
      const Shape shape = norm == "layer_norm" ? Shape{5, 4} : Shape{5, 4, 3};
      const std::vector<Tensor> leaves = {leafOf(shape, 1, half), leafOf({4}, 2, DType::F32),
                                          leafOf({4}, 3, DType::F32)};
      const Tensor y = normOf(norm, leaves[0], leaves[1], leaves[2]);
      const std::vector<Tensor> dy = {converted(makeInput({shape}, 4), half)};
      const auto fused = autograd::grad({&y, 1}, leaves, dy, {.retainGraph = true});
      const auto traced = autograd::grad({&y, 1}, leaves, dy, {.createGraph = true});
      for (size_t i = 0; i < leaves.size(); ++i) {
        EXPECT_EQ(traced[i].dtype(), leaves[i].dtype());
        const double step = i > 0 ? 1e-5 : half == DType::F16 ? 0x1p-10 : 0x1p-7;
        EXPECT_TRUE(near(traced[i], converted(fused[i], DType::F64), {step, 1e-5})) << i;
      }
      const Tensor again = sum(square(traced[0]));
      const auto second = autograd::grad({&again, 1}, leaves, {}, {.allowUnused = true});
      // given statistics make the gradient of x independent of x
      ASSERT_EQ(second[0].defined(), norm != "batch_norm_eval");
      if (second[0].defined()) {
        EXPECT_EQ(second[0].dtype(), half);
      }
      EXPECT_EQ(second[1].dtype(), DType::F32);
    }
}

TEST(MixedNorms, StatisticsOfAHalfBatchAreF32AndMoveRunningOnesOfEitherType) {
  const Tensor x = converted(makeInput({{6, 3, 4}}, 1), DType::BF16);
  const BatchNormResult batch = batchNormTraining(x, {}, {}, 1e-5);
  EXPECT_EQ(batch.mean.dtype(), DType::F32);
  EXPECT_EQ(batch.var.dtype(), DType::F32);
  const BatchNormResult wide = batchNormTraining(converted(x, DType::F32), {}, {}, 1e-5);
  EXPECT_EQ(batch.mean.toBytes(), wide.mean.toBytes());  // not rounded
  EXPECT_EQ(batch.var.toBytes(), wide.var.toBytes());
  for (DType running : {DType::F32, DType::BF16}) {
    const Tensor mean = Tensor::zeros({3}, running);
    const Tensor var = Tensor::full({3}, 1, running);
    batchNormUpdateStats(mean, var, batch, 1, 24);
    EXPECT_EQ(mean.dtype(), running);
    const Tolerance step = running == DType::F32 ? Tolerance{1e-6, 0} : Tolerance{0x1p-8, 0};
    EXPECT_TRUE(near(mean, batch.mean, step));
    EXPECT_TRUE(near(var, mulScalar(batch.var, 24.0 / 23), step));
  }
}

TEST(MixedNorms, RmsNormToo) {
  for (DType half : kHalves) {
    const Tensor x = leafOf({3, 7}, 1, half);
    const Tensor gamma = leafOf({7}, 2, DType::F32);
    const Tensor y = rmsNorm(x, gamma, {1e-3, 1});
    const Tensor wide = rmsNorm(converted(x, DType::F32), converted(gamma, DType::F32), {1e-3, 1});
    EXPECT_EQ(y.dtype(), half);
    EXPECT_EQ(y.toBytes(), converted(wide, half).toBytes());
    autograd::backward(sum(y));
    EXPECT_EQ(autograd::gradOf(x).dtype(), half);
    EXPECT_EQ(autograd::gradOf(gamma).dtype(), DType::F32);
  }
}

TEST(MixedNorms, OtherMixturesAreRefused) {
  const Tensor x = Tensor::full({2, 3}, 1, DType::F32);
  const auto of = [](DType dtype) { return Tensor::full({3}, 1, dtype); };
  EXPECT_EQ(errorOf([&] { layerNorm(x, of(DType::F64), {}); }),
            "[layer_norm] gamma must be f32 beside x f32, got f64");
  EXPECT_EQ(errorOf([&] { batchNormTraining(x, of(DType::F16), of(DType::F32), 1e-5); }),
            "[batch_norm] gamma must be f32 beside x f32, got f16");
  const Tensor half = Tensor::full({2, 3}, 1, DType::F16);
  EXPECT_EQ(errorOf([&] { layerNorm(half, {}, of(DType::BF16)); }),
            "[layer_norm] beta must be f16 or f32 beside x f16, got bf16");
  EXPECT_NE(errorOf([&] { groupNorm(half, 3, of(DType::F64), {}); }).find("gamma wants f16"),
            std::string::npos);
}

// PyTorch 2.15: torch.nn.RMSNorm(4, elementwise_affine=False) of these numbers, eps left at None;
// they are so small that it is eps that decides.
TEST(RmsNorm, NothingIsRefusedWhateverTheEps) {
  for (const double eps : {RmsNormParams{}.eps, 1e-5}) {
    RmsNormParams params;
    params.eps = eps;
    EXPECT_NE(errorOf([&] { rmsNorm({}, Tensor::zeros({3}), params); }).find("x is undefined"),
              std::string::npos);
  }
}

TEST(RmsNorm, EpsIsTheEpsilonOfTheTypeUnlessGiven) {
  const std::vector<double> numbers = {0.001, -0.002, 0.0005, 0.003};
  const std::pair<DType, std::vector<double>> wanted[] = {
      {DType::F64,
       {0.5298129428095064, -1.0596258856190128, 0.2649064714047532, 1.589438828428519}},
      {DType::F32,
       {0.5211650133132935, -1.042330026626587, 0.26058250665664673, 1.5634949207305908}},
      {DType::F16, {0.521484375, -1.04296875, 0.2607421875, 1.5634765625}},
      {DType::BF16, {0.51953125, -1.0390625, 0.259765625, 1.5625}}};
  for (const auto& [type, y] : wanted) {
    const Tensor x = fromNumbers(numbers, {1, 4}, type);
    const Tolerance step = type == DType::F64 ? Tolerance{1e-14, 0} : Tolerance{2e-7, 0};
    EXPECT_TRUE(near(rmsNorm(x, {}), fromNumbers(y, {1, 4}, DType::F64), step)) << dtypeName(type);
  }
  EXPECT_NE(errorOf([&] {
              rmsNorm(Tensor::zeros({1, 4}), {}, {0, 1});
            }).find("wants eps > 0"),
            std::string::npos);
}

}  // namespace
}  // namespace tenon::test
