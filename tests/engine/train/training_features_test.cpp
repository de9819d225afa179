// SPDX-License-Identifier: Apache-2.0
// What a training can do besides a plain step: accumulation, clipping, averages of weights, change
// of optimizer; each against the arithmetic it stands for, and all of them resumed bit for bit.
#include <cmath>
#include <cstring>
#include <functional>
#include <future>
#include <map>
#include <thread>

#include "engine/project/settings.h"
#include "engine/store/checkpoints.h"
#include "engine/store/events.h"
#include "engine/train/evaluate.h"
#include "engine/train/run_setup.h"
#include "engine/train/run_state.h"
#include "tests/engine/train/train_fixture.h"
#include "tests/support/error_text.h"

namespace tenon::testing {
namespace {

using Weights = std::map<std::string, std::vector<float>>;

class TrainingFeatures : public TrainFixture {
 protected:
  /// Plain SGD on a model whose gradient is a mean over samples: no batch statistics, nothing drawn
  /// by lot for each batch.
  void makePlain() {
    GraphSpec graph = *project.graph;
    for (auto& node : graph.nodes)
      if (node->id == "bn" || node->id == "drop")
        node = std::make_shared<NodeSpec>(NodeSpec{node->id, "identity", {}});
    project.graph = std::make_shared<GraphSpec>(std::move(graph));
    DataSpec data = *project.data;
    std::erase_if(data.transforms, [](const PartSpec& part) { return part.type == "random_flip"; });
    project.data = std::make_shared<DataSpec>(std::move(data));
    change([](TrainSpec& train) {
      train.optimizer = {"sgd", {{"lr", 0.1}, {"momentum", 0.9}}};
      train.schedule = {"constant", {}};
    });
  }
  Weights weightsOf(const Checkpoint& checkpoint, const std::string& end = "") const {
    RunSetup setup = setUpModel(project, folder.path());
    Weights out;
    for (const NamedTensor& named : setup.model->tensors()) {
      if (named.tensor.dtype() != DType::F32) continue;  // counts
      const Part* part = checkpoint.part("model/" + named.name + end);
      if (!part) continue;
      std::vector<float>& values = out[named.name];
      values.resize(part->data.size() / sizeof(float));
      std::memcpy(values.data(), part->data.data(), part->data.size());
    }
    return out;
  }
  Weights newestWeights(RunId run, const std::string& end = "") {
    return weightsOf(store->checkpoints().load(store->checkpoints().newestWhole(run)->id), end);
  }
  Weights initialWeights() const {
    Weights out;
    RunSetup setup = setUpModel(project, folder.path());
    for (const NamedTensor& named : setup.model->tensors())
      if (named.tensor.dtype() == DType::F32) out[named.name] = named.tensor.toVector<float>();
    return out;
  }
};

/// Elements of a - b in one row.
std::vector<double> difference(const Weights& a, const Weights& b) {
  std::vector<double> out;
  for (const auto& [name, values] : a)
    for (size_t i = 0; i < values.size(); ++i)
      out.push_back(static_cast<double>(values[i]) - static_cast<double>(b.at(name)[i]));
  return out;
}
double normOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}
double largestOf(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  return largest;
}

/// 90 samples: four batches of 16, then one of 16 and one of 10 for the last step of an epoch.
TEST_F(TrainingFeatures, AccumulatedBatchesAreOneLargeBatch) {
  open(R"("epochs": 2, )", 90);
  makePlain();
  change([](TrainSpec& train) { train.accumulate = 4; });
  Quiet sink;
  TrainControl control;
  const TrainResult parts = run({project, folder.path()}, sink, control);
  change([](TrainSpec& train) {
    train.accumulate = 1;
    train.batchSize = 64;
  });
  const TrainResult whole = run(project);
  EXPECT_EQ(parts.step, 4);  // optimizer steps, two an epoch
  EXPECT_EQ(whole.step, 4);
  const Weights a = newestWeights(parts.run);
  const Weights b = newestWeights(whole.run);
  EXPECT_GT(largestOf(difference(a, initialWeights())), 0.01);
  EXPECT_LT(largestOf(difference(a, b)), 2e-6);
  for (const char* name : {"train/loss", "train/accuracy", "validation/loss"}) {
    const auto got = curve(*store, parts.run, name);
    const auto wanted = curve(*store, whole.run, name);
    ASSERT_EQ(got.size(), wanted.size()) << name;
    for (size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].first, wanted[i].first);
      EXPECT_NEAR(got[i].second, wanted[i].second, 1e-5) << name;
    }
  }
  EXPECT_NEAR(sink.epochs[1].trainLoss, whole.lastTrainLoss, 1e-6);
  EXPECT_EQ(curve(*store, parts.run, "train/loss").back().first, 4);
}

