// SPDX-License-Identifier: Apache-2.0
// Runs, events, artifacts and the project lock.
#include "engine/store/runs.h"

#include <atomic>
#include <cmath>
#include <fstream>
#include <limits>

#include "engine/store/artifacts.h"
#include "engine/store/checkpoints.h"
#include "engine/store/events.h"
#include "engine/store/metrics.h"
#include "engine/store/project_lock.h"
#include "engine/store/run_writer.h"
#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

TEST_F(StoreTest, RunKeepsWhatItStartedWith) {
  const auto store = open();
  const int64_t before = storeTimeUs();
  const RunId id = store->runs().create({.name = "r",
                                         .seed = 0xfedcba9876543210u,
                                         .device = "cpu",
                                         .settings = "{\"lr\": 0.1}",
                                         .parent = 7});
  const RunInfo run = store->runs().get(id);
  EXPECT_EQ(run.name, "r");
  EXPECT_EQ(run.status, RunStatus::Running);
  EXPECT_TRUE(run.alive());
  EXPECT_EQ(run.seed, 0xfedcba9876543210u);
  EXPECT_EQ(run.device, "cpu");
  EXPECT_EQ(run.settings, "{\"lr\": 0.1}");
  EXPECT_EQ(run.parent, 7);
  EXPECT_EQ(run.pid, getpid());
  EXPECT_EQ(run.step, -1);
  EXPECT_GE(run.startedUs, before);
  EXPECT_LE(run.startedUs, storeTimeUs());
  EXPECT_EQ(run.endedUs, 0);
  EXPECT_EQ(store->runs().get(store->runs().create({})).name, "run 2");
}

TEST_F(StoreTest, RunChangesStatusAndName) {
  const auto store = open();
  const RunId id = store->runs().create({});
  store->runs().setStatus(id, RunStatus::Paused);
  EXPECT_EQ(store->runs().get(id).status, RunStatus::Paused);
  EXPECT_EQ(store->runs().get(id).endedUs, 0);
  store->runs().setStatus(id, RunStatus::Failed, "loss is not a number");
  store->runs().rename(id, "better name");
  const RunInfo run = store->runs().get(id);
  EXPECT_EQ(run.status, RunStatus::Failed);
  EXPECT_EQ(run.failure, "loss is not a number");
  EXPECT_EQ(run.name, "better name");
  EXPECT_GE(run.endedUs, run.startedUs);
  store->runs().takeOver(id);
  EXPECT_EQ(store->runs().get(id).status, RunStatus::Running);
  EXPECT_EQ(store->runs().get(id).failure, "");
  EXPECT_EQ(store->runs().get(id).endedUs, 0);
}

TEST_F(StoreTest, ARunThatGoesOnKeepsWhatItIsTrainedWithNow) {
  const auto store = open();
  const RunId id = store->runs().create({.device = "cpu", .settings = "{\"epochs\":1}"});
  store->runs().setStatus(id, RunStatus::Stopped);
  store->runs().takeOver(id);
  EXPECT_EQ(store->runs().get(id).settings, "{\"epochs\":1}") << "as before";
  EXPECT_EQ(store->runs().get(id).device, "cpu");
  store->runs().takeOver(id, {.device = "cuda:1", .settings = "{\"epochs\":5}"});
  EXPECT_EQ(store->runs().get(id).settings, "{\"epochs\":5}");
  EXPECT_EQ(store->runs().get(id).device, "cuda:1");
  RunWriter writer(store, id);
  writer.settings("{\"epochs\":6}");
  writer.settings("{\"epochs\":7}");
  writer.close();
  EXPECT_EQ(store->runs().get(id).settings, "{\"epochs\":7}");
}

TEST_F(StoreTest, UnknownRunsAreNamed) {
  const auto store = open();
  EXPECT_FALSE(store->runs().find(5).has_value());
  const std::string wanted = "[store] '" + path("tenon.sqlite") + "' has no run 5";
  EXPECT_EQ(errorOf([&] { store->runs().get(5); }).message(), wanted);
  EXPECT_EQ(errorOf([&] { store->runs().setStatus(5, RunStatus::Paused); }).message(), wanted);
  EXPECT_EQ(errorOf([&] { store->runs().rename(5, "x"); }).message(), wanted);
  EXPECT_EQ(errorOf([&] { store->runs().takeOver(5); }).message(), wanted);
  EXPECT_EQ(errorOf([&] { store->removeRun(5); }).code(), Code::Input);
  EXPECT_EQ(errorOf([&] { RunWriter writer(store, 5); }).message(), wanted);
}

TEST_F(StoreTest, RunsAreListedNewestFirstInPages) {
  const auto store = open();
  for (int i = 0; i < 5; ++i) store->runs().create({});
  const auto idsOf = [](const std::vector<RunInfo>& runs) {
    std::vector<RunId> ids;
    for (const RunInfo& run : runs) ids.push_back(run.id);
    return ids;
  };
  EXPECT_EQ(idsOf(store->runs().list()), (std::vector<RunId>{5, 4, 3, 2, 1}));
  EXPECT_EQ(idsOf(store->runs().list(2)), (std::vector<RunId>{5, 4}));
  EXPECT_EQ(idsOf(store->runs().list(2, 4)), (std::vector<RunId>{3, 2}));
}

