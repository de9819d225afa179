// SPDX-License-Identifier: Apache-2.0
// Trainings with every loss: the first loss is PyTorch's (tests/reference/losses.json), class
// weights, ignored targets and sums hold over batches, and outputs are read as the loss means them.
#include <cmath>
#include <set>

#include "engine/project/settings.h"
#include "engine/store/events.h"
#include "engine/train/engine_catalog.h"
#include "engine/train/evaluate.h"
#include "engine/train/predictions.h"
#include "engine/train/resume.h"
#include "engine/train/run_setup.h"
#include "engine/train/run_state.h"
#include "tests/engine/train/loss_fixture.h"
#include "tests/support/loss_cases.h"

namespace tenon::testing {
namespace {

const ParamMap kWeighted = {{"class_weights", std::vector<double>{0.5, 2, 1.25, 3}},
                            {"ignore_index", int64_t{1}},
                            {"label_smoothing", 0.1}};
const ParamMap kSum = {{"reduction", std::string("sum")}};

TEST_F(LossChoice, EveryLossBeginsWithPyTorchsValueAndLearns) {
  open(R"("epochs": 30, )");
  std::set<std::string> seen;
  const Json cases = lossCases();
  for (const Json& each : cases.find("trainings")->items()) {
    const std::string id = each.find("loss")->asString();
    SCOPED_TRACE(id + " " + writeJson(*each.find("settings"), JsonStyle::OneLine));
    seen.insert(id);
    setPlainData();
    setModel({{"pool", "adaptive_avg_pool2d", {{"output_size", std::vector<int64_t>{4, 1}}}},
              {"flat", "flatten", {}},
              {"norm", "layer_norm", {}}},
             each.find("last")->asString());
    change([&](TrainSpec& train) {
      train.batchSize = 96;
      train.loss = {id, settingsOf(each)};
    });
    const TrainResult result = run(project);
    const auto losses = curve(*store, result.run, "train/loss");
    ASSERT_EQ(losses.size(), 30U);
    EXPECT_NEAR(losses[0].second, each.find("first")->asDouble(), 2e-6);
    EXPECT_LT(losses.back().second, 0.98 * losses[0].second);
    EXPECT_EQ(curve(*store, result.run, "validation/accuracy").back().second, 100);
  }
  for (const LossDef* def : allLosses()) EXPECT_TRUE(seen.contains(def->id)) << def->id;
}

/// 90 samples: four batches of 16, then one of 16 and one of 10 for the last step of an epoch.
TEST_F(LossChoice, AccumulatedBatchesAreOneLargeBatch) {
  open(R"("epochs": 2, )", 90);
  setPlainData();
  setModel({{"flat", "flatten", {}}, {"fc", "linear", {{"out_features", int64_t{4}}}}}, "");
  for (const ParamMap& settings : {kWeighted, kSum}) {
    SCOPED_TRACE(canonicalJson(settings));
    const double rate = settings.contains("reduction") ? 0.002 : 0.1;
    change([&](TrainSpec& train) {
      train.batchSize = 16;
      train.optimizer = {"sgd", {{"lr", rate}}};
      train.loss = {"cross_entropy", settings};
      train.accumulate = 4;
    });
    const TrainResult parts = run(project);
    change([](TrainSpec& train) {
      train.accumulate = 1;
      train.batchSize = 64;
    });
    const TrainResult whole = run(project);
    EXPECT_EQ(parts.step, 4);
    EXPECT_EQ(whole.step, 4);
    const std::vector<float> got = weightsOf(parts.run);
    const std::vector<float> wanted = weightsOf(whole.run);
    ASSERT_EQ(got.size(), wanted.size());
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 2e-6) << i;
    for (const char* name : {"train/loss", "train/accuracy", "validation/loss"}) {
      const auto a = curve(*store, parts.run, name);
      const auto b = curve(*store, whole.run, name);
      ASSERT_EQ(a.size(), b.size()) << name;
      for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i].second, b[i].second, 2e-5) << name;
    }
    EXPECT_NEAR(parts.lastTrainLoss, whole.lastTrainLoss, 2e-6);
  }
}