TEST_F(TrainingFeatures, AStopWaitsForTheEndOfAStep) {
  open(R"("epochs": 1000, )", 640);
  change([](TrainSpec& train) { train.accumulate = 16; });  // 40 batches: 16, 16, 8
  Quiet sink;
  TrainControl control;
  auto running = std::async(std::launch::async, [&] {
    return run({project, folder.path()}, sink, control);
  });
  waitWhile(running, [&] { return sink.steps < 4; });
  control.stop();
  const TrainResult result = running.get();
  const RunState state =
      stateOf(store->checkpoints().load(store->checkpoints().newestWhole(result.run)->id));
  EXPECT_EQ(state.step, result.step);
  const std::map<int64_t, int64_t> stepsAt = {{0, 0}, {16, 1}, {32, 2}, {40, 3}};
  ASSERT_TRUE(stepsAt.contains(state.batch)) << state.batch;
  EXPECT_EQ(state.step, state.epoch * 3 + stepsAt.at(state.batch));
}

/// A plain SGD step of rate 1 is the gradient itself.
TEST_F(TrainingFeatures, ClippingScalesOrCutsWhatTheOptimizerSees) {
  open(R"("epochs": 1, )");
  makePlain();
  change([](TrainSpec& train) { train.optimizer = {"sgd", {{"lr", 1.0}, {"momentum", 0.0}}}; });
  const Weights before = initialWeights();
  const TrainResult plain = run(project, 1);
  EXPECT_TRUE(curve(*store, plain.run, "train/grad_norm").empty());
  const std::vector<double> gradient = difference(before, newestWeights(plain.run));
  const double norm = normOf(gradient);
  ASSERT_GT(norm, 0.2);

  change([](TrainSpec& train) { train.clipNorm = 0.125; });
  const TrainResult byNorm = run(project, 1);
  const auto norms = curve(*store, byNorm.run, "train/grad_norm");
  ASSERT_EQ(norms.size(), 1U);
  EXPECT_NEAR(norms[0].second, norm, 1e-5 * norm);  // what it was before
  const std::vector<double> scaled = difference(before, newestWeights(byNorm.run));
  for (size_t i = 0; i < gradient.size(); ++i)
    EXPECT_NEAR(scaled[i], gradient[i] * 0.125 / (norm + 1e-6), 1e-6);

  change([&](TrainSpec& train) { train.clipValue = 0.01; });  // after the norm
  const std::vector<double> both = difference(before, newestWeights(run(project, 1).run));
  EXPECT_GT(largestOf(scaled), 0.01);
  for (size_t i = 0; i < gradient.size(); ++i)
    EXPECT_NEAR(both[i], std::clamp(scaled[i], -0.01, 0.01), 1e-6);

  change([&](TrainSpec& train) { train.clipNorm = 10 * norm; });  // large enough: nothing is scaled
  const std::vector<double> cut = difference(before, newestWeights(run(project, 1).run));
  for (size_t i = 0; i < gradient.size(); ++i)
    EXPECT_NEAR(cut[i], std::clamp(gradient[i], -0.01, 0.01), 1e-6);
}