TEST_F(StoreTest, ADeadProcessLeavesAnInterruptedRun) {
  Shared<std::atomic<int>> ready;
  const pid_t child = inChild([&] {
    const auto store = open();
    store->runs().create({});                                                // 1: running
    store->runs().setStatus(store->runs().create({}), RunStatus::Paused);    // 2
    store->runs().setStatus(store->runs().create({}), RunStatus::Finished);  // 3
    ready->store(1);
    std::this_thread::sleep_for(std::chrono::seconds(60));
  });
  ASSERT_TRUE(eventually([&] { return ready->load() == 1; }));
  {
    const auto store = open();
    EXPECT_EQ(store->runs().get(1).status, RunStatus::Running) << "its process lives";
    EXPECT_EQ(store->runs().get(1).pid, child);
    const Error error = errorOf([&] { store->runs().takeOver(1); });
    EXPECT_EQ(error.code(), Code::Busy);
    EXPECT_TRUE(contains(error.message(), std::to_string(child))) << error.message();
    EXPECT_EQ(errorOf([&] { store->removeRun(1); }).code(), Code::Busy);
  }
  killHard(child);
  // Read only, nothing is written, yet the truth is told.
  EXPECT_EQ(open(OpenMode::ReadOnly)->runs().get(1).status, RunStatus::Interrupted);
  const auto store = open();
  EXPECT_EQ(store->runs().get(1).status, RunStatus::Interrupted);
  EXPECT_EQ(store->runs().get(2).status, RunStatus::Interrupted);
  EXPECT_EQ(store->runs().get(3).status, RunStatus::Finished);
  EXPECT_EQ(store->runs().get(1).endedUs, store->runs().get(1).heartbeatUs);
  EXPECT_EQ(store->runs().markInterrupted(), 0) << "opening has written it";
  store->runs().takeOver(1);
  EXPECT_EQ(store->runs().get(1).status, RunStatus::Running);
}

TEST_F(StoreTest, AReusedPidIsNotTheOldProcess) {
  { open()->runs().create({}); }
  // Same machine, same boot, our own pid, but another start time.
  sql("tenon.sqlite", "UPDATE runs SET process=process || '1'");
  EXPECT_EQ(open()->runs().get(1).status, RunStatus::Interrupted);
}

TEST_F(StoreTest, AForeignProcessLivesByItsHeartbeat) {
  { open()->runs().create({}); }
  sql("tenon.sqlite", "UPDATE runs SET process='other-boot/pid:[1]/42/1000'");
  EXPECT_EQ(open()->runs().get(1).status, RunStatus::Running);
  sql("tenon.sqlite", "UPDATE runs SET heartbeat_us=heartbeat_us - 61000000");
  EXPECT_EQ(open()->runs().get(1).status, RunStatus::Interrupted);
}

TEST_F(StoreTest, RemovingARunTakesAllItHas) {
  const auto store = open();
  for (int i = 0; i < 2; ++i) {
    const RunId run = store->runs().create({});
    RunWriter writer(store, run);
    for (int step = 0; step < 5000; ++step) writer.log(writer.metric("loss"), step, 0, step);
    writer.event({.code = "e"});
    writer.status(RunStatus::Finished);
    writer.close();
    store->artifacts().add({.run = run, .kind = "graph"}, bytesOf("g"));
    const PartView part{"w", "{}", bytesOf(i == 0 ? "one" : "two")};
    store->checkpoints().save({.run = run}, {&part, 1});
  }
  store->removeRun(1);
  EXPECT_FALSE(store->runs().find(1));
  EXPECT_TRUE(store->metrics().series(1).empty());
  EXPECT_TRUE(store->events().read(1).empty());
  EXPECT_TRUE(store->artifacts().list(1).empty());
  EXPECT_TRUE(store->checkpoints().list(1).empty());
  EXPECT_EQ(store->metrics().readSeries({.run = 2, .name = "loss"}).rows, 5000);
  EXPECT_EQ(store->events().read(2).size(), 1u);
  EXPECT_EQ(store->artifacts().list(2).size(), 1u);
  EXPECT_EQ(store->checkpoints().load(2).part("w")->data.size(), 3u);
  EXPECT_EQ(store->runs().create({}), 3) << "numbers are not used again";
}

TEST_F(StoreTest, EventsKeepTextsAndOrder) {
  const auto store = open();
  const std::vector<std::string> args = {"plain", "with \"quotes\" and \\", "line\nbreak\t\x01",
                                         "é", ""};
  const int64_t first = store->events().add({.run = 3,
                                             .step = 12,
                                             .level = EventLevel::Warning,
                                             .code = "a.b",
                                             .text = "x {0}",
                                             .args = args});
  store->events().add({.run = 4, .code = "other run"});
  const int64_t third = store->events().add({.run = 3, .timeUs = 99, .code = "c"});
  const std::vector<Event> events = store->events().read(3);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].id, first);
  EXPECT_EQ(events[0].step, 12);
  EXPECT_EQ(events[0].level, EventLevel::Warning);
  EXPECT_EQ(events[0].code, "a.b");
  EXPECT_EQ(events[0].text, "x {0}");
  EXPECT_EQ(events[0].args, args);
  EXPECT_LE(std::abs(events[0].timeUs - storeTimeUs()), 10'000'000);
  EXPECT_EQ(events[1].timeUs, 99);
  EXPECT_TRUE(events[1].args.empty());
  ASSERT_EQ(store->events().read(3, first).size(), 1u);
  EXPECT_EQ(store->events().read(3, first)[0].id, third);
  EXPECT_EQ(store->events().read(3, 0, 1)[0].id, first);
  EXPECT_TRUE(store->events().read(3, third).empty());
}

