// SPDX-License-Identifier: Apache-2.0
// Trainings of models that decide while running: going on bit for bit after a stop, and steps in
// which no layer with weights ran.
#include <gtest/gtest.h>

#include "engine/autograd/autograd.h"
#include "engine/store/events.h"
#include "engine/train/run_setup.h"
#include "engine/train/run_state.h"
#include "engine/train/weight_update.h"
#include "tests/engine/train/train_fixture.h"
#include "tests/support/graph_chain.h"

namespace tenon::testing {
namespace {

class FlowTraining : public TrainFixture {
 protected:
  void useGraph(const std::vector<NodeSpec>& nodes) { project.graph = chain(nodes); }

  RunState stateAt(RunId run) {
    return stateOf(store->checkpoints().load(store->checkpoints().newestWhole(run)->id));
  }
  std::vector<double> lossesOf(RunId run) {
    const auto rows = curve(*store, run, "train/loss");
    std::vector<double> losses;
    losses.reserve(rows.size());
    for (const auto& [step, loss] : rows) losses.push_back(loss);
    return losses;
  }
};

/// A repeat and a condition that draw, around the layers that classify.
std::vector<NodeSpec> drawingNodes() {
  const GraphPtr body = chain({linearNode("fc", 16, true), {"act", "tanh", {}}});
  return {{"flat", "flatten", {}},
          linearNode("first", 16, true),
          {"again",
           "repeat",
           {{"times", int64_t{4}}, {"decides", std::string("random")}},
           {{"body", body}}},
          {"way",
           "condition",
           {{"decides", std::string("random")}},
           {{"then", chain({linearNode("fc", 16), {"drop", "dropout", {}}})}}},
          linearNode("last", 4, true)};
}

TEST_F(FlowTraining, GoesOnBitForBitAfterAStop) {
  open(R"("epochs": 3, )");
  useGraph(drawingNodes());
  checkResumes({1, 5, 6, 11});
}

TEST_F(FlowTraining, LearnsAndTellsOtherRunsApartByTheirSeed) {
  open(R"("epochs": 8, )");
  useGraph(drawingNodes());
  const TrainResult a = run(project);
  EXPECT_EQ(a.status, RunStatus::Finished);
  const std::vector<double> losses = lossesOf(a.run);
  EXPECT_LT(losses.back(), 0.5 * losses.front());
  EXPECT_EQ(lossesOf(run(project).run), losses);
  change([](TrainSpec& train) { train.seed = 6; });
  EXPECT_NE(lossesOf(run(project).run), losses);
}

/// Half of the steps go a way without weights.
std::vector<NodeSpec> halfWithoutWeights() {
  const GraphPtr bare =
      chain({{"pool", "adaptive_avg_pool2d", {{"output_size", std::vector<int64_t>{2, 2}}}},
             {"flat", "flatten", {}}});
  const GraphPtr trained = chain({{"flat", "flatten", {}}, linearNode("fc", 4, true)});
  return {{"way",
           "condition",
           {{"decides", std::string("random")}},
           {{"then", trained}, {"else", bare}}}};
}

TEST_F(FlowTraining, AStepThatRanNoWeightsIsAStep) {
  for (const char* precision : {"f32", "f16"}) {
    SCOPED_TRACE(precision);
    open(R"("epochs": 4, )");
    useGraph(halfWithoutWeights());
    change([precision](TrainSpec& train) {
      train.precision = precision;
      train.clipNorm = 1;
      train.emaDecay = 0.9;
    });
    const TrainResult result = run(project);
    EXPECT_EQ(result.status, RunStatus::Finished);
    EXPECT_EQ(result.step, 24);
    const std::vector<std::pair<int64_t, double>> norms =
        curve(*store, result.run, "train/grad_norm");
    EXPECT_EQ(norms.size(), 24U);
    const auto without = std::count_if(norms.begin(), norms.end(),
                                       [](const auto& each) { return each.second == 0; });
    EXPECT_GT(without, 4);
    EXPECT_LT(without, 20);
    EXPECT_EQ(stateAt(result.run).skipped, 0);
    for (const Event& event : store->events().read(result.run))
      EXPECT_NE(event.code, "train.step-skipped");
  }
}

TEST_F(FlowTraining, WithoutWeightsAtAllTheLossStillCounts) {
  open(R"("epochs": 1, "accumulate": 2, )");
  useGraph(halfWithoutWeights());
  auto graph = std::make_shared<GraphSpec>(*project.graph);
  NodeSpec way = *graph->nodes[1];
  way.params.set("probability", 0.0);
  graph->nodes[1] = std::make_shared<NodeSpec>(way);
  project.graph = graph;
  const TrainResult result = run(project);
  EXPECT_EQ(result.status, RunStatus::Finished);
  EXPECT_EQ(result.step, 3);
  for (const double loss : lossesOf(result.run)) EXPECT_GT(loss, 0);
}

TEST_F(FlowTraining, AnUpdateWithoutGradientsChangesNoWeight) {
  open(R"("epochs": 1, )");
  useGraph(halfWithoutWeights());
  change([](TrainSpec& train) {
    train.precision = "f16";
    train.optimizer = {"adamw", {{"lr", 0.1}, {"weight_decay", 0.5}}};
  });
  const RunSetup setup = setUpModel(project, folder.path());
  WeightUpdate update(*project.train, optimizerPlan(*project.train, 6), *setup.model);
  const std::vector<float> before = setup.model->tensors()[0].tensor.toVector<float>();
  for (int i = 0; i < 3; ++i) {
    update.begin();
    EXPECT_TRUE(update.step(0.1).made);
  }
  EXPECT_EQ(setup.model->tensors()[0].tensor.toVector<float>(), before);
  EXPECT_EQ(update.scaler().scaleFactor(), 65536);
  EXPECT_EQ(update.scaler().growthTracker(), 0);
}

TEST_F(FlowTraining, NamesOfInnerWeightsAreKnownBeforeARun) {
  open(R"("epochs": 1, )");
  useGraph(halfWithoutWeights());
  const auto issues = [this](const std::string& group) {
    change([&group](TrainSpec& train) {
      train.optimizer.params.set("groups", std::vector<std::string>{group});
    });
    std::string all;
    for (const Issue& issue : checkProject(project, folder.path())) all += issueLine(issue) + "\n";
    return all;
  };
  EXPECT_EQ(issues("way.then.fc.weight lr_factor=0.5"), "");
  EXPECT_EQ(issues("way.then.*.bias lr_factor=0.5"), "");
  EXPECT_NE(issues("way.fc.weight lr_factor=0.5").find("way.fc.weight"), std::string::npos);
}

TEST_F(FlowTraining, IssuesInsideAreToldOnceAndAtTheirPlace) {
  open(R"("epochs": 1, )");
  useGraph({{"block",
             "sequential",
             {},
             {{"body", chain({{"fc", "lineer", {}}, {"act", "relu", {{"slope", 2.0}}}})}}},
            {"empty", "residual", {}}});
  std::string all;
  for (const Issue& issue : checkProject(project, folder.path()))
    all += issue.place.node + " " + issue.place.field + "\n";
  EXPECT_EQ(all,
            "block graphs.body.nodes.fc.type\n"
            "block graphs.body.nodes.act.slope\n"
            "empty graphs\n");
}

}  // namespace
}  // namespace tenon::testing