/// A step of a sum is that of the mean times the samples: by a rate so much smaller it is the same.
TEST_F(LossChoice, ASumStepsWithTheBatchAndIsToldForASample) {
  open(R"("epochs": 2, )");
  setPlainData();
  setModel({{"flat", "flatten", {}}, {"fc", "linear", {{"out_features", int64_t{4}}}}}, "");
  change([](TrainSpec& train) { train.optimizer = {"sgd", {{"lr", 0.16}}}; });
  const TrainResult mean = run(project);
  change([](TrainSpec& train) {
    train.optimizer = {"sgd", {{"lr", 0.01}}};
    train.loss = {"cross_entropy", kSum};
  });
  const TrainResult sum = run(project);
  const std::vector<float> got = weightsOf(sum.run);
  const std::vector<float> wanted = weightsOf(mean.run);
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 2e-6) << i;
  for (const char* name : {"train/loss", "validation/loss"}) {
    const auto a = curve(*store, sum.run, name);
    const auto b = curve(*store, mean.run, name);
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i].second, b[i].second, 1e-5) << name;
  }
}

/// Batches of one sample: every one of class 0 has nothing that counts.
TEST_F(LossChoice, AStepOfWhichNothingCountsTeachesNothing) {
  open(R"("epochs": 1, )", 24);
  for (const ParamMap& settings :
       {ParamMap{{"ignore_index", int64_t{0}}},
        ParamMap{{"class_weights", std::vector<double>{0, 1, 1, 1}}},
        ParamMap{{"ignore_index", int64_t{0}}, {"reduction", std::string("sum")}}}) {
    SCOPED_TRACE(canonicalJson(settings));
    change([&](TrainSpec& train) {
      train.batchSize = 1;
      train.loss = {"cross_entropy", settings};
    });
    const TrainResult result = run(project);
    EXPECT_EQ(result.step, 24);
    EXPECT_EQ(stateOf(newest(result.run)).skipped, 6);
    EXPECT_TRUE(std::isfinite(result.lastTrainLoss));
    for (const float weight : weightsOf(result.run)) ASSERT_TRUE(std::isfinite(weight));
    std::set<int64_t> told;
    for (const auto& [step, loss] : curve(*store, result.run, "train/loss")) {
      EXPECT_TRUE(std::isfinite(loss));
      told.insert(step);
    }
    EXPECT_EQ(told.size(), 18U);
    EXPECT_EQ(curve(*store, result.run, "train/learning_rate").size(), 24U);
    int events = 0;
    for (const Event& event : store->events().read(result.run)) {
      if (event.code == "train.nothing-counts") ++events;
      EXPECT_NE(event.code, "train.loss-not-finite");
    }
    EXPECT_EQ(events, 1);
    int64_t step = 2;
    while (told.contains(step)) ++step;
    const TrainResult before = run(project, step - 1);
    const TrainResult after = run(project, step);
    EXPECT_EQ(weightsOf(before.run), weightsOf(after.run)) << "step " << step;
  }
}

/// In a step of several batches the one that does not count leaves it to the others.
TEST_F(LossChoice, ABatchOfWhichNothingCountsLeavesItsStepToTheOthers) {
  open(R"("epochs": 1, )", 24);
  setPlainData();
  setModel({{"flat", "flatten", {}}, {"fc", "linear", {{"out_features", int64_t{4}}}}}, "");
  change([](TrainSpec& train) {
    train.optimizer = {"sgd", {{"lr", 0.1}}};
    train.loss = {"cross_entropy", {{"ignore_index", int64_t{2}}}};
    train.batchSize = 1;
    train.accumulate = 24;
  });
  const TrainResult parts = run(project);
  change([](TrainSpec& train) {
    train.batchSize = 24;
    train.accumulate = 1;
  });
  const TrainResult whole = run(project);
  const std::vector<float> got = weightsOf(parts.run);
  const std::vector<float> wanted = weightsOf(whole.run);
  for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-6) << i;
  EXPECT_NEAR(parts.lastTrainLoss, whole.lastTrainLoss, 1e-6);
  EXPECT_NEAR(curve(*store, parts.run, "train/accuracy")[0].second,
              curve(*store, whole.run, "train/accuracy")[0].second, 1e-9);
}

TEST_F(LossChoice, WeightedAndIgnoringTrainingsResumeBitForBit) {
  open(R"("epochs": 3, "accumulate": 2, )", 90);
  change([](TrainSpec& train) { train.loss = {"cross_entropy", kWeighted}; });
  checkResumes({2, 4, 7});
}

/// A run from before the loss had these settings.
TEST_F(LossChoice, ARunOfAnOlderLossGoesOn) {
  open(R"("epochs": 1, )");
  const TrainResult result = run(project);
  RunInfo older = store->runs().get(result.run);
  const std::string now = older.settings;
  Json settings = parseJson(older.settings);
  Json& loss = *settings.find("train")->find("loss");
  for (const char* name : {"class_weights", "ignore_index", "reduction"})
    EXPECT_TRUE(loss.erase(name)) << name;
  older.settings = writeJson(settings, JsonStyle::OneLine);
  EXPECT_TRUE(changesOnResume(older, now).empty());
  loss.set("label_smoothing", 0.5);
  older.settings = writeJson(settings, JsonStyle::OneLine);
  EXPECT_TRUE(
      hasAll(errorOf([&] { changesOnResume(older, now); }), {"train.loss.label_smoothing = 0.5"}));
}

