// SPDX-License-Identifier: Apache-2.0
// What holds for every layer of the registry: words and pictures, a plan with the defaults, shapes
// as planned when it runs, finite gradients for all that is trained.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "engine/amp/autocast.h"
#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/ops/gate/cast.h"
#include "tests/engine/layers/layer_case.h"
#include "tests/support/reference_numbers.h"

namespace tenon::test {
namespace {

constexpr int64_t kBatch = 3;

/// Inputs that layers may fit: images, sequences, volumes, rows.
std::vector<PortShape> candidates(LayerTakes takes) {
  const DType type = takes == LayerTakes::Integers ? DType::I64 : DType::F32;
  return {portShape({16, 8, 8}, type), portShape({6, 16}, type), portShape({16, 4, 6, 5}, type),
          portShape({16}, type)};
}

/// Those that need a wire.
size_t inputCount(const LayerDef& def) {
  if (def.variadic) return 2;
  return def.id == "input" ? 1 : def.requiredInputs();  // it passes on what the data gives
}

/// The layer with its defaults on the first candidate that it takes.
std::optional<LayerCase> fittingCase(const LayerDef& def) {
  for (const PortShape& shape : candidates(def.takes)) {
    LayerCase layer(def.id, {}, std::vector<PortShape>(inputCount(def), shape));
    if (!hasErrors(layer.plan().issues)) return layer;
  }
  return std::nullopt;
}

Tensor inputFor(const PortShape& shape, int64_t seed) {
  Shape sizes = {kBatch};
  for (size_t a = 1; a < shape.sizes.size(); ++a) sizes.push(shape.sizes[a]);
  std::vector<double> numbers = drawnNumbers(sizes.numel(), seed, 1, 0);
  if (isFloating(shape.dtype)) return tensorOf(numbers, sizes, shape.dtype);
  for (double& number : numbers) number = std::floor(std::fabs(number * 7));
  return tensorOf(numbers, sizes, shape.dtype);
}

/// Weights as a model would make them, each with a gradient if it is trained.
std::vector<Tensor> weightsFor(const LayerPlan& plan) {
  std::vector<Tensor> weights;
  int64_t seed = 20;
  for (const WeightPlan& weight : plan.weights) {
    const double scale = weight.init.kind == Init::Kind::Uniform  ? weight.init.scale
                         : weight.init.kind == Init::Kind::Normal ? weight.init.scale
                                                                  : 0;
    const double offset = weight.init.kind == Init::Kind::Ones       ? 1
                          : weight.init.kind == Init::Kind::Constant ? weight.init.scale
                                                                     : 0;
    weights.push_back(tensorOf(drawnNumbers(weight.shape.numel(), ++seed, scale, offset),
                               weight.shape, weight.dtype));
    if (weight.trainable) autograd::setRequiresGrad(weights.back());
  }
  return weights;
}

/// A layer with graphs inside may have run only some of them.
bool mayNotHaveRun(const LayerCase& layer, const Tensor& gradient) {
  return !layer.def->slots.empty() && !gradient.defined();
}

void expectFinite(const Tensor& t, const std::string& what) {
  ASSERT_TRUE(t.defined()) << what;
  for (double number : numbersOf(t)) ASSERT_TRUE(std::isfinite(number)) << what;
}

void runOnce(const LayerCase& layer, bool training) {
  const LayerPlan plan = layer.plan();
  const std::vector<Tensor> weights = weightsFor(plan);
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < layer.shapes.size(); ++i) {
    inputs.push_back(inputFor(layer.shapes[i], static_cast<int64_t>(i) + 1));
    if (isFloating(inputs[i].dtype())) autograd::setRequiresGrad(inputs[i]);
  }
  const Tensor y = layer.run(inputs, weights, training);
  PortShape got{{y.shape().begin(), y.shape().end()}, y.dtype()};
  ASSERT_EQ(got.sizes.at(0), kBatch);
  got.sizes[0] = kFreeSize;
  EXPECT_EQ(toString(got), toString(plan.outputs.at(0)));
  EXPECT_EQ(got.dtype, plan.outputs[0].dtype);
  expectFinite(y, "output");
  autograd::backward(y, tensorOf(drawnNumbers(y.numel(), 50, 1, 0), y.shape(), DType::F32));
  for (size_t i = 0; i < weights.size(); ++i) {
    const Tensor gradient = autograd::gradOf(weights[i]);
    if (plan.weights[i].trainable && !mayNotHaveRun(layer, gradient))
      expectFinite(gradient, plan.weights[i].name);
  }
  for (const Tensor& x : inputs)
    if (x.requiresGrad()) expectFinite(autograd::gradOf(x), "input");
}

TEST(AllLayers, RunForwardAndBackwardAsPlanned) {
  for (const LayerDef* def : allLayers()) {
    SCOPED_TRACE(def->id);
    const std::optional<LayerCase> layer = fittingCase(*def);
    ASSERT_TRUE(layer.has_value()) << "its defaults fit none of the candidates";
    runOnce(*layer, true);
    runOnce(*layer, false);
  }
}

/// Inputs as a layer before gives them under autocast; weights stay in f32.
void runCast(const LayerCase& layer, DType inputs) {
  const LayerPlan plan = layer.plan();
  const std::vector<Tensor> weights = weightsFor(plan);
  std::vector<Tensor> given;
  for (size_t i = 0; i < layer.shapes.size(); ++i) {
    given.push_back(inputFor(layer.shapes[i], static_cast<int64_t>(i) + 1));
    if (isFloating(given[i].dtype())) given[i] = cast(given[i], inputs);
  }
  Tensor y;
  {
    const amp::AutocastGuard autocast(DType::BF16);
    y = layer.run(given, weights, true);
  }
  expectFinite(y, "output");
  if (!y.requiresGrad()) return;
  autograd::backward(y, tensorOf(drawnNumbers(y.numel(), 50, 1, 0), y.shape(), y.dtype()));
  for (size_t i = 0; i < weights.size(); ++i) {
    if (!plan.weights[i].trainable) continue;
    const Tensor gradient = autograd::gradOf(weights[i]);
    if (mayNotHaveRun(layer, gradient)) continue;
    expectFinite(gradient, plan.weights[i].name);
    EXPECT_EQ(gradient.dtype(), DType::F32) << plan.weights[i].name;
  }
}

TEST(AllLayers, RunUnderAutocastOnInputsOfBothTypes) {
  for (const LayerDef* def : allLayers()) {
    SCOPED_TRACE(def->id);
    const std::optional<LayerCase> layer = fittingCase(*def);
    ASSERT_TRUE(layer.has_value());
    for (const DType type : {DType::F32, DType::BF16}) {
      SCOPED_TRACE(dtypeName(type));
      runCast(*layer, type);
    }
  }
}

TEST(AllLayers, PlansAreWhole) {
  for (const LayerDef* def : allLayers()) {
    SCOPED_TRACE(def->id);
    const LayerPlan plan = fittingCase(*def)->plan();
    EXPECT_EQ(plan.outputs.size(), std::max<size_t>(def->outputs.size(), 1));
    EXPECT_GE(plan.flops, 0);
    EXPECT_LT(plan.summary.size(), 40u) << plan.summary;
    std::set<std::string> names;
    for (const WeightPlan& weight : plan.weights) {
      EXPECT_TRUE(names.insert(weight.name).second) << weight.name;
      EXPECT_GT(weight.shape.numel(), 0) << weight.name;
      EXPECT_FALSE(weight.decays && weight.name.ends_with("bias")) << weight.name;
    }
    if (def->family == LayerFamily::Convolution || def->family == LayerFamily::Recurrent) {
      EXPECT_GT(plan.flops, 0);
      EXPECT_FALSE(plan.summary.empty());
    }
  }
}

TEST(AllLayers, HaveWhatPaletteAndFormShow) {
  for (const LayerDef* def : allLayers()) {
    SCOPED_TRACE(def->id);
    EXPECT_FALSE(def->title.empty());
    EXPECT_TRUE(def->help.ends_with(".")) << def->help;
    EXPECT_FALSE(familyName(def->family).empty());
    EXPECT_TRUE(std::filesystem::exists(std::string(TENON_SOURCE_DIR "/resources/icons/") +
                                        def->icon + ".svg"))
        << def->icon;
    for (const ParamSpec& spec : def->schema) {
      EXPECT_TRUE(spec.help.ends_with(".")) << spec.name << ": " << spec.help;
      EXPECT_FALSE(spec.labelText().empty()) << spec.name;
    }
  }
}

/// A layer on whatever it gets says what is wrong or what it gives, and never throws.
TEST(AllLayers, AnswerEveryShape) {
  const PortShape none{{kFreeSize}, DType::F32}, huge = portShape({1, 1, 1, 1, 1, 1});
  for (const LayerDef* def : allLayers()) {
    SCOPED_TRACE(def->id);
    for (const PortShape& shape :
         {none, huge, portShape({0, 0}), portShape({1}), portShape({1, 1})})
      for (const PortShape& other : {shape, portShape({3, 2, 5})}) {
        std::vector<PortShape> shapes(inputCount(*def), shape);
        shapes.back() = other;
        const LayerCase layer(def->id, {}, shapes);
        const LayerPlan plan = layer.plan();
        EXPECT_TRUE(hasErrors(plan.issues) || !plan.outputs.empty());
        for (const Issue& issue : plan.issues) EXPECT_FALSE(issueLine(issue).empty());
      }
  }
}

/// Nothing can be learned of inputs without elements, unless the weights do not follow their sizes.
TEST(AllLayers, MakeNoWeightsWithoutElements) {
  size_t checked = 0;
  for (const LayerDef* def : allLayers()) {
    if (fittingCase(*def)->plan().weights.empty()) continue;
    SCOPED_TRACE(def->id);
    const PortShape empty = portShape({0, 0}, candidates(def->takes)[0].dtype);
    const LayerCase layer(def->id, {}, std::vector<PortShape>(inputCount(*def), empty));
    const LayerPlan plan = layer.plan();
    ++checked;
    if (hasErrors(plan.issues)) continue;
    for (const WeightPlan& weight : plan.weights) EXPECT_GT(weight.shape.numel(), 0) << weight.name;
  }
  EXPECT_GE(checked, 20u);
}

}  // namespace
}  // namespace tenon::test
