// SPDX-License-Identifier: Apache-2.0
// Trainings in bf16 and f16: that they learn in those types, steps that are left out, and going on
// bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "engine/autograd/autograd.h"
#include "engine/ops/gate/gate.h"
#include "engine/store/events.h"
#include "engine/train/run_setup.h"
#include "engine/train/run_state.h"
#include "engine/train/weight_update.h"
#include "tests/engine/train/train_fixture.h"

namespace tenon::testing {
namespace {

class Precision : public TrainFixture {
 protected:
  /// Pixels up to 16, so that gradients of f16 overflow while the loss has its first
  /// scale.
  void makeLoud() {
    DataSpec data = *project.data;
    std::erase_if(data.transforms, [](const PartSpec& part) { return part.type != "random_flip"; });
    data.transforms.insert(data.transforms.begin(), PartSpec{"scale", {{"divide_by", 16.0}}});
    project.data = std::make_shared<DataSpec>(std::move(data));
    GraphSpec graph = *project.graph;  // no statistics of batches, which see what f16 cannot hold
    for (auto& node : graph.nodes)
      if (node->id == "bn") node = std::make_shared<NodeSpec>(NodeSpec{"bn", "identity", {}});
    project.graph = std::make_shared<GraphSpec>(std::move(graph));
    change([](TrainSpec& train) {
      train.precision = "f16";
      train.optimizer = {"sgd", {{"lr", 1e-6}}};
      train.schedule = {"exponential", {{"gamma", 0.9}, {"by", "step"}}};
    });
  }
  std::vector<int64_t> skippedIn(RunId run) {
    std::vector<int64_t> steps;
    for (const Event& event : store->events().read(run))
      if (event.code == "train.step-skipped") steps.push_back(event.step);
    return steps;
  }
  RunState stateAt(RunId run) {
    return stateOf(store->checkpoints().load(store->checkpoints().newestWhole(run)->id));
  }
};

/// The types of the results of some operators of a step.
class Types final : public gate::Listener {
 public:
  void onCall(const gate::CallInfo& info) override {
    if (info.outputs.empty()) return;
    const std::string op = info.op.id;
    if (op == "conv2d") conv.push_back(info.outputs[0].dtype());
    if (op == "cross_entropy") loss.push_back(info.outputs[0].dtype());
  }
  std::vector<DType> conv, loss;
};

TEST_F(Precision, AStepRunsInItsType) {
  open(R"("epochs": 1, )");
  for (const auto& [name, type] :
       {std::pair{"f32", DType::F32}, {"bf16", DType::BF16}, {"f16", DType::F16}}) {
    SCOPED_TRACE(name);
    change([name = name](TrainSpec& train) { train.precision = name; });
    Types types;
    const gate::ListenerGuard listening(types);
    run(project, 1);
    ASSERT_FALSE(types.conv.empty());
    EXPECT_EQ(types.conv[0], type);
    ASSERT_FALSE(types.loss.empty());
    EXPECT_EQ(types.loss[0], DType::F32);
  }
}

TEST_F(Precision, Bf16AndF16LearnWhatF32Does) {
  open(R"("epochs": 3, )");
  const TrainResult plain = run(project);
  for (const char* name : {"bf16", "f16"}) {
    SCOPED_TRACE(name);
    change([name](TrainSpec& train) { train.precision = name; });
    const TrainResult low = run(project);
    EXPECT_NE(low.lastTrainLoss, plain.lastTrainLoss);
    EXPECT_NEAR(low.lastTrainLoss, plain.lastTrainLoss, 0.25 * plain.lastTrainLoss);
    EXPECT_LT(skippedIn(low.run).size(), 4U);
  }
}

TEST_F(Precision, ALeftOutStepIsToldAndMovesNoSchedule) {
  open(R"("epochs": 4, "threads": 1, )");
  makeLoud();
  const TrainResult result = run(project);
  EXPECT_EQ(result.status, RunStatus::Finished);
  const std::vector<int64_t> skipped = skippedIn(result.run);
  ASSERT_GE(skipped.size(), 1U);
  ASSERT_LT(skipped.size(), 12U) << "of 24 steps";
  const RunState state = stateAt(result.run);
  EXPECT_EQ(state.step, 24);
  EXPECT_EQ(state.skipped, static_cast<int64_t>(skipped.size()));
  // The rate of a step is that of the updates made before it.
  const auto rates = curve(*store, result.run, "train/learning_rate");
  ASSERT_EQ(rates.size(), 24U);
  int64_t updates = 0;
  for (size_t i = 0; i < rates.size(); ++i) {
    EXPECT_NEAR(rates[i].second, 1e-6 * std::pow(0.9, updates), 1e-12) << "step " << i + 1;
    const auto step = static_cast<int64_t>(i) + 1;
    if (std::find(skipped.begin(), skipped.end(), step) == skipped.end()) ++updates;
  }
}

TEST_F(Precision, Bf16GoesOnBitForBit) {
  open(R"("epochs": 2, "threads": 1, )");
  change([](TrainSpec& train) { train.precision = "bf16"; });
  checkResumes({1, 5, 6, 7, 11});
}

TEST_F(Precision, F16GoesOnBitForBitWithItsScale) {
  open(R"("epochs": 2, "threads": 1, )");
  makeLoud();
  change([](TrainSpec& train) {
    train.clipNorm = 1;
    train.emaDecay = 0.9;
  });
  checkResumes({1, 2, 3, 4, 5, 6, 7, 11});
  const PartBytes parts = newestParts(*store, run(project).run);
  EXPECT_TRUE(std::any_of(parts.begin(), parts.end(),
                          [](const auto& part) { return part.first == "scaler/scale"; }));
}

TEST_F(Precision, AnOverflowLeavesWeightsStatisticsAndAverageAlone) {
  open(R"("epochs": 1, )");
  change([](TrainSpec& train) {
    train.precision = "f16";
    train.clipNorm = 1;
    train.emaDecay = 0.9;
  });
  RunSetup setup = setUpModel(project, folder.path());
  WeightUpdate update(*project.train, optimizerPlan(*project.train, 6), *setup.model);
  const auto contents = [&] {
    std::vector<std::vector<std::byte>> all;
    for (const NamedTensor& named : setup.model->tensors()) all.push_back(named.tensor.toBytes());
    for (const OptimizerState& state : update.average()->state())
      all.push_back(state.tensor.toBytes());
    return all;
  };
  const auto setGradients = [&](double value) {
    for (const NamedTensor& named : setup.model->parameters())
      autograd::setGrad(named.tensor, Tensor::full(named.tensor.shape(), value));
  };
  setGradients(65536);
  const WeightStep good = update.step(0.1);
  EXPECT_TRUE(good.made);
  ASSERT_TRUE(good.gradNorm.has_value());
  EXPECT_EQ(update.average()->updates(), 1);
  const auto before = contents();
  update.begin();
  setup.model->forward(Tensor::full({4, 1, 8, 8}, 1e30), true);
  EXPECT_NE(contents(), before) << "running statistics have seen what f16 cannot hold";
  setGradients(HUGE_VAL);
  const WeightStep bad = update.step(0.1);
  EXPECT_FALSE(bad.made);
  EXPECT_FALSE(bad.gradNorm.has_value());
  EXPECT_EQ(contents(), before);
  EXPECT_EQ(update.average()->updates(), 1);
  EXPECT_EQ(update.scaler().scaleFactor(), 32768);
}

TEST_F(Precision, AnotherOneMakesAnotherRun) {
  open(R"("epochs": 2, )");
  change([](TrainSpec& train) { train.precision = "bf16"; });
  const RunId half = run(project, 3).run;
  change([](TrainSpec& train) { train.precision = "f16"; });
  std::string why;
  try {
    run(project, 0, half);
  } catch (const Error& error) {
    why = error.what();
  }
  EXPECT_NE(why.find("train.precision = bf16 and can only go on with that, not with f16"),
            std::string::npos)
      << why;
}

}  // namespace
}  // namespace tenon::testing