TEST_F(StoreTest, ArtifactsComeBackAsGiven) {
  const auto store = open();
  Artifacts& artifacts = store->artifacts();
  const std::vector<std::byte> noise = pattern(70'000, 3);
  const std::vector<std::byte> zeros(70'000);
  const int64_t packed = artifacts.add(
      {.run = 1, .kind = "graph", .step = 5, .epoch = 2, .version = 3, .meta = "{}"}, zeros);
  const int64_t incompressible = artifacts.add({.run = 1, .kind = "memory"}, noise);
  const int64_t plain = artifacts.add({.run = 1, .kind = "graph"}, zeros, Packing::Plain);
  const int64_t empty = artifacts.add({.run = 1, .kind = "graph"}, {});
  EXPECT_EQ(artifacts.read(packed), zeros);
  EXPECT_EQ(artifacts.read(incompressible), noise);
  EXPECT_EQ(artifacts.read(plain), zeros);
  EXPECT_TRUE(artifacts.read(empty).empty());
  const ArtifactInfo info = artifacts.find(packed).value();
  EXPECT_EQ(info.kind, "graph");
  EXPECT_EQ(info.step, 5);
  EXPECT_EQ(info.epoch, 2);
  EXPECT_EQ(info.version, 3);
  EXPECT_EQ(info.bytes, 70'000);
  EXPECT_EQ(info.meta, "{}");
  ASSERT_EQ(artifacts.list(1, "graph").size(), 3u);
  EXPECT_EQ(artifacts.list(1).size(), 4u);
  EXPECT_EQ(artifacts.list(1, "graph")[1].id, plain);
  artifacts.remove(packed);
  EXPECT_FALSE(artifacts.find(packed));
  EXPECT_EQ(errorOf([&] { artifacts.read(packed); }).code(), Code::Input);
  EXPECT_EQ(errorOf([&] { artifacts.remove(packed); }).message(),
            "[store] '" + path("tenon.sqlite") + "' has no artifact 1");
}

TEST_F(StoreTest, DamagedArtifactsAreRefused) {
  const std::vector<std::byte> zeros(70'000);
  { open()->artifacts().add({.run = 1, .kind = "graph"}, zeros); }
  for (const char* change :
       {"UPDATE artifacts SET data=zeroblob(50)", "UPDATE artifacts SET bytes=1 << 60",
        "UPDATE artifacts SET bytes=-1", "UPDATE artifacts SET packing=0"}) {
    sql("tenon.sqlite", change);
    const Error error = errorOf([&] { open()->artifacts().read(1); });
    EXPECT_EQ(error.code(), Code::Input) << change;
    EXPECT_TRUE(contains(error.message(), "artifact 1 is damaged")) << error.message();
  }
}

TEST_F(StoreTest, ProjectLockNamesItsHolder) {
  Shared<std::atomic<int>> ready;
  EXPECT_EQ(ProjectLock::holder(folder_), 0);
  const pid_t child = inChild([&] {
    const ProjectLock lock(folder_);
    ready->store(1);
    std::this_thread::sleep_for(std::chrono::seconds(60));
  });
  ASSERT_TRUE(eventually([&] { return ready->load() == 1; }));
  EXPECT_EQ(ProjectLock::holder(folder_), child);
  const Error error = errorOf([&] { ProjectLock lock(folder_); });
  EXPECT_EQ(error.code(), Code::Busy);
  EXPECT_EQ(error.message(), "[store] project '" + folder_ + "' is open for writing in process " +
                                 std::to_string(child) + "; only one at a time may train in it");
  std::ofstream(path(".tenon.lock")) << "77 elsewhere\n";  // as over a network file system
  EXPECT_TRUE(contains(errorOf([&] { ProjectLock lock(folder_); }).message(),
                       "in process 77 on 'elsewhere'; only"));
  open();
  EXPECT_TRUE(open(OpenMode::ReadOnly)->runs().list().empty()) << "reading needs no lock";
  killHard(child);
  {
    ProjectLock first(folder_);
    EXPECT_EQ(ProjectLock::holder(folder_), getpid());
    const ProjectLock moved = std::move(first);
    EXPECT_EQ(ProjectLock::holder(folder_), getpid());
  }
  EXPECT_EQ(ProjectLock::holder(folder_), 0);
  EXPECT_EQ(errorOf([&] { ProjectLock lock(path("none")); }).osError(), ENOENT);
}

}  // namespace
}  // namespace tenon
