// SPDX-License-Identifier: Apache-2.0
// A run that finds no memory: what a user reads, what it leaves behind, and that the next one gives
// the bits it would have given.
#include <map>
#include <set>
#include <string>

#include "tests/engine/train/train_fixture.h"
#include "tests/support/error_text.h"
#include "tests/support/failing_allocation.h"
#include "tests/support/threads_guard.h"

namespace tenon {
namespace {

using testing::newestParts;
using testing::PartBytes;

class FailingMemory : public testing::TrainFixture {
 protected:
  /// One step of 16 images, everything on this thread.
  void SetUp() override {
    TrainFixture::SetUp();
    open(R"("epochs": 1, "threads": 1, "workers": 0, )", 32);
  }
  TrainResult oneStep() { return run(project, 1); }
  RunInfo newest() const {
    RunInfo last;
    for (const RunInfo& each : store->runs().list())
      if (each.id > last.id) last = each;
    return last;
  }
};

/// What stands in the text of a failure in a step.
void expectText(const std::string& text) {
  for (const char* part : {"no room for ", "asked for by ", " step 1", ": device has ", " in all, ",
                           " free; allocated ", "reserved but unallocated ", "; largest live: "})
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
  if (phaseIn(text) != "data") {
    EXPECT_NE(namedIn(text, "operator"), "") << text;
  }
  if (phaseIn(text) == "forward") {
    EXPECT_EQ(text.rfind("layer '" + namedIn(text, "layer") + "': ", 0), 0U) << text;
  }
}

TEST_F(FailingMemory, SaysWhoAskedAndTheNextRunGivesTheSameBits) {
  const TrainResult whole = oneStep();
  const PartBytes wanted = newestParts(*store, whole.run);
  std::map<std::string, std::set<std::string>> layers;  // by phase
  const size_t live = memory::cpuAllocator().allocatedBytes();
  uint64_t n = 1;
  for (; n < 2000; ++n) {
    SCOPED_TRACE("allocation " + std::to_string(n));
    const Failed failed = failAt(n, [&] { oneStep(); });
    if (!failed.reached) break;
    if (!failed.error) {  // trying the project's parts beforehand leaves this to the training
      EXPECT_EQ(newestParts(*store, newest().id), wanted);
      continue;
    }
    const std::string text = failed.error->what();
    EXPECT_EQ(failed.error->code(), Code::Memory) << text;
    EXPECT_EQ(memory::cpuAllocator().allocatedBytes(), live) << text;
    if (text.find("step 1") != std::string::npos) {
      expectText(text);
      layers[phaseIn(text)].insert(namedIn(text, "layer"));
      EXPECT_EQ(newest().status, RunStatus::Failed);
      EXPECT_EQ(newest().failure, text);
    }
    if (HasFailure()) return;
  }
  EXPECT_LT(n, 2000U);
  for (const char* phase : {"forward", "backward", "optimizer"})
    EXPECT_FALSE(layers[phase].empty()) << phase;
  for (const char* layer : {"conv", "bn", "fc"})
    EXPECT_TRUE(layers["forward"].contains(layer) || layers["backward"].contains(layer)) << layer;
  EXPECT_EQ(newestParts(*store, oneStep().run), wanted);
}

/// Both are the process's and the thread's, not the run's.
TEST_F(FailingMemory, ThreadsAndTheDeterministicOptionAreAsBefore) {
  change([](TrainSpec& train) {
    train.threads = 3;
    train.deterministic = true;
  });
  const FixedCompute compute(2, false);
  const auto unchanged = [] {
    EXPECT_EQ(backend::threads(), 2);
    EXPECT_FALSE(gate::threadState().deterministic);
  };
  oneStep();
  unchanged();
  uint64_t n = 1;
  while (n < 2000 && !failAt(n, [&] { oneStep(); }).error) ++n;
  EXPECT_LT(n, 2000U) << "no run failed";
  unchanged();
  change([](TrainSpec& train) { train.loss.type = "none of them"; });
  EXPECT_NE(errorOf([&] { oneStep(); }), "no error") << "before there is a run";
  unchanged();
  change([](TrainSpec& train) { train.loss.type = "cross_entropy"; });
  change([](TrainSpec& train) { train.deterministic = false; });
  gate::threadState().deterministic = true;
  oneStep();
  EXPECT_TRUE(gate::threadState().deterministic);
}

TEST_F(FailingMemory, ADeterministicRunGivesTheSameBitsWithAnyThreads) {
  change([](TrainSpec& train) { train.deterministic = true; });
  PartBytes wanted;
  for (const int64_t threads : {1, 2, 3, 7}) {
    change([&](TrainSpec& train) { train.threads = threads; });
    const PartBytes got = newestParts(*store, run(project).run);
    if (wanted.empty()) wanted = got;
    EXPECT_EQ(got, wanted) << threads << " threads";
  }
}

}  // namespace
}  // namespace tenon