TEST_F(LossChoice, EvaluationDoesNotDependOnTheSizeOfBatches) {
  open(R"("epochs": 1, )");
  for (const ParamMap& settings : {ParamMap{}, kWeighted, kSum}) {
    SCOPED_TRACE(canonicalJson(settings));
    change([&](TrainSpec& train) { train.loss = {"cross_entropy", settings}; });
    const RunSetup setup = setUpModel(project, folder.path());
    const auto with = [&](int64_t batchSize) {
      EvaluateOptions options;
      options.batchSize = batchSize;
      return evaluate(*setup.model, setup.data.validation, *project.train, options);
    };
    const Evaluation whole = with(40);
    const Evaluation parts = with(1);  // a quarter of which does not count with an ignored class
    EXPECT_EQ(parts.samples, 40);
    EXPECT_TRUE(std::isfinite(whole.loss));
    EXPECT_NEAR(parts.loss, whole.loss, 1e-6);
    EXPECT_NEAR(parts.metrics[0].second, whole.metrics[0].second, 1e-9);
  }
}

TEST_F(LossChoice, OneOutputTellsTwoClassesApart) {
  openTwoClasses(R"("epochs": 12, )");
  int losses = 0;
  for (const LossDef* def : allLosses()) {
    if (!def->oneOutputForTwo) continue;
    SCOPED_TRACE(def->id);
    ++losses;
    setModel({{"flat", "flatten", {}}, {"fc", "linear", {{"out_features", int64_t{1}}}}},
             def->lastLayers.empty() ? "" : "sigmoid");
    change([&](TrainSpec& train) { train.loss = {def->id, {}}; });
    EXPECT_EQ(issues(), Lines{});
    const TrainResult result = run(project);
    EXPECT_EQ(curve(*store, result.run, "validation/accuracy").back().second, 100);
    const auto stored = artifactsOf(*store, result.run, "predictions");
    const Predictions shown = decodePredictions(stored.back().second);
    EXPECT_EQ(shown.areProbabilities, givesProbabilities(def->reading));
    for (size_t i = 0; i < shown.targets.size(); ++i) {
      const std::vector<float>& row = shown.probabilities[i];
      ASSERT_EQ(row.size(), 2U);
      EXPECT_EQ(row[1] > row[0], shown.targets[i] == 1) << i;
      if (shown.areProbabilities) {
        EXPECT_NEAR(row[0] + row[1], 1, 1e-6);
      }
    }
  }
  EXPECT_EQ(losses, 9);
}

TEST_F(LossChoice, PredictionsAreWhatTheLossMeans) {
  open(R"("epochs": 1, )");
  setPlainData();
  setModel({{"flat", "flatten", {}}, {"fc", "linear", {{"out_features", int64_t{4}}}}}, "");
  const RunSetup setup = setUpModel(project, folder.path());
  const auto shown = [&](OutputReading reading) {
    return predictSamples(*setup.model, setup.data, reading, 5);
  };
  const auto raw = shown(OutputReading::Scores).probabilities;
  ASSERT_EQ(raw.size(), 5U);
  for (size_t i = 0; i < raw.size(); ++i) {
    double sum = 0;
    for (const float x : raw[i]) sum += std::exp(double{x});
    for (size_t c = 0; c < 4; ++c) {
      const double x = raw[i][c];
      EXPECT_NEAR(shown(OutputReading::Logits).probabilities[i][c], std::exp(x) / sum, 1e-6);
      EXPECT_NEAR(shown(OutputReading::BinaryLogits).probabilities[i][c], 1 / (1 + std::exp(-x)),
                  1e-6);
      EXPECT_NEAR(shown(OutputReading::LogProbabilities).probabilities[i][c], std::exp(x), 1e-5);
      EXPECT_EQ(shown(OutputReading::Probabilities).probabilities[i][c], raw[i][c]);
      EXPECT_EQ(shown(OutputReading::Estimates).probabilities[i][c], raw[i][c]);
    }
  }
  for (const OutputReading reading : {OutputReading::Logits, OutputReading::Scores}) {
    const Predictions back = decodePredictions(encode(shown(reading)));
    EXPECT_EQ(back.areProbabilities, reading == OutputReading::Logits);
  }
}

}  // namespace
}  // namespace tenon::testing
