// SPDX-License-Identifier: Apache-2.0
// What only long runs show: resuming anywhere, and memory, threads and files that creep up. Run by
// `./dev soak`.
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/engine/train/train_fixture.h"

namespace tenon {
namespace {

using SoakTrain = testing::TrainFixture;

TEST_F(SoakTrain, ResumeAtAHundredRandomStepsGivesTheSameBits) {
  open(R"("epochs": 20, )");  // 120 steps
  checkResumes(drawnSteps(100, 119, 20));
}

/// What a process holds.
struct Holdings {
  int64_t residentBytes = 0;
  int64_t descriptors = 0;
  int64_t threads = 0;
};

int64_t entriesOf(const char* folder) {
  const std::filesystem::directory_iterator entries(folder);
  return std::distance(begin(entries), end(entries));
}

Holdings holdings() {
  int64_t all = 0;
  int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return {resident * sysconf(_SC_PAGESIZE), entriesOf("/proc/self/fd"),
          entriesOf("/proc/self/task")};
}

/// Looks at the process after a warm-up and at the end; stops the run when its time is over.
struct DriftSink final : TrainSink {
  static constexpr int64_t kWarmUp = 5000;  // epochs: until then page caches of the files fill
  TrainControl& control;
  std::chrono::steady_clock::time_point until;
  int64_t epochs = 0;
  Holdings warm;
  Holdings last;
  DriftSink(TrainControl& c, std::chrono::seconds time)
      : control(c), until(std::chrono::steady_clock::now() + time) {}
  void onEpoch(const EpochSummary&) override {
    ++epochs;
    if (epochs == kWarmUp) warm = holdings();
    if (epochs % 100 == 0) last = holdings();
    if (epochs > kWarmUp + 1000 && std::chrono::steady_clock::now() > until) control.stop();
  }
};

TEST_F(SoakTrain, TenThousandShortEpochsLeaveNothingBehind) {
  open(R"("epochs": 10000, )");
  auto train = *project.train;
  train.batchSize = 96;  // a step an epoch
  project.train = std::make_shared<TrainSpec>(train);
  const Holdings before = holdings();
  {
    TrainControl control;
    DriftSink sink(control, std::chrono::minutes(5));
    const TrainResult result = run({project, folder.path()}, sink, control);
    const int64_t drift = sink.last.residentBytes - sink.warm.residentBytes;
    fmt::print("{} epochs, resident memory {} -> {} KiB\n", sink.epochs,
               sink.warm.residentBytes / 1024, sink.last.residentBytes / 1024);
    EXPECT_NE(result.status, RunStatus::Failed);
    // A checkpoint under way holds a journal open for a moment.
    EXPECT_LE(sink.last.descriptors, sink.warm.descriptors + 2);
    EXPECT_EQ(sink.last.threads, sink.warm.threads);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their own books grow
    EXPECT_LE(drift, 1 << 20);
#else
    (void)drift;
#endif
  }
  const Holdings after = holdings();
  // The team of the parallel loops stays, and so do the store's connections, made before or now.
  EXPECT_LE(after.threads, before.threads + sysconf(_SC_NPROCESSORS_ONLN));
  EXPECT_LE(after.descriptors, before.descriptors + 16);
}

}  // namespace
}  // namespace tenon
