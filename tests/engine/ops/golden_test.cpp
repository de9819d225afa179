// SPDX-License-Identifier: Apache-2.0
// Operators and their gradients against PyTorch: tests/reference/ops.json, made by make_ops.py.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/autograd/autograd.h"
#include "engine/ops/optimizer/optimizer.h"
#include "tests/engine/ops/golden.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

using namespace golden;  // NOLINT: what the cases call

const Json& cases() {
  static const Json kAll = [] {
    std::ifstream file(TENON_SOURCE_DIR "/tests/reference/ops.json");
    return Json::parse(file).at("cases");
  }();
  return kAll;
}

Tensor tensorIn(const Json& json, DType floating) {
  const DType dtype = json.at("type") == "i64" ? DType::I64 : floating;
  return fromNumbers(numbersIn(json.at("data")), shapeIn(json.at("shape")), dtype);
}

void compareCase(const Json& json, DType dtype) {
  const auto function = functions().find(json.at("op"));
  ASSERT_NE(function, functions().end());
  Inputs inputs;
  for (const Json& input : json.at("inputs")) {
    inputs.push_back(tensorIn(input, dtype));
    if (inputs.back().dtype() == dtype) autograd::setRequiresGrad(inputs.back());
  }
  const Tensor y = function->second(inputs, json.at("args"));
  const Tolerance tolerance = dtype == DType::F64 ? Tolerance{1e-10, 1e-11} : Tolerance{2e-6, 1e-5};
  EXPECT_TRUE(near(y, tensorIn(json.at("output"), DType::F64), tolerance));
  if (!json.contains("dy")) return;
  autograd::backward(y, fromNumbers(numbersIn(json.at("dy")), y.shape(), dtype));
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Json& wanted = json.at("grads")[i];
    const Tensor grad = autograd::gradOf(inputs[i]);
    ASSERT_EQ(grad.defined(), !wanted.is_null());
    if (grad.defined()) {
      EXPECT_TRUE(
          near(grad, fromNumbers(numbersIn(wanted), inputs[i].shape(), DType::F64), tolerance))
          << "gradient " << i;
    }
  }
}

TEST(Golden, ValuesAndGradientsAreThoseOfPyTorch) {
  std::map<std::string, int> seen;
  for (const Json& json : cases()) {
    if (!json.contains("op")) continue;
    for (DType dtype : {DType::F64, DType::F32}) {
      SCOPED_TRACE(json.at("op").get<std::string>() + " " + json.at("args").dump() + " " +
                   std::string(dtypeName(dtype)));
      compareCase(json, dtype);
    }
    ++seen[json.at("op")];
  }
  for (const auto& [name, function] : functions())
    EXPECT_GT(seen[name], 0) << name << " has no case";
}

Tensor sgdScalars(const Json& args, int step, DType dtype) {
  return fromNumbers({args.at("lr"), args.at("decay"), args.at("momentum"),
                      1 - args.at("dampening").get<double>(), step == 1 ? 1.0 : 0.0, 1, 0, 0},
                     {kStepScalars}, dtype);
}

Tensor adamScalars(const Json& args, int step, bool decoupled, DType dtype) {
  const double rate = args.at("lr");
  const double beta1 = args.at("beta1");
  const double beta2 = args.at("beta2");
  const double decay = args.at("decay");
  return fromNumbers(
      {rate / (1 - std::pow(beta1, step)), decoupled ? 1 - rate * decay : decay, 1 - beta1, beta2,
       1 - beta2, args.at("eps"), 1 / std::sqrt(1 - std::pow(beta2, step)), 1},
      {kStepScalars}, dtype);
}

void compareSteps(const Json& json, DType dtype) {
  const std::string kind = json.at("optimizer");
  const Json& args = json.at("args");
  const Tensor p = tensorIn(json.at("parameter"), dtype);
  const Tensor m = Tensor::zeros(p.shape(), dtype);
  const Tensor v = Tensor::zeros(p.shape(), dtype);
  for (size_t i = 0; i < json.at("gradients").size(); ++i) {
    const Tensor g = fromNumbers(numbersIn(json.at("gradients")[i]), p.shape(), dtype);
    const int step = static_cast<int>(i) + 1;
    if (kind == "sgd") {
      const bool momentum = args.at("momentum") != 0;
      sgdStep(sgdScalars(args, step, dtype), std::vector{SgdSlot{p, g, momentum ? m : Tensor()}},
              {momentum, args.at("nesterov").get<bool>(), args.at("maximize").get<bool>()});
    } else {
      const bool decoupled = kind == "adamw";
      adamStep(adamScalars(args, step, decoupled, dtype), std::vector{AdamSlot{p, g, m, v}},
               {decoupled, args.at("maximize").get<bool>()});
    }
    const Tensor wanted = fromNumbers(numbersIn(json.at("after")[i]), p.shape(), DType::F64);
    EXPECT_TRUE(
        near(p, wanted, dtype == DType::F64 ? Tolerance{1e-10, 1e-11} : Tolerance{2e-6, 1e-6}))
        << "step " << step;
  }
}

TEST(Golden, OptimizerStepsAreThoseOfPyTorch) {
  int seen = 0;
  for (const Json& json : cases()) {
    if (!json.contains("optimizer")) continue;
    SCOPED_TRACE(json.at("optimizer").get<std::string>() + " " + json.at("args").dump());
    compareSteps(json, DType::F64);
    compareSteps(json, DType::F32);
    ++seen;
  }
  EXPECT_EQ(seen, 8);
}

}  // namespace
}  // namespace tenon::test