TEST_F(TrainingFeatures, AveragesFollowTheWeightsAndAreEvaluated) {
  open(R"("epochs": 2, )");
  change([](TrainSpec& train) {
    train.emaDecay = 0.75;
    train.checkpoint = {1, 0, "loss", {}};  // one a step, all are kept
  });
  const TrainResult result = run(project);
  std::map<std::string, std::vector<double>> wanted;
  int64_t updates = 0;
  std::vector<CheckpointInfo> all = store->checkpoints().list(result.run);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
  for (const CheckpointInfo& info : all) {
    if (info.step != updates + 1) continue;  // an epoch's end has two
    EXPECT_EQ(info.version, 2);
    const Checkpoint checkpoint = store->checkpoints().load(info.id);
    const auto n = static_cast<double>(updates++);
    const double decay = n == 0 ? 0 : std::min(0.75, (1 + n) / (10 + n));  // with warm-up
    const Weights averages = weightsOf(checkpoint, "/average");
    for (const auto& [name, values] : weightsOf(checkpoint)) {
      std::vector<double>& average = wanted[name];
      average.resize(values.size());
      for (size_t i = 0; i < values.size(); ++i) {
        average[i] = decay * average[i] + (1 - decay) * static_cast<double>(values[i]);
        EXPECT_NEAR(averages.at(name)[i], average[i], 1e-5 * (1 + std::fabs(average[i]))) << name;
      }
    }
  }
  EXPECT_EQ(updates, 12);
  EXPECT_EQ(wanted.count("bn.running_mean"), 1U);
  const Weights weights = newestWeights(result.run);
  EXPECT_GT(largestOf(difference(weights, newestWeights(result.run, "/average"))), 1e-3);
  const double seen = curve(*store, result.run, "validation/loss").back().second;
  const auto evaluated = [&] {
    return evaluateRun(*store, result.run, CheckpointKind::Last, project, folder.path()).loss;
  };
  EXPECT_EQ(evaluated(), seen);
  RunSetup setup = setUpModel(project, folder.path());  // with the weights it would be another
  for (const NamedTensor& named : setup.model->tensors())
    if (named.tensor.dtype() == DType::F32)
      std::copy(weights.at(named.name).begin(), weights.at(named.name).end(),
                named.tensor.data<float>());
  EXPECT_NE(evaluate(*setup.model, setup.data.validation, *project.train).loss, seen);
}

TEST_F(TrainingFeatures, AveragesMayBeginAndEndWhenARunGoesOn) {
  open(R"("epochs": 2, )");
  const TrainResult part = run(project, 6);  // before the validation of the first epoch
  const auto old = store->checkpoints().newestWhole(part.run);
  EXPECT_EQ(old->version, 1);
  const double plain = [&] {
    const TrainResult whole = run(project);
    return curve(*store, whole.run, "validation/loss").front().second;
  }();
  change([](TrainSpec& train) { train.emaDecay = 0.5; });
  run(project, 8, part.run);
  // The average begins as a copy of the weights.
  EXPECT_EQ(curve(*store, part.run, "validation/loss").front().second, plain);
  const auto newest = store->checkpoints().newestWhole(part.run);
  EXPECT_EQ(newest->version, 2);
  EXPECT_FALSE(newestWeights(part.run, "/average").empty());
  change([](TrainSpec& train) { train.emaDecay = 0; });
  const TrainResult rest = run(project, 0, part.run);
  EXPECT_EQ(rest.status, RunStatus::Finished);
  EXPECT_TRUE(newestWeights(part.run, "/average").empty());
}

TEST_F(TrainingFeatures, AnotherOptimizerTakesOverAtItsStep) {
  open(R"("epochs": 3, )");
  change([](TrainSpec& train) {
    train.optimizer = {"adam", {{"lr", 0.01}}};
    train.schedule = {"constant", {}};
    train.optimizerChanges = {"sgd after_epochs=1 lr=0.05 momentum=0.5",
                              "lion after_steps=14 lr=0.001"};
  });
  const TrainResult result = run(project);
  for (const auto& [step, rate] : curve(*store, result.run, "train/learning_rate"))
    EXPECT_EQ(rate, step <= 6 ? 0.01 : step <= 14 ? 0.05 : 0.001) << step;
  std::vector<std::pair<int64_t, std::string>> told;
  for (const Event& event : store->events().read(result.run))
    if (event.code == "train.optimizer") told.emplace_back(event.step, event.args[1]);
  EXPECT_EQ(told, (std::vector<std::pair<int64_t, std::string>>{{7, "SGD"}, {15, "Lion"}}));
  const auto has = [&](int64_t steps, const char* part) {
    const TrainResult some = run(project, steps);
    return store->checkpoints().load(store->checkpoints().newestWhole(some.run)->id).part(part) !=
           nullptr;
  };
  EXPECT_TRUE(has(6, "optimizer/fc.weight/exp_avg_sq"));
  EXPECT_TRUE(has(7, "optimizer/fc.weight/momentum"));
  EXPECT_FALSE(has(7, "optimizer/fc.weight/exp_avg_sq"));
}

