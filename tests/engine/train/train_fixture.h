// SPDX-License-Identifier: Apache-2.0
// A training on toy images in a folder of its own, and what tests compare of its runs.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "engine/base/error.h"
#include "engine/project/project_file.h"
#include "engine/store/checkpoints.h"
#include "engine/store/metrics.h"
#include "engine/store/runs.h"
#include "engine/train/trainer.h"
#include "tests/support/idx_files.h"

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

class TrainFixture : public ::testing::Test {
 protected:
  void SetUp() override { setenv("TENON_CACHE", folder.path("cache").c_str(), 1); }

  TrainResult run(const TrainRequest& request, TrainSink& sink, TrainControl& control) {
    return Trainer(request, store, control, sink).run();
  }
  TrainResult run(const ProjectSpec& project, int64_t maxSteps = 0, RunId resume = 0) {
    Quiet sink;
    TrainControl control;
    return run({project, folder.path(), resume, maxSteps}, sink, control);
  }
  void open(const std::string& extra) {
    project = readToyProject(writeToyProject(folder.path(), extra));
    store = Store::open(folder.path());
  }

  /// Stops a run of `project` after each of these steps and resumes it: every bit is that of the
  /// unbroken run.
  void checkResumes(const std::vector<int64_t>& steps);

  TemporaryFolder folder;
  ProjectSpec project;
  std::shared_ptr<Store> store;
};

using PartBytes = std::vector<std::pair<std::string, std::vector<std::byte>>>;

/// All parts of the newest checkpoint but the best value's bookkeeping, for comparison bit by bit.
inline PartBytes newestParts(Store& store, RunId run) {
  PartBytes out;
  for (const Part& part : store.checkpoints().load(store.checkpoints().newestWhole(run)->id).parts)
    out.emplace_back(part.name, part.data);
  return out;
}

/// Steps and values of one metric.
inline std::vector<std::pair<int64_t, double>> curve(Store& store, RunId run,
                                                     const std::string& name) {
  std::vector<std::pair<int64_t, double>> out;
  for (const SeriesInfo& info : store.metrics().series(run))
    if (info.name == name)
      for (const MetricRow& row : store.metrics().readRows(info.id, 0, info.rows))
        out.emplace_back(row.step, row.value);
  return out;
}

inline void TrainFixture::checkResumes(const std::vector<int64_t>& steps) {
  const TrainResult whole = run(project);
  const PartBytes wanted = newestParts(*store, whole.run);
  for (const int64_t at : steps) {
    const TrainResult part = run(project, at);
    EXPECT_EQ(part.status, RunStatus::Stopped);
    EXPECT_EQ(part.step, at);
    const TrainResult rest = run(project, 0, part.run);
    EXPECT_EQ(rest.run, part.run);
    EXPECT_EQ(rest.status, RunStatus::Finished);
    EXPECT_EQ(newestParts(*store, rest.run), wanted) << "resumed at step " << at;
    for (const char* name : {"train/loss", "train/learning_rate", "validation/accuracy"})
      EXPECT_EQ(curve(*store, rest.run, name), curve(*store, whole.run, name)) << name << " " << at;
  }
}

}  // namespace tenon::testing
