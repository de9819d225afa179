// SPDX-License-Identifier: Apache-2.0
// Every layer against PyTorch (tests/reference/layers.json, made by make_layers.py): planned shapes
// and weights, outputs, gradients, changed buffers, in f64 and f32.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/ops/copy/copy.h"
#include "tests/engine/layers/layer_case.h"
#include "tests/support/reference_numbers.h"

namespace tenon::test {
namespace {

using Reference = nlohmann::json;

Shape shapeOf(const Reference& sizes) {
  return Shape(std::span<const int64_t>(sizes.get<std::vector<int64_t>>()));
}

/// A drawn tensor, or whole numbers as i64 or bools; undefined for a port without a wire.
Tensor tensorFor(const Reference& spec, DType dtype) {
  if (spec.contains("open")) return {};
  const Shape shape = shapeOf(spec.at("shape"));
  if (spec.contains("numbers")) {
    const Tensor numbers =
        Tensor::fromValues(spec.at("numbers").get<std::vector<int64_t>>(), shape);
    return spec.contains("type") ? to(numbers, dtypeFromName(spec.at("type").get<std::string>()))
                                 : numbers;
  }
  return tensorOf(drawnNumbers(shape.numel(), spec.at("seed"), spec.value("scale", 1.0),
                               spec.value("offset", 0.0)),
                  shape, dtype);
}

PortShape portOf(const Tensor& t) {
  if (!t.defined()) return {};
  return portShape({t.shape().begin() + 1, t.shape().end()}, t.dtype());
}

void expectNear(const Tensor& got, const Reference& wanted, double tolerance,
                const std::string& what) {
  const std::vector<double> values = wanted, numbers = numbersOf(got);
  ASSERT_EQ(numbers.size(), values.size()) << what;
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_NEAR(numbers[i], values[i], tolerance * (1 + std::fabs(values[i])))
        << what << ", element " << i;
}

/// What a case is run with.
struct Operands {
  std::vector<Tensor> inputs, weights, leaves;
};

Tensor leafOf(const Reference& spec, DType dtype, std::vector<Tensor>& leaves) {
  Tensor t = tensorFor(spec, dtype);
  if (!spec.value("grad", false)) return t;
  autograd::setRequiresGrad(t);
  leaves.push_back(t);
  return t;
}

/// Weights as the plan orders them; its names, shapes and what is trained must be PyTorch's.
void takeWeights(const Reference& c, const LayerPlan& plan, DType dtype, Operands& operands) {
  std::map<std::string, Tensor> byName;
  for (const Reference& spec : c.at("weights")) {
    const std::string name = spec.at("name");
    byName[name] = leafOf(spec, dtype, operands.leaves);
  }
  ASSERT_EQ(byName.size(), plan.weights.size());
  for (const WeightPlan& weight : plan.weights) {
    ASSERT_TRUE(byName.contains(weight.name)) << weight.name;
    const Tensor& t = byName.at(weight.name);
    EXPECT_EQ(t.shape(), weight.shape) << weight.name;
    EXPECT_EQ(t.requiresGrad(), weight.trainable) << weight.name;
    operands.weights.push_back(t);
  }
}

/// The gradient of output k is drawn with the seed 50 + k.
void checkGradients(const Reference& c, const std::vector<Tensor>& roots, const Operands& operands,
                    double tolerance) {
  ASSERT_EQ(operands.leaves.size(), c.at("grads").size());
  if (operands.leaves.empty()) return;
  std::vector<Tensor> gradients;
  gradients.reserve(roots.size());
  for (const Tensor& y : roots)
    gradients.push_back(
        tensorOf(drawnNumbers(y.numel(), 50 + static_cast<int64_t>(gradients.size()), 1, 0),
                 y.shape(), y.dtype()));
  const std::vector<Tensor> grads = autograd::grad(roots, operands.leaves, gradients);
  for (size_t i = 0; i < grads.size(); ++i)
    expectNear(grads[i], c.at("grads")[i], tolerance, "gradient " + std::to_string(i));
}

void checkOutput(const Tensor& y, const PortShape& planned, const Reference& wanted,
                 double tolerance, const std::string& what) {
  ASSERT_EQ(y.shape(), shapeOf(wanted.at("shape"))) << what;
  EXPECT_EQ(toString(portOf(y)), toString(planned)) << what;
  expectNear(y, wanted.at("values"), tolerance, what);
}

/// Those that the case has; of layers with more it may be the first alone.
std::vector<Tensor> outputsOf(const Reference& c, const LayerCase& layer,
                              const Operands& operands) {
  if (c.contains("further"))
    return layer.runAll(operands.inputs, operands.weights, c.at("training"));
  return {layer.run(operands.inputs, operands.weights, c.at("training"))};
}

void checkCase(const Reference& c, DType dtype, double tolerance) {
  Operands operands;
  std::vector<PortShape> shapes;
  for (const Reference& spec : c.at("inputs")) {
    operands.inputs.push_back(leafOf(spec, dtype, operands.leaves));
    shapes.push_back(portOf(operands.inputs.back()));
  }
  const LayerCase layer(c.at("layer"), paramsOf(c.at("params")), shapes);
  const LayerPlan plan = layer.plan();
  ASSERT_FALSE(hasErrors(plan.issues)) << layer.issue();
  takeWeights(c, plan, dtype, operands);
  const std::vector<Tensor> outputs = outputsOf(c, layer, operands);
  checkOutput(outputs[0], plan.outputs.at(0), c.at("output"), tolerance, "output");
  for (size_t i = 1; i < outputs.size(); ++i)
    checkOutput(outputs[i], plan.outputs.at(i), c.at("further").at(i - 1), tolerance,
                "output " + std::to_string(i));
  checkGradients(c, outputs, operands, tolerance);
  for (size_t i = 0; i < plan.weights.size(); ++i)
    if (!plan.weights[i].trainable)
      expectNear(operands.weights[i], c.at("buffers").at(plan.weights[i].name), tolerance,
                 plan.weights[i].name);
}

void checkAll(DType dtype, double tolerance) {
  EXPECT_GE(layerReference("cases").size(), 270u);
  for (const Reference& c : layerReference("cases")) {
    SCOPED_TRACE(c.at("layer").get<std::string>() + ": " + c.at("name").get<std::string>());
    checkCase(c, dtype, tolerance);
  }
}

// The file holds 8 significant digits.
TEST(LayerReference, F64AgreesWithPyTorch) { checkAll(DType::F64, 1e-7); }

TEST(LayerReference, F32AgreesWithPyTorch) { checkAll(DType::F32, 2e-5); }

TEST(LayerReference, EveryLayerHasCases) {
  std::set<std::string> seen;
  for (const Reference& c : layerReference("cases")) seen.insert(c.at("layer"));
  for (const LayerDef* layer : allLayers()) {
    if (!layer->slots.empty()) continue;  // compared with models without them: graph/flow_test.cpp
    EXPECT_TRUE(seen.contains(layer->id)) << layer->id << " has no case";
  }
}

}  // namespace
}  // namespace tenon::test