/// A rate set while a later optimizer works is that optimizer's, live and when the run goes on.
TEST_F(TrainingFeatures, ARateSetLiveIsThatOfTheOptimizerAtWork) {
  open(R"("epochs": 2, )");
  change([](TrainSpec& train) {
    train.schedule = {"constant", {}};
    train.optimizerChanges = {"sgd after_steps=2 lr=0.05"};
  });
  const TrainResult part = run(project, 3);
  Quiet sink;
  TrainControl control;
  control.setPeakLearningRate(0.25);
  const TrainResult live = run({project, folder.path(), part.run, 5}, sink, control);
  const ProjectSpec kept = projectOfRun(store->runs().get(live.run), project);
  EXPECT_EQ(kept.train->optimizerChanges[0], "sgd after_steps=2 lr=0.25");
  EXPECT_EQ(kept.train->optimizer.params.getFloat("lr"), 0.01);
  run(kept, 0, live.run);
  for (const auto& [step, rate] : curve(*store, live.run, "train/learning_rate"))
    EXPECT_EQ(rate, step <= 2 ? 0.01 : step <= 3 ? 0.05 : 0.25) << step;
}

/// Where an optimizer takes over, the rate kept is that of the step to come.
class RateAtAChange : public TrainingFeatures {
 protected:
  void SetUp() override {
    TrainingFeatures::SetUp();
    open(R"("epochs": 1, )");
    change([](TrainSpec& train) {
      train.schedule = {"constant", {}};
      train.optimizerChanges = {"sgd after_steps=2 lr=0.05"};
    });
  }
  double keptRate(RunId of) const {
    return stateOf(store->checkpoints().load(store->checkpoints().newestWhole(of)->id))
        .peakLearningRate;
  }
  std::vector<std::string> changesTold(RunId of) const {
    std::vector<std::string> told;
    for (const Event& event : store->events().read(of))
      if (event.code == "train.setting-changed")
        told.push_back(fillTemplate(event.text, event.args));
    return told;
  }
};

TEST_F(RateAtAChange, IsNoChangeOfSettingsOnResume) {
  const TrainResult plain = run(project, 2);
  EXPECT_EQ(keptRate(plain.run), 0.05);
  run(project, 3, plain.run);
  EXPECT_EQ(changesTold(plain.run), std::vector<std::string>());

  struct SetAfterStepTwo final : TrainSink {
    TrainControl control;
    void onLogged(const LoggedStep& step) override {
      if (step.step == 2) control.setPeakLearningRate(0.25);
    }
  } sink;
  const TrainResult set = run({project, folder.path(), 0, 2}, sink, sink.control);
  EXPECT_EQ(keptRate(set.run), 0.25);
  run(projectOfRun(store->runs().get(set.run), project), 3, set.run);
  EXPECT_EQ(changesTold(set.run), std::vector<std::string>());
  EXPECT_EQ(curve(*store, set.run, "train/learning_rate").back().second, 0.25);

  const TrainResult without = run(project, 2);
  change([](TrainSpec& train) { train.optimizerChanges = {}; });
  run(project, 3, without.run);
  EXPECT_EQ(changesTold(without.run),
            std::vector<std::string>{
                "train.optimizer_changes changed from [\"sgd after_steps=2 lr=0.05\"] to []"});
}

