// SPDX-License-Identifier: Apache-2.0
// Layers with graphs inside of them, while they run: values and gradients by hand and beside flat
// models, what decides, and what is recorded.
#include <gtest/gtest.h>

#include <set>

#include "engine/amp/autocast.h"
#include "engine/observe/step_recorder.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/optim/optimizer_def.h"
#include "tests/engine/graph/flow_fixture.h"

namespace tenon::testing {
namespace {

using Names = std::vector<std::string>;

NodeSpec repeatNode(const GraphPtr& body, const ParamMap& params) {
  return {"again", "repeat", params, {{"body", body}}};
}

Tensor row(const Floats& values) {
  return Tensor::fromValues<float>(values, {1, static_cast<int64_t>(values.size())});
}

/// A body of one factor: x -> w x.
GraphPtr factor() { return chain({linearNode("fc", 1)}); }

TEST(Flow, ASequentialIsTheFlatModel) {
  const std::vector<NodeSpec> layers = {
      linearNode("one", 5, true), {"act", "relu", {}}, linearNode("two", 3, true)};
  const Model flat = modelOf(layers, 4, 9);
  const Model nested = modelOf({{"block", "sequential", {}, {{"body", chain(layers)}}}}, 4, 9);
  EXPECT_EQ(namesIn(nested),
            (Names{"block.one.weight", "block.one.bias", "block.two.weight", "block.two.bias"}));
  EXPECT_EQ(nested.tensors()[0].layer, "block.one");
  EXPECT_FALSE(nested.tensors()[1].decays);
  const Tensor x = Tensor::fromValues<float>({1, -2, 3, 0.5F, 0.25F, 4, -1, 2}, {2, 4});
  const Tensor a = flat.forward(x, true);
  const Tensor b = nested.forward(x, true);
  EXPECT_EQ(a.toVector<float>(), b.toVector<float>());
  autograd::backward(sum(a));
  autograd::backward(sum(b));
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(flat.tensors()[i].tensor.toVector<float>(),
              nested.tensors()[i].tensor.toVector<float>());
    EXPECT_EQ(autograd::gradOf(flat.tensors()[i].tensor).toVector<float>(),
              autograd::gradOf(nested.tensors()[i].tensor).toVector<float>());
  }
  EXPECT_EQ(flat.graph().totals.parameters, nested.graph().totals.parameters);
  EXPECT_EQ(flat.graph().totals.flops, nested.graph().totals.flops);
  EXPECT_EQ(flat.graph().totals.activationBytesPerSample,
            nested.graph().totals.activationBytesPerSample);
}

TEST(Flow, AResidualAddsItsInput) {
  const Model model =
      modelOf({{"block", "residual", {}, {{"body", chain({linearNode("fc", 2)})}}}}, 2);
  setWeight(model, "block.fc.weight", {1, 2, 3, 4});
  const Tensor x = row({5, 6});
  autograd::setRequiresGrad(x);
  const Tensor y = model.forward(x, true);
  // x + x W^T = (5 + 5 + 12, 6 + 15 + 24)
  EXPECT_EQ(y.toVector<float>(), (Floats{22, 45}));
  autograd::backward(sum(y));
  EXPECT_EQ(autograd::gradOf(x).toVector<float>(), (Floats{1 + 1 + 3, 1 + 2 + 4}));
  EXPECT_EQ(gradientIn(model, "block.fc.weight"), (Floats{5, 6, 5, 6}));
}

TEST(Flow, AShortcutBringsTheInputToTheBodysShape) {
  const Model model = modelOf(
      {{"block",
        "residual",
        {},
        {{"body", chain({linearNode("fc", 3)})}, {"shortcut", chain({linearNode("fc", 3)})}}}},
      1);
  EXPECT_EQ(namesIn(model), (Names{"block.fc.weight", "block.shortcut.fc.weight"}));
  setWeight(model, "block.fc.weight", {1, 2, 3});
  setWeight(model, "block.shortcut.fc.weight", {10, 20, 30});
  EXPECT_EQ(model.forward(row({2}), false).toVector<float>(), (Floats{22, 44, 66}));
  EXPECT_EQ(model.graph().totals.parameters, 6);
  EXPECT_EQ(model.graph().totals.flops, 2 * 6 + 3);
}

TEST(Flow, ARepeatSharesItsWeights) {
  const Model model = modelOf({repeatNode(factor(), {{"times", int64_t{3}}})}, 1);
  EXPECT_EQ(namesIn(model), (Names{"again.fc.weight"}));
  setWeight(model, "again.fc.weight", {2});
  const Tensor y = model.forward(row({5}), true);
  EXPECT_EQ(y.toVector<float>(), (Floats{40}));  // w^3 x
  autograd::backward(sum(y));
  EXPECT_EQ(gradientIn(model, "again.fc.weight"), (Floats{60}));  // 3 w^2 x
  EXPECT_EQ(model.graph().totals.flops, 6);
  EXPECT_EQ(model.graph().totals.parameters, 1);
}

TEST(Flow, TurnsMayHaveWeightsOfTheirOwn) {
  const Model model =
      modelOf({repeatNode(factor(), {{"times", int64_t{3}}, {"shared_weights", false}})}, 1);
  EXPECT_EQ(namesIn(model), (Names{"again.0.fc.weight", "again.1.fc.weight", "again.2.fc.weight"}));
  const Floats factors = {2, 3, 4};
  for (size_t turn = 0; turn < 3; ++turn) setWeight(model, namesIn(model)[turn], {factors[turn]});
  Calls calls;
  Tensor y;
  {
    const gate::ListenerGuard listening(calls);
    y = model.forward(row({5}), true);
  }
  EXPECT_EQ(y.toVector<float>(), (Floats{120}));
  EXPECT_EQ(calls.count("again.1.fc linear"), 1);
  autograd::backward(sum(y));
  EXPECT_EQ(gradientIn(model, "again.0.fc.weight"), (Floats{60}));
  EXPECT_EQ(gradientIn(model, "again.1.fc.weight"), (Floats{40}));
  EXPECT_EQ(gradientIn(model, "again.2.fc.weight"), (Floats{30}));
}

/// Turns of 40 calls of a repeat that draws 2 to 5.
std::vector<int> drawnTurns(const Model& model, Generator& generator) {
  const gate::GeneratorGuard drawing(generator);
  std::vector<int> turns;
  turns.reserve(40);
  for (int i = 0; i < 40; ++i) {
    Calls calls;
    const gate::ListenerGuard listening(calls);
    model.forward(row({1}), true);
    turns.push_back(static_cast<int>(calls.count("again.fc linear")));
  }
  return turns;
}

TEST(Flow, ARandomRepeatDrawsFromTheGenerator) {
  const Model model = modelOf({repeatNode(factor(), {{"times", int64_t{5}},
                                                     {"at_least", int64_t{2}},
                                                     {"decides", std::string("random")}})},
                              1);
  Generator first{.seed = 3};
  const std::vector<int> turns = drawnTurns(model, first);
  EXPECT_EQ(std::set<int>(turns.begin(), turns.end()), (std::set<int>{2, 3, 4, 5}));
  Generator again{.seed = 3};
  EXPECT_EQ(drawnTurns(model, again), turns);
  Generator other{.seed = 4};
  EXPECT_NE(drawnTurns(model, other), turns);
  // A generator put back to a call, as by a checkpoint, goes on as it did.
  Generator resumed{.seed = 3, .calls = again.calls / 2};
  const std::vector<int> rest = drawnTurns(model, resumed);
  EXPECT_TRUE(std::equal(turns.begin() + 20, turns.end(), rest.begin()));
  setWeight(model, "again.fc.weight", {2});
  EXPECT_EQ(model.forward(row({1}), false).toVector<float>(), (Floats{32}));  // all turns
}

TEST(Flow, ARepeatStopsOnceItSettles) {
  const Model model = modelOf({repeatNode(factor(), {{"times", int64_t{10}},
                                                     {"decides", std::string("settles")},
                                                     {"tolerance", 0.2}})},
                              1);
  setWeight(model, "again.fc.weight", {0.5F});
  // Changes of 1/2, 1/4, 1/8: the third is below the tolerance.
  EXPECT_EQ(model.forward(row({1}), true).toVector<float>(), (Floats{0.125F}));
  // 4, 2, 1, 1/2, 1/4, 1/8
  const Tensor y = model.forward(row({8}), false);
  EXPECT_EQ(y.toVector<float>(), (Floats{0.125F}));
  autograd::backward(sum(y));
  EXPECT_EQ(gradientIn(model, "again.fc.weight"), (Floats{8 * 6 * 0.03125F}));  // 6 w^5 x
  setWeight(model, "again.fc.weight", {2});
  EXPECT_EQ(model.forward(row({1}), false).toVector<float>(), (Floats{1024}));  // never
}

Model conditionModel(const ParamMap& params, bool withElse = true) {
  NodeSpec node{"way", "condition", params, {{"then", factor()}}};
  if (withElse) node.graphs["else"] = factor();
  Model model = modelOf({node}, 1);
  setWeight(model, "way.then.fc.weight", {10});
  if (withElse) setWeight(model, "way.else.fc.weight", {100});
  return model;
}

TEST(Flow, TrainingDecides) {
  const Model model = conditionModel({});
  EXPECT_EQ(model.forward(row({2}), true).toVector<float>(), (Floats{20}));
  EXPECT_EQ(model.forward(row({2}), false).toVector<float>(), (Floats{200}));
  EXPECT_EQ(conditionModel({}, false).forward(row({2}), false).toVector<float>(), (Floats{2}));
}

TEST(Flow, TheMeanOfTheInputDecides) {
  const Model model = conditionModel({{"decides", std::string("mean_above")}, {"threshold", 0.5}});
  const auto answer = [&model](const Floats& x) {
    return model.forward(Tensor::fromValues<float>(x, {2, 1}), true).toVector<float>();
  };
  EXPECT_EQ(answer({0, 2}), (Floats{0, 20}));
  EXPECT_EQ(answer({0, 1}), (Floats{0, 100}));  // a mean of 0.5 is not above it
}

TEST(Flow, ARandomNumberDecidesInTraining) {
  const auto taken = [](double probability, bool training) {
    Generator generator{.seed = 1};
    const gate::GeneratorGuard drawing(generator);
    const Model model =
        conditionModel({{"decides", std::string("random")}, {"probability", probability}});
    int then = 0;
    for (int i = 0; i < 200; ++i)
      then += model.forward(row({1}), training).toVector<float>() == Floats{10} ? 1 : 0;
    return then;
  };
  EXPECT_EQ(taken(0, true), 0);
  EXPECT_EQ(taken(1, true), 200);
  EXPECT_NEAR(taken(0.25, true), 50, 25);  // 4 standard deviations
  EXPECT_EQ(taken(0, false), 200);
}

TEST(Flow, OnlyTheBranchTakenIsRecorded) {
  const Model model = conditionModel({{"decides", std::string("mean_above")}});
  const Tensor x = row({-1});
  StepRecorder recorder(1);
  const Tensor loss = sum(model.forward(x, true));
  recorder.captureGraph(loss);
  autograd::backward(loss);
  const GraphRecording graph = recorder.finish().graph;
  int linears = 0;
  for (const RecordedNode& node : graph.nodes) {
    EXPECT_FALSE(node.layer.starts_with("way.then")) << node.op;
    if (node.kind != RecordedKind::Forward || node.op != "linear") continue;
    ++linears;
    EXPECT_EQ(node.layer, "way.else.fc");
  }
  EXPECT_EQ(linears, 1);
  EXPECT_EQ(gradientIn(model, "way.then.fc.weight"), Floats());
  EXPECT_EQ(gradientIn(model, "way.else.fc.weight"), (Floats{-1}));
}

TEST(Flow, AWeightWithoutAGradientIsLeftAlone) {
  for (const OptimizerDef* def : allOptimizers()) {
    SCOPED_TRACE(def->id);
    const Model model = conditionModel({{"decides", std::string("mean_above")}});
    std::vector<OptimizedParameter> parameters;
    parameters.reserve(model.tensors().size());
    for (const NamedTensor& named : model.parameters())
      parameters.push_back({named.name, named.tensor, named.decays});
    ParamMap params = def->schema.defaults();
    if (def->schema.find("weight_decay")) params.set("weight_decay", 0.5);
    const auto optimizer = def->make(params, parameters);
    const auto stepOn = [&](float x) {
      zeroGrad(parameters);
      autograd::backward(sum(model.forward(row({x}), true)));
      optimizer->step(0.1);
    };
    stepOn(1);
    const Floats then = tensorIn(model, "way.then.fc.weight").toVector<float>();
    const Floats other = tensorIn(model, "way.else.fc.weight").toVector<float>();
    EXPECT_NE(then, Floats{10});
    EXPECT_EQ(other, Floats{100});
    std::map<std::string, std::vector<float>> states;
    for (const OptimizerState& state : optimizer->state())
      if (state.name.starts_with("way.then")) states[state.name] = state.tensor.toVector<float>();
    stepOn(-1);
    EXPECT_EQ(tensorIn(model, "way.then.fc.weight").toVector<float>(), then);
    EXPECT_NE(tensorIn(model, "way.else.fc.weight").toVector<float>(), other);
    for (const OptimizerState& state : optimizer->state()) {
      if (!state.name.starts_with("way.then")) continue;
      EXPECT_EQ(states[state.name], state.tensor.toVector<float>()) << state.name;
    }
  }
}

TEST(Flow, ALayerMayStayInF32WithinATrainingIn16Bits) {
  const auto block = [](const std::string& id, const std::string& precision) {
    return NodeSpec{id, "sequential", {}, {{"body", chain({linearNode("fc", 2)})}}, precision};
  };
  const Model model = modelOf({block("low", ""), block("exact", "f32"), block("last", "")}, 2);
  Calls calls;
  {
    const gate::ListenerGuard listening(calls);
    const amp::AutocastGuard autocast(DType::BF16);
    const Tensor y = model.forward(row({1, 2}), true);
    EXPECT_EQ(y.dtype(), DType::BF16);
    autograd::backward(sum(cast(y, DType::F32)));
  }
  EXPECT_EQ(calls.typeOf("low.fc linear"), DType::BF16);
  EXPECT_EQ(calls.typeOf("exact.fc linear"), DType::F32);
  EXPECT_EQ(calls.typeOf("last.fc linear"), DType::BF16);
  for (const NamedTensor& named : model.tensors())
    EXPECT_EQ(autograd::gradOf(named.tensor).dtype(), DType::F32) << named.name;
  // Without autocast nothing is cast.
  Calls plain;
  const gate::ListenerGuard listening(plain);
  model.forward(row({1, 2}), true);
  EXPECT_EQ(std::count_if(plain.lines.begin(), plain.lines.end(),
                          [](const std::string& line) { return line.ends_with(" cast"); }),
            0);
}

TEST(Flow, ErrorsNameThePath) {
  const Model model =
      Model(checkGraph(*chain({{"block",
                                "sequential",
                                {},
                                {{"body", chain({{"table",
                                                  "embedding",
                                                  {{"num_embeddings", int64_t{4}},
                                                   {"embedding_dim", int64_t{2}}}}})}}}}),
                       {{{kFreeSize, 3}, DType::I64}, 0}),
            1);
  try {
    model.forward(Tensor::fromValues<int64_t>({0, 1, 9}, {1, 3}), true);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("layer 'block.table'"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace tenon::testing
