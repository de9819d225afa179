// SPDX-License-Identifier: Apache-2.0
// Files of the store that are moved, deleted, replaced or overwritten while open: noticed before
// the next commit, said by name, and when the very file is back nothing is missing.
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "engine/base/file_faults.h"
#include "engine/store/checkpoints.h"
#include "engine/store/metrics.h"
#include "engine/store/run_writer.h"
#include "engine/store/runs.h"
#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

namespace fs = std::filesystem;

/// A live run that logs a row whenever asked, and what its writer says.
class LiveRun {
 public:
  explicit LiveRun(std::shared_ptr<Store> storeIn)
      : store(std::move(storeIn)),
        run(store->runs().create({})),
        writer(store, run, options()),
        loss_(writer.metric("loss")) {}

  void log() {
    writer.log(loss_, rows, 0, 0.5 * static_cast<double>(rows));
    ++rows;
  }
  StoreTrouble trouble() {
    const std::lock_guard lock(mutex_);
    return trouble_;
  }
  bool inTrouble() { return !trouble().message.empty(); }
  void expectEveryRow(Store& from) const {
    const auto read = from.metrics().readRows(1, 0, 1 << 20);
    ASSERT_EQ(static_cast<int64_t>(read.size()), rows);
    for (size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i].step, static_cast<int64_t>(i));
  }

  std::shared_ptr<Store> store;
  RunId run;

 private:
  RunWriterOptions options() {
    RunWriterOptions options;
    options.commitInterval = options.retryInterval = std::chrono::milliseconds(5);
    options.onTrouble = [this](const StoreTrouble& what) { say(what); };
    options.onRecovered = [this] { say({}); };
    return options;
  }
  void say(const StoreTrouble& what) {
    const std::lock_guard lock(mutex_);
    trouble_ = what;
  }

  std::mutex mutex_;
  StoreTrouble trouble_;

 public:
  RunWriter writer;
  int64_t rows = 0;

 private:
  MetricId loss_;
};

void expectMisplaced(const StoreTrouble& trouble, const std::string& said) {
  EXPECT_EQ(trouble.code, Code::Io);
  EXPECT_EQ(trouble.osError, ESTALE);
  EXPECT_TRUE(trouble.misplaced());
  EXPECT_FALSE(trouble.nothingIsLost());
  EXPECT_TRUE(contains(trouble.message, said)) << trouble.message;
  EXPECT_TRUE(contains(trouble.message, "back and try again, or stop")) << trouble.message;
}

CheckpointInfo saveOne(Store& store, RunId run, int64_t step) {
  const std::vector<std::byte> bytes = pattern(5000, static_cast<uint64_t>(step));
  const PartView part{"weights", "{}", bytes};
  return store.checkpoints().save({.run = run, .step = step}, {&part, 1});
}

TEST_F(StoreTest, ADeletedDatabaseIsNoticedThoughNothingIsLogged) {
  LiveRun live(open());
  live.log();
  live.writer.flush();
  for (const char* end : {"", "-wal", "-shm"}) fs::remove(path("tenon.sqlite") + end);
  EXPECT_TRUE(eventually([&] { return live.inTrouble(); })) << "the heartbeat says nothing";
  expectMisplaced(live.trouble(),
                  "'" + path("tenon.sqlite") + "' was moved, deleted or replaced while open");
  live.log();
  EXPECT_EQ(errorOf([&] { live.writer.flush(); }).osError(), ESTALE);
  live.writer.status(RunStatus::Stopped);
  EXPECT_EQ(errorOf([&] { live.writer.close(); }).osError(), ESTALE) << "it claims to be stored";
  EXPECT_EQ(errorOf([&] { live.store->runs().create({}); }).osError(), ESTALE);
  EXPECT_FALSE(fs::exists(path("tenon.sqlite")));
}

TEST_F(StoreTest, ADatabaseThatIsPutBackIsWrittenOn) {
  LiveRun live(open());
  live.log();
  live.writer.flush();
  fs::rename(path("tenon.sqlite"), path("elsewhere"));
  live.log();
  ASSERT_TRUE(eventually([&] { return live.inTrouble(); }));
  // A copy is another file: what is written into the one would not be in the other.
  fs::copy_file(path("elsewhere"), path("tenon.sqlite"));
  live.writer.retry();
  EXPECT_EQ(errorOf([&] { live.writer.flush(); }).osError(), ESTALE);
  EXPECT_EQ(errorOf([&] { RunWriter(live.store, live.run); }).osError(), ESTALE);
  fs::rename(path("elsewhere"), path("tenon.sqlite"));
  live.writer.retry();
  EXPECT_TRUE(eventually([&] { return !live.inTrouble(); }));
  live.log();
  live.writer.status(RunStatus::Finished);
  live.writer.close();
  live.expectEveryRow(*open(OpenMode::ReadOnly));
}

TEST_F(StoreTest, ADeletedLogIsNoticed) {
  for (const char* end : {"-wal", "-shm"}) {
    LiveRun live(open());
    live.log();
    live.writer.flush();
    const std::string name = path("tenon.sqlite") + end;
    ASSERT_TRUE(fs::remove(name));
    ASSERT_TRUE(eventually([&] { return live.inTrouble(); })) << end;
    expectMisplaced(live.trouble(), "'" + name + "' was moved");
  }
}

