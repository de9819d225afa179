// SPDX-License-Identifier: Apache-2.0
// What a run forgets when it goes on from an earlier step, and what it keeps.
#include "engine/store/rewind.h"

#include "engine/store/artifacts.h"
#include "engine/store/events.h"
#include "engine/store/metrics.h"
#include "engine/store/run_writer.h"
#include "engine/store/runs.h"
#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

/// Epochs of three steps; what each step and each epoch's end leave in the store.
void trainSteps(const std::shared_ptr<Store>& store, RunId run, int64_t from, int64_t to) {
  RunWriter writer(store, run);
  const MetricId loss = writer.metric("train/loss");
  const MetricId accuracy = writer.metric("validation/accuracy");
  for (int64_t step = from; step <= to; ++step) {
    const auto epoch = static_cast<int32_t>((step - 1) / 3);
    writer.log(loss, step, epoch, 1.0 / static_cast<double>(step));
    writer.event({.step = step, .code = "train.note"});
    if (step % 3 != 0) continue;
    writer.log(accuracy, step, epoch, static_cast<double>(step));
    writer.event({.step = step, .code = "train.epoch"});
    writer.best("accuracy", static_cast<double>(step), step);
    writer.artifact({.kind = "predictions", .step = step, .epoch = epoch}, pattern(50, 1));
    writer.artifact({.kind = "graph", .step = step, .epoch = epoch}, pattern(50, 2));
  }
  writer.close();
}

class RewindTest : public StoreTest {
 protected:
  void SetUp() override {
    store_ = open();
    run_ = store_->runs().create({});
    other_ = store_->runs().create({});
    for (const RunId run : {run_, other_}) trainSteps(store_, run, 1, 12);
  }
  std::vector<int64_t> stepsOf(const std::string& series, RunId run) {
    std::vector<int64_t> steps;
    for (const SeriesInfo& info : store_->metrics().series(run))
      if (info.name == series)
        for (const MetricRow& row : store_->metrics().readRows(info.id, 0, 1000))
          steps.push_back(row.step);
    return steps;
  }
  std::vector<int64_t> eventsOf(const std::string& code, RunId run) {
    std::vector<int64_t> steps;
    for (const Event& event : store_->events().read(run))
      if (event.code == code) steps.push_back(event.step);
    return steps;
  }
  std::vector<int64_t> artifactsOf(const std::string& kind, RunId run) {
    std::vector<int64_t> steps;
    for (const ArtifactInfo& info : store_->artifacts().list(run, kind)) steps.push_back(info.step);
    return steps;
  }
  static Rewind to(int64_t step, int64_t epochEnd) {
    return {step, epochEnd, "validation/", {"train.epoch"}, {"predictions"}};
  }

  std::shared_ptr<Store> store_;
  RunId run_ = 0;
  RunId other_ = 0;
};

using Steps = std::vector<int64_t>;

TEST_F(RewindTest, LaterRowsAndEventsGoAndComeOnceWhenTheyAreMadeAgain) {
  rewindRun(*store_, run_, to(8, 8));
  EXPECT_EQ(stepsOf("train/loss", run_), (Steps{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(eventsOf("train.note", run_), (Steps{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(eventsOf("train.epoch", run_), (Steps{3, 6}));
  EXPECT_EQ(stepsOf("validation/accuracy", run_), (Steps{3, 6}));
  EXPECT_EQ(artifactsOf("predictions", run_), (Steps{3, 6}));
  EXPECT_EQ(artifactsOf("graph", run_), (Steps{3, 6, 9, 12})) << "a person asked for them";
  EXPECT_EQ(store_->runs().get(run_).bestStep, -1) << "found at step 12";
  trainSteps(store_, run_, 9, 12);
  for (const char* code : {"train.note", "train.epoch"})
    EXPECT_EQ(eventsOf(code, run_), eventsOf(code, other_)) << code;
  EXPECT_EQ(artifactsOf("predictions", run_), artifactsOf("predictions", other_));
  EXPECT_EQ(stepsOf("validation/accuracy", run_), (Steps{3, 6, 9, 12}));
}

TEST_F(RewindTest, AnEpochsEndThatIsStillToComeGoesToo) {
  rewindRun(*store_, run_, to(9, 8));
  EXPECT_EQ(stepsOf("train/loss", run_).back(), 9);
  EXPECT_EQ(eventsOf("train.note", run_).back(), 9);
  EXPECT_EQ(eventsOf("train.epoch", run_), (Steps{3, 6}));
  EXPECT_EQ(stepsOf("validation/accuracy", run_), (Steps{3, 6}));
  EXPECT_EQ(artifactsOf("predictions", run_), (Steps{3, 6}));
}

TEST_F(RewindTest, OtherRunsAndWhatCameBeforeStay) {
  rewindRun(*store_, run_, to(12, 12));
  for (const RunId run : {run_, other_}) {
    EXPECT_EQ(stepsOf("train/loss", run).size(), 12u);
    EXPECT_EQ(eventsOf("train.note", run).size(), 12u);
    EXPECT_EQ(eventsOf("train.epoch", run), (Steps{3, 6, 9, 12}));
    EXPECT_EQ(store_->runs().get(run).bestStep, 12);
  }
}

}  // namespace
}  // namespace tenon