/// They hold the rate of the step that made them.
TEST_F(RateAtAChange, OfAnOlderCheckpointIsNoneEither) {
  const RunId old = run(project, 2).run;
  Checkpoint checkpoint = store->checkpoints().load(store->checkpoints().newestWhole(old)->id);
  std::vector<PartView> parts;
  for (Part& part : checkpoint.parts) {
    constexpr std::string_view kNow = "\"peak_learning_rate\": 0.05";
    std::string text(reinterpret_cast<const char*>(part.data.data()), part.data.size());
    if (const size_t at = text.find(kNow); at != std::string::npos) {
      text.replace(at, kNow.size(), "\"peak_learning_rate\": 0.01");
      std::memcpy(part.data.data(), text.data(), text.size());
    }
    parts.push_back({part.name, part.meta, part.data});
  }
  CheckpointHead head;
  head.run = old;
  head.step = checkpoint.info.step;
  head.epoch = checkpoint.info.epoch;
  head.version = checkpoint.info.version;
  store->checkpoints().save(head, parts);
  ASSERT_EQ(keptRate(old), 0.01);
  run(project, 3, old);
  EXPECT_EQ(changesTold(old), std::vector<std::string>());
  EXPECT_EQ(keptRate(old), 0.05);
}

TEST_F(TrainingFeatures, AllTogetherResumeBitForBit) {
  open(R"("epochs": 3, "threads": 1, )", 640);  // 40 batches: 13 steps of three, one of one
  change([](TrainSpec& train) {
    train.accumulate = 3;
    train.clipNorm = 0.5;
    train.clipValue = 0.1;
    train.emaDecay = 0.9;
    train.optimizerChanges = {"sgd after_steps=20 lr=0.05 momentum=0.9"};
  });
  std::vector<int64_t> steps = drawnSteps(12, 41, 11);
  steps.insert(steps.end(), {1, 13, 14, 15, 19, 20, 21, 28});  // ends and the change
  checkResumes(steps);
}

TEST_F(TrainingFeatures, SettingsThatMakeAnotherRunAreRefusedOnResume) {
  open(R"("epochs": 2, )");
  change([](TrainSpec& train) {
    train.accumulate = 2;  // three steps an epoch
    train.optimizerChanges = {"sgd after_steps=2 lr=0.05"};
  });
  const RunId run3 = run(project, 3).run;
  const auto resumed = [&](const std::function<void(TrainSpec&)>& edit) {
    const ProjectSpec kept = project;
    change(edit);
    std::string why = errorOf([&] { run(project, 4, run3); });
    project = kept;
    return why;
  };
  EXPECT_NE(resumed([](TrainSpec& train) { train.accumulate = 1; })
                .find("was trained with train.accumulate = 2 and can only go on with that, not "
                      "with 1"),
            std::string::npos);
  EXPECT_NE(resumed([](TrainSpec& train) { train.optimizerChanges = {}; })
                .find("the first 3 steps were made by adamw from step 1, sgd from step 3 and can "
                      "only go on with that, not with adamw from step 1"),
            std::string::npos);
  // What has not begun may change.
  EXPECT_EQ(resumed([](TrainSpec& train) {
              train.optimizerChanges = {"sgd after_steps=2 lr=0.01", "lion after_epochs=1"};
            }),
            "no error");
  std::vector<std::string> told;
  for (const Event& event : store->events().read(run3))
    if (event.code == "train.setting-changed") told.push_back(event.args[0]);
  EXPECT_EQ(told, std::vector<std::string>{"train.optimizer_changes"});
}

TEST_F(TrainingFeatures, SettingsOfARunNameOnlyWhatIsOn) {
  open(R"("epochs": 1, "clip_norm": 2, )");
  const RunInfo info = store->runs().get(run(project, 1).run);
  EXPECT_NE(info.settings.find("\"clip_norm\""), std::string::npos);
  for (const char* off : {"accumulate", "clip_value", "ema_decay", "optimizer_changes"})
    EXPECT_EQ(info.settings.find(off), std::string::npos) << off;
  // A run from before there was clipping goes on with it: it had none.
  change([](TrainSpec& train) { train.clipNorm = 0; });
  const RunId plain = run(project, 1).run;
  change([](TrainSpec& train) { train.clipNorm = 3; });
  run(project, 2, plain);
  std::vector<std::vector<std::string>> told;
  for (const Event& event : store->events().read(plain))
    if (event.code == "train.setting-changed") told.push_back(event.args);
  EXPECT_EQ(told, (std::vector<std::vector<std::string>>{{"train.clip_norm", "0.0", "3.0"}}));
}

}  // namespace
}  // namespace tenon::testing