TEST_F(StoreTest, ALostCheckpointFileIsNoticedBetweenSaves) {
  LiveRun live(open());
  saveOne(*live.store, live.run, 1);
  fs::rename(path("checkpoints.sqlite"), path("elsewhere"));
  ASSERT_TRUE(eventually([&] { return live.inTrouble(); }));
  const std::string said = "'" + path("checkpoints.sqlite") + "' was moved, deleted or replaced";
  expectMisplaced(live.trouble(), said);
  const Error refused = errorOf([&] { saveOne(*live.store, live.run, 2); });
  EXPECT_EQ(refused.osError(), ESTALE);
  EXPECT_TRUE(contains(refused.what(), said)) << refused.what();
  // The other file is whole: what can be written is.
  live.log();
  live.writer.status(RunStatus::Failed, "why");
  EXPECT_THROW(live.writer.flush(), Error);
  EXPECT_EQ(live.store->runs().get(live.run).status, RunStatus::Failed);
  live.expectEveryRow(*live.store);
  fs::rename(path("elsewhere"), path("checkpoints.sqlite"));
  EXPECT_NO_THROW(live.writer.flush());
  EXPECT_TRUE(eventually([&] { return !live.inTrouble(); }));
  saveOne(*live.store, live.run, 2);
  EXPECT_EQ(open(OpenMode::ReadOnly)->checkpoints().list(live.run).size(), 2u);
}

TEST_F(StoreTest, AMovedFolderIsSaidAndMayComeBack) {
  const std::string folder = path("project");
  fs::create_directory(folder);
  LiveRun live(Store::open(folder));
  saveOne(*live.store, live.run, 1);
  fs::rename(folder, path("elsewhere"));
  ASSERT_TRUE(eventually([&] { return live.inTrouble(); }));
  const std::string said = "the project folder '" + folder + "' was moved or deleted while open";
  expectMisplaced(live.trouble(), said);
  fs::create_directory(folder);  // another one of that name
  const Error refused = errorOf([&] { saveOne(*live.store, live.run, 2); });
  EXPECT_EQ(refused.osError(), ESTALE);
  EXPECT_TRUE(contains(refused.what(), said)) << refused.what();
  fs::remove(folder);
  fs::rename(path("elsewhere"), folder);
  live.log();
  EXPECT_NO_THROW(live.writer.flush());
  saveOne(*live.store, live.run, 2);
  live.expectEveryRow(*Store::open(folder, OpenMode::ReadOnly));
}

TEST_F(StoreTest, ADeletedFolderIsSaidByTheFirstCheckpointToo) {
  const std::string folder = path("project");
  fs::create_directory(folder);
  const auto store = Store::open(folder);
  fs::remove_all(folder);
  const Error refused = errorOf([&] { saveOne(*store, 1, 1); });
  EXPECT_EQ(refused.osError(), ESTALE);
  EXPECT_TRUE(contains(refused.what(), "the project folder '" + folder + "' was moved or deleted"))
      << refused.what();
  EXPECT_EQ(errorOf([&] { store->runs().create({}); }).osError(), ESTALE);
}

TEST_F(StoreTest, AnOverwrittenBeginningIsNoticed) {
  LiveRun live(open());
  live.log();
  live.writer.flush();
  saveOne(*live.store, live.run, 1);
  std::ofstream(path("tenon.sqlite")) << "garbage";  // empties it first; the same file
  ASSERT_TRUE(eventually([&] { return live.inTrouble(); }));
  const StoreTrouble trouble = live.trouble();
  EXPECT_TRUE(trouble.damaged());
  EXPECT_FALSE(trouble.misplaced());
  EXPECT_FALSE(trouble.nothingIsLost());
  EXPECT_TRUE(contains(trouble.message, "'" + path("tenon.sqlite") + "' is damaged"))
      << trouble.message;
  EXPECT_TRUE(contains(trouble.message, "overwritten while open")) << trouble.message;
  std::ofstream(path("checkpoints.sqlite")) << "";
  const Error refused = errorOf([&] { saveOne(*live.store, live.run, 2); });
  EXPECT_EQ(refused.code(), Code::Input);
  EXPECT_TRUE(contains(refused.what(), path("checkpoints.sqlite"))) << refused.what();
}

/// Its last word could not be written, and this process goes on.
TEST_F(StoreTest, ARunWithoutWriterIsNotAlive) {
  const auto store = open();
  const RunId run = store->runs().create({});
  EXPECT_TRUE(store->runs().get(run).alive()) << "its writer is yet to come";
  FaultPlan full(FileOperation::Write, 1, ENOSPC, true);
  {
    const FaultScope scope(full);
    {
      RunWriter writer(store, run);
      writer.status(RunStatus::Failed, "why");
      EXPECT_EQ(errorOf([&] { writer.close(); }).osError(), ENOSPC);
      EXPECT_EQ(store->runs().get(run).status, RunStatus::Running) << "it tries again";
    }
    for (const RunInfo& info : {store->runs().get(run), store->runs().list().at(0),
                                open(OpenMode::ReadOnly)->runs().get(run)}) {
      EXPECT_EQ(info.status, RunStatus::Interrupted);
      EXPECT_EQ(info.endedUs, info.heartbeatUs);
    }
  }
  EXPECT_EQ(store->runs().markInterrupted(), 1);  // there is space: into the row
  EXPECT_EQ(store->runs().markInterrupted(), 0);
  store->runs().takeOver(run);
  EXPECT_EQ(store->runs().get(run).status, RunStatus::Running);
  {
    RunWriter first(store, run);
    { RunWriter second(store, run); }
    EXPECT_TRUE(store->runs().get(run).alive()) << "one of two writers is left";
  }
  EXPECT_EQ(store->runs().get(run).status, RunStatus::Interrupted);
  EXPECT_TRUE(store->runs().get(store->runs().create({})).alive());
}

}  // namespace
}  // namespace tenon
