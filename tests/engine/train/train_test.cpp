// SPDX-License-Identifier: Apache-2.0
// The trainer end to end on toy images: learning, storing, stopping, pausing, resuming bit for bit,
// recording, failing.
#include <gtest/gtest.h>

#include <cmath>
#include <future>
#include <thread>

#include "engine/base/duration.h"
#include "engine/base/file_faults.h"
#include "engine/observe/graph_recording.h"
#include "engine/observe/memory_recording.h"
#include "engine/store/artifacts.h"
#include "engine/store/events.h"
#include "engine/train/evaluate.h"
#include "engine/train/predictions.h"
#include "engine/train/run_setup.h"
#include "tests/engine/ops/launch_log.h"
#include "tests/engine/train/train_fixture.h"

namespace tenon {
namespace {

using testing::allCurves;
using testing::curve;
using testing::newestParts;
using testing::Quiet;
using testing::waitWhile;
using Train = testing::TrainFixture;

std::vector<Event> eventsOf(Store& store, RunId run, const std::string& code) {
  std::vector<Event> found;
  for (const Event& event : store.events().read(run))
    if (event.code == code) found.push_back(event);
  return found;
}

TEST_F(Train, LearnsAndKeepsTheRun) {
  open(R"("epochs": 4, )");
  Quiet sink;
  TrainControl control;
  const TrainResult result = run({project, folder.path()}, sink, control);
  EXPECT_EQ(result.status, RunStatus::Finished);
  EXPECT_EQ(result.step, 24);  // 96 samples, 16 a batch, 4 epochs
  ASSERT_EQ(sink.epochs.size(), 4U);
  EXPECT_LT(sink.epochs[3].trainLoss, 0.5 * sink.epochs[0].trainLoss);
  EXPECT_GT(sink.epochs[3].metrics[0].second, 90);
  const RunInfo info = store->runs().get(result.run);
  EXPECT_EQ(info.status, RunStatus::Finished);
  EXPECT_EQ(info.bestName, "validation/accuracy");
  EXPECT_EQ(curve(*store, result.run, "train/loss").size(), 24U);
  EXPECT_EQ(curve(*store, result.run, "validation/accuracy").size(), 4U);
  const double between = curve(*store, result.run, "memory/allocated").back().second;
  EXPECT_GT(between, 0);
  // Within a step activations and gradients come to what stays between steps.
  EXPECT_GT(curve(*store, result.run, "memory/peak").back().second, between);
  EXPECT_TRUE(store->checkpoints().best(result.run).has_value());
  EXPECT_EQ(store->artifacts().list(result.run, "predictions").size(), 4U);
}

TEST_F(Train, TheLogTellsTheCourseOfTheRun) {
  open(R"("epochs": 3, )");
  const TrainResult result = run(project);
  const std::vector<Event> all = store->events().read(result.run);
  EXPECT_EQ(all.front().code, "train.started");
  EXPECT_EQ(all.front().args[1], "cpu");
  EXPECT_EQ(all.back().code, "train.finished");
  EXPECT_EQ(all.back().args[0], std::to_string(result.step));
  EXPECT_EQ(all.back().args[1], durationText(store->runs().get(result.run).trainedUs));
  const std::vector<Event> epochs = eventsOf(*store, result.run, "train.epoch");
  ASSERT_EQ(epochs.size(), 3U);
  EXPECT_EQ(epochs[2].args[0], "3");
  EXPECT_EQ(epochs[2].step, result.step);
  EXPECT_EQ(epochs[2].args[4].find("accuracy "), 0U) << epochs[2].args[4];
  EXPECT_EQ(epochs[2].args[4].back(), '%');
  const std::vector<Event> best = eventsOf(*store, result.run, "train.best");
  ASSERT_FALSE(best.empty());
  EXPECT_EQ(best.back().step, store->runs().get(result.run).bestStep);
  // Said when it is on the disk, so before the end and once for each that was saved: of the first
  // step, of the three epochs, and each that was the best.
  const std::vector<Event> saved = eventsOf(*store, result.run, "train.checkpoint");
  EXPECT_EQ(saved.size(), 4 + best.size());
  EXPECT_EQ(saved.front().step, 1);
}

TEST_F(Train, EvaluateGivesWhatTrainingSaw) {
  open(R"("epochs": 2, )");
  const TrainResult result = run(project);
  const Evaluation last =
      evaluateRun(*store, result.run, CheckpointKind::Last, project, folder.path());
  EXPECT_EQ(last.samples, 40);
  EXPECT_EQ(last.loss, curve(*store, result.run, "validation/loss").back().second);
  EXPECT_THROW(evaluateRun(*store, 99, CheckpointKind::Last, project, folder.path()), Error);
}

TEST_F(Train, TheSameSeedGivesTheSameBits) {
  open(R"("epochs": 2, )");
  const TrainResult a = run(project);
  ProjectSpec other = project;
  auto train = *project.train;
  train.workers = 3;
  other.train = std::make_shared<TrainSpec>(train);
  const TrainResult b = run(other);
  EXPECT_EQ(curve(*store, a.run, "train/loss"), curve(*store, b.run, "train/loss"));
  EXPECT_EQ(newestParts(*store, a.run), newestParts(*store, b.run));
}

TEST_F(Train, ResumeAtTwentyRandomStepsGivesTheSameBits) {
  open(R"("epochs": 3, "threads": 1, )", 640);  // 120 steps
  checkResumes(drawnSteps(20, 119, 20));
}

TEST_F(Train, ResumeAtTheEndsGivesTheSameBits) {
  open(R"("epochs": 3, )");
  checkResumes({1, 5, 6, 7, 12, 17});  // the first step, around the end of an epoch, the last
}

TEST_F(Train, AStoppedRunKeepsACheckpointOfItsLastStep) {
  open(R"("epochs": 1000, )");
  Quiet sink;
  TrainControl control;
  auto running = std::async(std::launch::async, [&] {
    return run({project, folder.path()}, sink, control);
  });
  waitWhile(running, [&] { return sink.steps < 10; });
  control.stop();
  const TrainResult result = running.get();
  EXPECT_EQ(result.status, RunStatus::Stopped);
  EXPECT_EQ(store->runs().get(result.run).status, RunStatus::Stopped);
  EXPECT_EQ(store->checkpoints().newestWhole(result.run)->step, result.step);
  const Event last = store->events().read(result.run).back();
  EXPECT_EQ(last.code, "train.stopped");
  EXPECT_EQ(last.step, result.step);
}

TEST_F(Train, PauseStepResumeAndLiveLearningRate) {
  open(R"("epochs": 1000, )");
  Quiet sink;
  TrainControl control;
  control.pause();
  control.setPeakLearningRate(0.5);
  auto running = std::async(std::launch::async, [&] {
    return run({project, folder.path()}, sink, control);
  });
  waitWhile(running, [&] { return sink.paused == 0; });
  EXPECT_EQ(sink.steps, 0);
  control.stepOnce();
  waitWhile(running, [&] { return sink.paused == 1; });
  EXPECT_EQ(sink.steps, 1);
  std::promise<int64_t> seen;
  control.post([&](const RunView& view) { seen.set_value(view.step); });  // served while paused
  EXPECT_EQ(seen.get_future().get(), 1);
  control.resume();
  waitWhile(running, [&] { return sink.steps < 5; });
  control.stop();
  const TrainResult result = running.get();
  const std::vector<Event> pauses = eventsOf(*store, result.run, "train.paused");
  const std::vector<Event> goings = eventsOf(*store, result.run, "train.continued");
  ASSERT_EQ(pauses.size(), 2U);
  ASSERT_EQ(goings.size(), 2U);
  EXPECT_EQ(pauses[1].step, 1);
  EXPECT_EQ(goings[1].step, 1);
  EXPECT_NEAR(curve(*store, result.run, "train/learning_rate")[0].second, 0.5 / 25,
              1e-9);  // one-cycle starts at 1/25
  // The run keeps it as its setting, so that going on uses it too.
  const ProjectSpec kept = projectOfRun(store->runs().get(result.run), project);
  EXPECT_EQ(kept.train->optimizer.params.getFloat("lr"), 0.5);
}

/// Also over the end of an epoch, where validation comes between; a recording waits for its step.
TEST_F(Train, ASingleStepIsAlwaysAStep) {
  open(R"("epochs": 1000, )");  // six steps an epoch
  Quiet sink;
  TrainControl control;
  control.pause();
  auto running = std::async(std::launch::async, [&] {
    return run({project, folder.path()}, sink, control);
  });
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  for (int step = 0; step < 14; ++step) {
    while (sink.paused == step && std::chrono::steady_clock::now() < patience)
      std::this_thread::yield();
    EXPECT_EQ(sink.steps, step);
    if (step == 6) control.recordNextStep();
    control.stepOnce();
  }
  while (sink.paused == 14 && std::chrono::steady_clock::now() < patience)
    std::this_thread::yield();
  control.stop();
  const TrainResult result = running.get();
  EXPECT_EQ(result.step, 14);
  const std::vector<ArtifactInfo> graphs = store->artifacts().list(result.run, "graph");
  ASSERT_EQ(graphs.size(), 1U);
  EXPECT_EQ(graphs[0].step, 7);
}

TEST_F(Train, AResumedRunForgetsWhatItTellsAgain) {
  open(R"("epochs": 3, )");
  const TrainResult whole = run(project);
  const std::vector<Event> told = eventsOf(*store, whole.run, "train.epoch");
  // As a kill leaves it: more is told than the newest checkpoint has.
  const TrainResult part = run(project, 8);
  Event later;
  later.run = part.run;
  later.code = "train.epoch";
  later.step = 12;
  store->events().add(later);
  store->artifacts().add({.run = part.run, .kind = "predictions", .step = 12},
                         std::vector<std::byte>(3));
  const TrainResult rest = run(project, 0, part.run);
  const std::vector<Event> again = eventsOf(*store, rest.run, "train.epoch");
  ASSERT_EQ(again.size(), told.size());
  for (size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(again[i].step, told[i].step);
    EXPECT_EQ(again[i].args, told[i].args);
  }
  EXPECT_EQ(store->artifacts().list(rest.run, "predictions").size(), 3U);
  EXPECT_EQ(store->runs().get(rest.run).bestStep, store->runs().get(whole.run).bestStep);
}

/// A checkpoint of an epoch's last step stands before its validation: killed after that, the run
/// validates again and tells it once.
TEST_F(Train, AnEpochsEndIsToldOnceWhenItComesAgain) {
  open(R"("epochs": 2, )");
  auto train = *project.train;
  train.checkpoint.everySteps = 6;
  train.checkpoint.keep = 0;
  project.train = std::make_shared<TrainSpec>(train);
  const TrainResult whole = run(project);
  // Back to the checkpoint that stands before the end of the last epoch.
  for (const CheckpointInfo& info : store->checkpoints().list(whole.run))
    if (info.step == 12 && info.epoch == 2) store->checkpoints().remove(info.id);
  const auto newest = store->checkpoints().newestWhole(whole.run);
  ASSERT_EQ(newest->step, 12);
  ASSERT_EQ(newest->epoch, 1);
  const auto before = allCurves(*store, whole.run);
  run(project, 0, whole.run);
  EXPECT_EQ(allCurves(*store, whole.run), before);
  for (const char* code : {"train.epoch", "train.finished"})
    EXPECT_EQ(eventsOf(*store, whole.run, code).size(), 2U) << code;
  EXPECT_EQ(store->artifacts().list(whole.run, "predictions").size(), 2U);
}

TEST_F(Train, ARecordedStepTellsWhatRan) {
  open(R"("epochs": 1, )");
  const test::LaunchLog log;
  Quiet sink;
  TrainControl control;
  control.recordNextStep();
  const TrainResult result = run({project, folder.path()}, sink, control);
  const auto graphs = store->artifacts().list(result.run, "graph");
  ASSERT_EQ(graphs.size(), 1U);
  const GraphRecording graph = decodeGraph(store->artifacts().read(graphs[0].id));
  int64_t kernels = 0;
  int64_t savedBytes = 0;
  int leaves = 0;
  for (const RecordedNode& node : graph.nodes) {
    kernels += static_cast<int64_t>(node.kernels.size());
    leaves += node.kind == RecordedKind::Leaf;
    for (const RecordedTensor& tensor : node.saved) savedBytes += tensor.bytes;
    if (node.kind == RecordedKind::Backward && node.partner >= 0) {
      EXPECT_EQ(graph.nodes[static_cast<size_t>(node.partner)].op, node.op);
    }
  }
  EXPECT_EQ(kernels, graph.kernelsLaunched);  // every launch is in the recording
  EXPECT_GT(kernels, 15);
  EXPECT_EQ(test::recordedLaunches(graph), log.ran());  // each for what it was, in order
  EXPECT_EQ(leaves, 6);  // conv weight and bias, norm weight and bias, linear weight and bias
  EXPECT_GT(savedBytes, 16 * 8 * 8 * 8 * 4);
  EXPECT_EQ(decodeGraph(encode(graph)), graph);
}

TEST_F(Train, ARecordedStepsMemoryAddsUp) {
  open(R"("epochs": 1, )");
  Quiet sink;
  TrainControl control;
  control.recordNextStep();
  const TrainResult result = run({project, folder.path()}, sink, control);
  const MemoryRecording memory =
      decodeMemory(store->artifacts().read(store->artifacts().list(result.run, "memory")[0].id));
  uint64_t peak = 0;
  for (const auto& byCategory : memory::replayCategories(memory.trace)) {
    uint64_t sum = 0;
    for (const uint64_t bytes : byCategory) sum += bytes;
    peak = std::max(peak, sum);
  }
  EXPECT_EQ(peak, memory.peakBytes);  // the allocator's own figure
  uint64_t parameters = 0;
  bool namesALayer = false;
  for (const BlockLife& life : blockLives(memory)) {
    if (life.category == memory::Category::Parameter) parameters += life.bytes;
    namesALayer = namesALayer || memory.names[life.layer] == "conv";
  }
  EXPECT_GE(parameters, (8 * 9 + 8 + 8 + 8 + 4 * 128 + 4) * 4U);
  EXPECT_TRUE(namesALayer);
}

TEST_F(Train, DamagedRecordingsAreRefused) {
  open(R"("epochs": 1, )");
  Quiet sink;
  TrainControl control;
  control.recordNextStep();
  const TrainResult result = run({project, folder.path()}, sink, control);
  for (const char* kind : {"graph", "memory"}) {
    const auto bytes = store->artifacts().read(store->artifacts().list(result.run, kind)[0].id);
    const auto decode = [&](std::span<const std::byte> from) {
      if (std::string(kind) == "graph")
        decodeGraph(from);
      else
        decodeMemory(from);
    };
    decode(bytes);
    for (size_t keep = 0; keep < bytes.size(); keep += 1 + bytes.size() / 50)
      EXPECT_THROW(decode(std::span(bytes).first(keep)), Error);
    for (size_t at = 4; at < bytes.size(); at += 1 + bytes.size() / 200) {
      auto bad = bytes;
      bad[at] ^= std::byte{0xff};
      try {
        decode(bad);
      } catch (const Error&) {  // refused or another value, never a crash
      }
    }
    auto newer = bytes;
    newer[4] = std::byte{99};
    try {
      decode(newer);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::Version);
    }
  }
}

TEST_F(Train, PredictionsKeepImagesAndShares) {
  open(R"("epochs": 1, )");
  const TrainResult result = run(project);
  const Predictions shown = decodePredictions(
      store->artifacts().read(store->artifacts().list(result.run, "predictions")[0].id));
  ASSERT_EQ(shown.indices.size(), 12U);
  EXPECT_EQ(shown.pixels.size(), 12U * 64);
  for (const auto& row : shown.probabilities) {
    float sum = 0;
    for (const float share : row) sum += share;
    EXPECT_NEAR(sum, 1.0F, 1e-5F);
  }
}

TEST_F(Train, ABadProjectMakesNoRun) {
  open(R"("epochs": 1, )");
  auto graph = *project.graph;
  graph.nodes[7] =
      std::make_shared<NodeSpec>(NodeSpec{"fc", "linear", {{"out_features", int64_t{3}}}});
  ProjectSpec bad = project;
  bad.graph = std::make_shared<GraphSpec>(graph);
  try {
    run(bad);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Input);
    EXPECT_NE(std::string(error.what()).find("the output must be N×4; it is N×3"),
              std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(store->runs().list().empty());
}

TEST_F(Train, UnknownDevicesAreRefusedWithAReason) {
  open(R"("epochs": 1, "device": "cuda:0", )");
  const Issues issues = checkProject(project, folder.path());
  ASSERT_TRUE(hasErrors(issues));
  EXPECT_NE(issueLine(issues[0]).find("cuda:0"), std::string::npos) << issueLine(issues[0]);
  EXPECT_EQ(codeOfIssues(issues), Code::Device);
  Issue other = issues[0];
  other.code = "data.type";
  EXPECT_EQ(codeOfIssues({other}), Code::Input);
  other.code = issues[0].code;
  other.severity = Severity::Warning;
  EXPECT_EQ(codeOfIssues({other}), Code::Input) << "only errors count";
  try {
    run(project);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Device);
  }
  EXPECT_TRUE(store->runs().list().empty());
}

TEST_F(Train, ResumingWithoutACheckpointIsRefused) {
  open(R"("epochs": 1, )");
  const RunId empty = store->runs().create({});
  store->runs().setStatus(empty, RunStatus::Stopped);
  EXPECT_THROW(run(project, 0, empty), Error);
}

TEST_F(Train, ADivergingRunIsSaidAndKept) {
  open(R"("epochs": 3, )");
  auto train = *project.train;
  train.optimizer.params.set("lr", 1000.0);
  train.optimizer.params.set("weight_decay", 10.0);
  ProjectSpec wild = project;
  wild.train = std::make_shared<TrainSpec>(train);
  const TrainResult result = run(wild);
  EXPECT_EQ(result.status, RunStatus::Finished);
  int64_t bad = 0;
  for (const auto& [step, loss] : curve(*store, result.run, "train/loss"))
    bad += !std::isfinite(loss);
  int64_t said = 0;
  for (const Event& event : store->events().read(result.run))
    said += event.code == "train.loss-not-finite";
  EXPECT_GT(bad, 0);
  EXPECT_EQ(said, bad);
}

}  // namespace
}  // namespace tenon
