// SPDX-License-Identifier: Apache-2.0
// Opening the store: creation, refusals with their texts, locks, migrations.
#include <array>
#include <atomic>

#include "engine/store/checkpoints.h"
#include "engine/store/database.h"
#include "engine/store/database_options.h"
#include "engine/store/events.h"
#include "engine/store/metrics.h"
#include "engine/store/migrations.h"
#include "engine/store/runs.h"
#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

TEST_F(StoreTest, CreatesAndReopens) {
  {
    const auto store = open();
    EXPECT_EQ(store->runs().create({.name = "first"}), 1);
    EXPECT_EQ(store->metricsPath(), path("tenon.sqlite"));
    EXPECT_FALSE(pathExists(path("checkpoints.sqlite"))) << "made by the first checkpoint only";
    EXPECT_TRUE(store->checkpoints().list(1).empty());
  }
  EXPECT_FALSE(pathExists(path("tenon.sqlite-wal"))) << "folded in at the end";
  const auto again = open(OpenMode::ReadOnly);
  ASSERT_EQ(again->runs().list().size(), 1u);
  EXPECT_EQ(again->runs().list()[0].name, "first");
  EXPECT_EQ(again->mode(), OpenMode::ReadOnly);
}

TEST_F(StoreTest, RefusesAMissingFolderAndAMissingFile) {
  const Error folder = errorOf([&] { Store::open(path("none")); });
  EXPECT_EQ(folder.code(), Code::Io);
  EXPECT_EQ(folder.osError(), ENOENT);
  EXPECT_EQ(folder.message(), "[store] open '" + path("none") + "': No such file or directory");
  const Error file = errorOf([&] { open(OpenMode::ReadOnly); });
  EXPECT_EQ(file.osError(), ENOENT);
  EXPECT_TRUE(contains(file.message(), path("tenon.sqlite")));
}

TEST_F(StoreTest, RefusesANewerVersionAndLeavesItAlone) {
  open();
  sql("tenon.sqlite", "PRAGMA user_version=7");
  const std::string before = readFile(path("tenon.sqlite"), 1 << 24);
  for (const OpenMode mode : {OpenMode::ReadWrite, OpenMode::ReadOnly}) {
    const Error error = errorOf([&] { open(mode); });
    EXPECT_EQ(error.code(), Code::Version);
    EXPECT_TRUE(contains(error.message(), "schema version 7")) << error.message();
    EXPECT_TRUE(contains(error.message(), "up to version 2")) << error.message();
  }
  EXPECT_EQ(readFile(path("tenon.sqlite"), 1 << 24), before);
}

TEST_F(StoreTest, RefusesNewerCheckpoints) {
  open()->checkpoints().save({.run = 1}, {});
  sql("checkpoints.sqlite", "PRAGMA user_version=9");
  const Error error = errorOf([&] { open(); });
  EXPECT_EQ(error.code(), Code::Version);
  EXPECT_TRUE(contains(error.message(), "checkpoints.sqlite")) << error.message();
}

TEST_F(StoreTest, RefusesADatabaseOfSomebodyElse) {
  sql("tenon.sqlite", "CREATE TABLE songs(name)");
  const Error error = errorOf([&] { open(); });
  EXPECT_EQ(error.code(), Code::Input);
  EXPECT_TRUE(contains(error.message(), "another program")) << error.message();
}

