// SPDX-License-Identifier: Apache-2.0
// Outputs and gradients of the network operators against PyTorch (tests/reference/nn.json, made by
// make_nn.py), in f64 and f32, from inputs that lie in every layout.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/autograd/autograd.h"
#include "tests/engine/ops/harness.h"
#include "tests/engine/ops/reference_cases.h"
#include "tests/support/reference_numbers.h"

namespace tenon::test {
namespace {

using reference::Json;

const Json& cases() {
  static const Json kAll = [] {
    std::ifstream file(TENON_SOURCE_DIR "/tests/reference/nn.json");
    return Json::parse(file).at("cases");
  }();
  return kAll;
}

Tensor drawn(const Shape& shape, int64_t seed, double scale, double offset, DType dtype) {
  return fromNumbers(drawnNumbers(shape.numel(), seed, scale, offset), shape, dtype);
}

Tensor numbersTensor(const Json& values, const Shape& shape) {
  return fromNumbers(values.get<std::vector<double>>(), shape, DType::F64);
}

struct Variant {
  DType dtype;
  Lay lay;
  Tolerance tolerance;
};

void checkCase(const Json& c, const Variant& variant) {
  std::vector<Tensor> inputs, leaves;
  for (const Json& in : c.at("inputs")) {
    Tensor t = drawn(reference::shapeOf(in.at("shape")), in.at("seed"), in.at("scale"),
                     in.at("offset"), variant.dtype);
    const bool differentiable = in.at("grad");  // the others may be written in place
    if (differentiable && canLie(t, variant.lay)) t = laid(t, variant.lay);
    inputs.push_back(t);
    if (!differentiable) continue;
    autograd::setRequiresGrad(t);
    leaves.push_back(t);
  }
  const auto function = reference::functions().find(c.at("op"));
  ASSERT_NE(function, reference::functions().end());
  const std::vector<Tensor> outputs = function->second(c.at("params"), inputs);
  ASSERT_EQ(outputs.size(), c.at("outputs").size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Json& wanted = c.at("outputs")[i];
    EXPECT_TRUE(near(outputs[i],
                     numbersTensor(wanted.at("values"), reference::shapeOf(wanted.at("shape"))),
                     variant.tolerance))
        << "output " << i;
  }
  const Tensor dy = drawn(outputs[0].shape(), 50, 1, 0, variant.dtype);
  const std::vector<Tensor> roots = {outputs[0]}, gradients = {dy};
  const std::vector<Tensor> grads = autograd::grad(roots, leaves, gradients);
  ASSERT_EQ(grads.size(), c.at("grads").size());
  for (size_t i = 0; i < grads.size(); ++i)
    EXPECT_TRUE(
        near(grads[i], numbersTensor(c.at("grads")[i], leaves[i].shape()), variant.tolerance))
        << "gradient " << i;
}

void checkAll(DType dtype, Tolerance tolerance) {
  EXPECT_GE(cases().size(), 213u);
  for (const Json& c : cases())
    for (Lay lay : kLays) {
      SCOPED_TRACE(c.at("op").get<std::string>() + ": " + c.at("name").get<std::string>() + ", " +
                   layName(lay));
      checkCase(c, {dtype, lay, tolerance});
    }
}

// The file holds 8 significant digits.
TEST(NnReference, F64AgreesWithPyTorch) { checkAll(DType::F64, {1e-7, 1e-9}); }

TEST(NnReference, F32AgreesWithPyTorchAtEveryLevel) {
  for (const std::string& level : levels()) {
    SCOPED_TRACE(level);
    const LevelGuard guard(level.c_str());
    checkAll(DType::F32, {2e-5, 2e-5});
  }
}

TEST(NnReference, EveryFunctionHasCases) {
  std::map<std::string, int> seen;
  for (const Json& c : cases()) ++seen[c.at("op")];
  for (const auto& [name, function] : reference::functions())
    EXPECT_GT(seen[name], 0) << name << " has no case";
}

}  // namespace
}  // namespace tenon::test
