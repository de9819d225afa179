// SPDX-License-Identifier: Apache-2.0
// A training on toy images in a folder of its own, and what tests compare of its runs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/error.h"
#include "engine/project/project_file.h"
#include "engine/store/runs.h"
#include "engine/train/trainer.h"
#include "tests/support/idx_files.h"
#include "tests/support/run_contents.h"

namespace tenon::testing {

inline ProjectSpec readToyProject(const std::string& path) {
  ReadResult result = readProject(path);
  throwIfErrors(result.issues);
  return result.project;
}

struct Quiet final : TrainSink {
  std::vector<EpochSummary> epochs;
  std::vector<TrainState> states;
  std::atomic<int64_t> steps{0};
  std::atomic<int> paused{0};
  void onProgress(const TrainProgress& p) override {
    states.push_back(p.state);
    steps = p.step;
    if (p.state == TrainState::Paused) ++paused;
  }
  void onLogged(const LoggedStep& step) override { steps = step.step; }
  void onEpoch(const EpochSummary& epoch) override { epochs.push_back(epoch); }
};

/// Until `condition` fails, or the training has ended: it may have thrown, and then nothing changes
/// any more.
template <class Condition>
void waitWhile(const std::future<TrainResult>& running, Condition condition) {
  while (condition() && running.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    std::this_thread::yield();
}

class TrainFixture : public ::testing::Test {
 protected:
  void SetUp() override { setenv("TENON_CACHE", folder.path("cache").c_str(), 1); }

  /// Changes the training settings of the project.
  void change(const std::function<void(TrainSpec&)>& edit) {
    TrainSpec train = *project.train;
    edit(train);
    project.train = std::make_shared<TrainSpec>(std::move(train));
  }

  TrainResult run(const TrainRequest& request, TrainSink& sink, TrainControl& control) {
    return Trainer(request, store, control, sink).run();
  }
  TrainResult run(const ProjectSpec& project, int64_t maxSteps = 0, RunId resume = 0) {
    Quiet sink;
    TrainControl control;
    return run({project, folder.path(), resume, maxSteps}, sink, control);
  }
  /// `count` training samples, 16 of them a step.
  void open(const std::string& extra, uint32_t count = 96) {
    project = readToyProject(writeToyProject(folder.path(), extra, count));
    store = Store::open(folder.path());
  }

  /// Stops a run of `project` after each of these steps and resumes it: every bit is that of the
  /// unbroken run, in the checkpoint, the curves and the predictions.
  void checkResumes(const std::vector<int64_t>& steps);
  /// So many of the steps 1 to `last`, drawn with `seed`, which a failure names.
  static std::vector<int64_t> drawnSteps(size_t count, int64_t last, uint32_t seed) {
    std::vector<int64_t> steps(static_cast<size_t>(last));
    std::iota(steps.begin(), steps.end(), 1);
    std::shuffle(steps.begin(), steps.end(), std::mt19937(seed));
    steps.resize(count);
    std::string text;
    for (const int64_t step : steps) text += " " + std::to_string(step);
    std::printf("steps drawn with seed %u:%s\n", seed, text.c_str());
    return steps;
  }

  TemporaryFolder folder;
  ProjectSpec project;
  std::shared_ptr<Store> store;
};

inline void TrainFixture::checkResumes(const std::vector<int64_t>& steps) {
  const TrainResult whole = run(project);
  const PartBytes wanted = newestParts(*store, whole.run);
  const Curves curves = allCurves(*store, whole.run);
  EXPECT_GE(curves.size(), 10U);
  for (const int64_t at : steps) {
    const TrainResult part = run(project, at);
    EXPECT_EQ(part.status, RunStatus::Stopped);
    EXPECT_EQ(part.step, at);
    const TrainResult rest = run(project, 0, part.run);
    EXPECT_EQ(rest.run, part.run);
    EXPECT_EQ(rest.status, RunStatus::Finished);
    EXPECT_EQ(newestParts(*store, rest.run), wanted) << "resumed at step " << at;
    EXPECT_EQ(allCurves(*store, rest.run), curves) << "resumed at step " << at;
    EXPECT_EQ(artifactsOf(*store, rest.run, "predictions"),
              artifactsOf(*store, whole.run, "predictions"))
        << "resumed at step " << at;
  }
}

}  // namespace tenon::testing