TEST_F(StoreTest, RefusesGarbageAndLeavesItAlone) {
  for (const char* name : {"tenon.sqlite", "checkpoints.sqlite"}) {
    const std::string garbage(100'000, 'x');
    writeFileAtomically(path(name), garbage);
    for (const OpenMode mode : {OpenMode::ReadWrite, OpenMode::ReadOnly}) {
      if (mode == OpenMode::ReadOnly && !pathExists(path("tenon.sqlite"))) continue;
      const Error error = errorOf([&] { open(mode); });
      EXPECT_EQ(error.code(), Code::Input);
      EXPECT_TRUE(contains(error.message(), path(name))) << error.message();
      EXPECT_TRUE(contains(error.message(), "damaged")) << error.message();
    }
    EXPECT_EQ(readFile(path(name), 1 << 24), garbage);
    removeFile(path(name));
  }
}

TEST_F(StoreTest, ReportsADamagedPage) {
  {
    const auto store = open();
    for (int i = 0; i < 300; ++i) store->runs().create({.settings = std::string(500, 'x')});
  }
  {
    File file(path("tenon.sqlite"), FileMode::ReadWrite);
    const std::vector<std::byte> noise = pattern(static_cast<size_t>(file.size()) - 16384, 1);
    file.pwrite(noise, 16384);
  }
  const Error error = errorOf([&] { open()->runs().list(); });
  EXPECT_EQ(error.code(), Code::Input);
  EXPECT_TRUE(contains(error.message(), "damaged")) << error.message();
}

TEST_F(StoreTest, AStatementOfOursThatIsWrongIsNoDamage) {
  const auto store = open();
  for (const bool ofCheckpoints : {false, true}) {
    if (ofCheckpoints) store->checkpoints().save({.run = 1}, {});
    Database database(ofCheckpoints ? checkpointsDatabase(*store, 256)
                                    : metricsDatabase(*store, 256));
    for (const char* sql : {"SELECT id FROM runz", "INSERT INTO savings(nothing) VALUES(1)",
                            "SELECT nothing FROM events, parts"}) {
      const Error error = errorOf([&] { database.execute(sql); });
      EXPECT_EQ(error.code(), Code::Internal) << error.message();
      EXPECT_FALSE(contains(error.message(), "damaged")) << error.message();
    }
  }
}

TEST_F(StoreTest, AFileThatLostATableIsDamaged) {
  { open()->runs().create({}); }
  sql("tenon.sqlite", "DROP TABLE events");
  const auto store = open();
  const Error error = errorOf([&] { store->events().read(1); });
  EXPECT_EQ(error.code(), Code::Input);
  EXPECT_TRUE(contains(error.message(), "is damaged")) << error.message();
  sql("tenon.sqlite", "ALTER TABLE runs RENAME COLUMN failure TO success");
  EXPECT_EQ(errorOf([&] { open(OpenMode::ReadOnly)->runs().list(); }).code(), Code::Input);
}

TEST_F(StoreTest, ReportsAReadOnlyFileSystem) {
  FaultPlan plan(FileOperation::Open, 1, EROFS, true);
  FaultScope scope(plan);
  const Error error = errorOf([&] { open(); });
  EXPECT_EQ(error.code(), Code::Io);
  EXPECT_EQ(error.osError(), EROFS);
  EXPECT_EQ(error.message(), "[store] open '" + path("tenon.sqlite") + "': Read-only file system");
}

TEST_F(StoreTest, ReadsInAFolderThatCannotBeWritten) {
  { open()->runs().create({.name = "kept"}); }
  std::filesystem::permissions(path("tenon.sqlite"), std::filesystem::perms(0444));
  std::filesystem::permissions(folder_, std::filesystem::perms(0555));
  const pid_t child = inChild([&] {
    // Root may write everywhere; a user without rights may not.
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return;
    const Error error = errorOf([&] { open(); });
    EXPECT_EQ(error.code(), Code::Io);
    EXPECT_TRUE(contains(error.message(), "tenon.sqlite")) << error.message();
    ASSERT_EQ(open(OpenMode::ReadOnly)->runs().list().size(), 1u);
    EXPECT_EQ(open(OpenMode::ReadOnly)->runs().list()[0].name, "kept");
  });
  EXPECT_TRUE(endedWell(child));
  std::filesystem::permissions(folder_, std::filesystem::perms(0755));
}

TEST_F(StoreTest, WritingIsRefusedInReadOnlyMode) {
  open();
  const auto store = open(OpenMode::ReadOnly);
  EXPECT_EQ(errorOf([&] { store->runs().create({}); }).code(), Code::Io);
  EXPECT_EQ(errorOf([&] { store->checkpoints().save({.run = 1}, {}); }).code(), Code::Usage);
}

TEST_F(StoreTest, SaysWhoIsInTheWay) {
  Shared<std::atomic<int>> stage;
  open();
  const pid_t child = inChild([&] {
    sqlite3* database = nullptr;
    sqlite3_open(path("tenon.sqlite").c_str(), &database);
    sqlite3_exec(database, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr);
    *stage = 1;
    std::this_thread::sleep_for(std::chrono::seconds(60));
  });
  ASSERT_TRUE(eventually([&] { return *stage == 1; }));
  {
    const auto store = open(OpenMode::ReadWrite, 200);  // nothing to write yet
    const auto start = std::chrono::steady_clock::now();
    const Error error = errorOf([&] { store->runs().create({}); });
    const auto waited = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(error.code(), Code::Busy);
    EXPECT_EQ(error.message(), "[store] '" + path("tenon.sqlite") +
                                   "' is held by another process; waited 0.2 s for it");
    EXPECT_GE(waited, std::chrono::milliseconds(190));
    EXPECT_LT(waited, std::chrono::milliseconds(8000));
    EXPECT_TRUE(open(OpenMode::ReadOnly, 200)->runs().list().empty()) << "readers are not stopped";
    killHard(child);
    EXPECT_EQ(store->runs().create({}), 1) << "goes on when the lock is gone";
  }
}

TEST_F(StoreTest, ReadsWhileAnotherProcessWrites) {
  Shared<std::atomic<int>> written;
  const pid_t child = inChild([&] {
    const auto store = open();
    for (int i = 0; i < 200; ++i) {
      store->events().add({.code = "n", .text = std::to_string(i)});
      written->fetch_add(1);
    }
  });
  ASSERT_TRUE(eventually([&] { return written->load() > 0; }));
  {
    const auto store = open(OpenMode::ReadOnly);
    int64_t last = 0;
    while (last < 200)
      for (const Event& event : store->events().read(0, last)) EXPECT_EQ(event.id, ++last);
  }
  EXPECT_TRUE(endedWell(child));
}

constexpr Migration kFakeMigrations[] = {
    {1, "CREATE TABLE a(x); INSERT INTO a VALUES(41);"},
    {2, "ALTER TABLE a ADD COLUMN y DEFAULT 5; UPDATE a SET x=x+1;"},
    {3, "CREATE TABLE b(x); INSERT INTO b SELECT x*y FROM a; INSERT INTO broken VALUES(1);"}};

DatabaseOptions fakeOptions(const std::string& path) {
  DatabaseOptions options;
  options.path = path;
  options.create = true;
  return options;
}

TEST_F(StoreTest, MigratesStepByStep) {
  const std::span<const Migration> all(kFakeMigrations);
  Database database(fakeOptions(path("fake.sqlite")));
  migrate(database, {77, all.first(1)});
  EXPECT_EQ(database.number("PRAGMA user_version"), 1);
  EXPECT_EQ(database.number("PRAGMA application_id"), 77);
  EXPECT_EQ(database.number("SELECT x FROM a"), 41);

  migrate(database, {77, all.first(2)});
  EXPECT_EQ(database.number("PRAGMA user_version"), 2);
  EXPECT_EQ(database.number("SELECT x FROM a"), 42);
  migrate(database, {77, all.first(2)});
  EXPECT_EQ(database.number("SELECT x FROM a"), 42) << "not applied twice";

  // A migration that fails half way leaves version 2 as it was.
  EXPECT_THROW(migrate(database, {77, all}), Error);
  EXPECT_EQ(database.number("PRAGMA user_version"), 2);
  EXPECT_EQ(database.number("SELECT count(*) FROM sqlite_master WHERE name='b'"), 0);
  EXPECT_EQ(errorOf([&] { migrate(database, {77, all.first(1)}); }).code(), Code::Version);
  EXPECT_EQ(errorOf([&] { migrate(database, {78, all.first(2)}); }).code(), Code::Input);
}

TEST_F(StoreTest, SixProcessesMayCreateItAtOnce) {
  for (int round = 0; round < 8; ++round) {
    const std::string folder = path("round" + std::to_string(round));
    std::filesystem::create_directory(folder);
    std::vector<pid_t> children;
    for (int i = 0; i < 6; ++i)
      children.push_back(inChild([&] {
        const auto store = Store::open(folder);
        store->runs().create({});
        store->checkpoints().save({.run = 1}, {});
      }));
    for (const pid_t child : children) EXPECT_TRUE(endedWell(child));
    const auto store = Store::open(folder);
    EXPECT_EQ(store->runs().list().size(), 6u) << "round " << round;
    EXPECT_EQ(store->checkpoints().list(1).size(), 6u) << "round " << round;
  }
}

/// Who looks at a file which another process makes sees it empty or whole, never a stranger's.
TEST_F(StoreTest, AFileBeingMadeIsNobodyElses) {
  for (int round = 0; round < 20; ++round) {
    const std::string file = path("made" + std::to_string(round) + ".sqlite");
    const pid_t maker = inChild([&] {
      Database database(fakeOptions(file));
      migrate(database, {77, std::span<const Migration>(kFakeMigrations).first(2)});
    });
    const pid_t looker = inChild([&] {
      Database database(fakeOptions(file));
      for (int i = 0; i < 200; ++i)
        checkSchema(database, {77, std::span<const Migration>(kFakeMigrations).first(2)});
    });
    EXPECT_TRUE(endedWell(maker));
    EXPECT_TRUE(endedWell(looker));
  }
}

}  // namespace
}  // namespace tenon
