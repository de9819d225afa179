// SPDX-License-Identifier: Apache-2.0
// Checkpoints: what is stored once, what is refused, what retention keeps, the background writer.
#include "engine/store/checkpoints.h"

#include <atomic>

#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

struct Model {
  std::vector<std::byte> weights = pattern(100'000, 1);
  std::vector<std::byte> bias = pattern(64, 2);
  std::vector<std::byte> empty;

  std::vector<PartView> views() const {
    return {
        {"w", R"({"dtype":"f32","shape":[25000]})", weights}, {"b", "{}", bias}, {"e", "", empty}};
  }
};

int64_t chunkCount(const std::string& path) {
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database, "SELECT count(*) FROM chunks", -1, &statement, nullptr);
  sqlite3_step(statement);
  const int64_t count = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return count;
}

TEST_F(StoreTest, CheckpointComesBackAsSaved) {
  const auto store = open();
  const Model model;
  const CheckpointInfo saved = store->checkpoints().save(
      {.run = 3, .step = 500, .epoch = 2, .kind = CheckpointKind::Best, .version = 4, .meta = "{}"},
      model.views());
  EXPECT_EQ(saved.id, 1);
  EXPECT_EQ(saved.bytes, 100'064);
  EXPECT_EQ(saved.bytesStored, 100'064);
  const Checkpoint loaded = store->checkpoints().load(saved.id);
  EXPECT_EQ(loaded.info.run, 3);
  EXPECT_EQ(loaded.info.step, 500);
  EXPECT_EQ(loaded.info.epoch, 2);
  EXPECT_EQ(loaded.info.kind, CheckpointKind::Best);
  EXPECT_EQ(loaded.info.version, 4);
  EXPECT_EQ(loaded.info.meta, "{}");
  EXPECT_EQ(loaded.info.createdUs, saved.createdUs);
  ASSERT_EQ(loaded.parts.size(), 3u);
  EXPECT_EQ(loaded.parts[0].name, "w");
  EXPECT_EQ(loaded.parts[0].meta, R"({"dtype":"f32","shape":[25000]})");
  EXPECT_EQ(loaded.parts[0].data, model.weights);
  EXPECT_EQ(loaded.part("b")->data, model.bias);
  EXPECT_TRUE(loaded.part("e")->data.empty());
  EXPECT_EQ(loaded.part("none"), nullptr);
  const std::vector<PartInfo> parts = store->checkpoints().parts(saved.id);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[1].bytes, 64);
  std::vector<std::byte> bias(64);
  store->checkpoints().readPart(saved.id, "b", bias);
  EXPECT_EQ(bias, model.bias);
}

TEST_F(StoreTest, PartsLargerThanAChunkAreCut) {
  const auto store = open();
  const std::vector<std::byte> big = pattern((size_t{35} << 20) + 5, 3);
  const PartView part{"big", "{}", big};
  store->checkpoints().save({.run = 1}, {&part, 1});
  EXPECT_EQ(chunkCount(path("checkpoints.sqlite")), 3);
  EXPECT_TRUE(store->checkpoints().load(1).part("big")->data == big);
  // The same bytes repeated are stored once: one chunk of zeros three times.
  const std::vector<std::byte> zeros(size_t{48} << 20);
  const PartView same{"zeros", "{}", zeros};
  const CheckpointInfo info = store->checkpoints().save({.run = 1}, {&same, 1});
  EXPECT_EQ(info.bytes, int64_t{48} << 20);
  EXPECT_EQ(info.bytesStored, int64_t{16} << 20);
  EXPECT_TRUE(store->checkpoints().load(2).part("zeros")->data == zeros);
}

TEST_F(StoreTest, UnchangedPartsAreStoredOnce) {
  const auto store = open();
  Model model;
  store->checkpoints().save({.run = 1}, model.views());
  model.bias = pattern(64, 9);
  const CheckpointInfo second = store->checkpoints().save({.run = 1}, model.views());
  EXPECT_EQ(second.bytes, 100'064);
  EXPECT_EQ(second.bytesStored, 64);
  EXPECT_EQ(chunkCount(path("checkpoints.sqlite")), 3);
  EXPECT_EQ(store->checkpoints().load(1).part("b")->data, pattern(64, 2));
  EXPECT_EQ(store->checkpoints().load(2).part("b")->data, model.bias);
  EXPECT_EQ(store->checkpoints().load(2).part("w")->data, model.weights);
}

TEST_F(StoreTest, DamageIsFoundAndThePartNamed) {
  {
    const auto store = open();
    store->checkpoints().save({.run = 1}, Model().views());
  }
  std::string bytes = readFile(path("checkpoints.sqlite"), 1 << 24);
  const std::vector<std::byte> weights = Model().weights;
  const size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&weights[50'000]), 16));
  ASSERT_NE(at, std::string::npos);
  bytes[at] ^= 1;
  writeFileAtomically(path("checkpoints.sqlite"), bytes);
  const auto store = open();
  const Error error = errorOf([&] { store->checkpoints().load(1); });
  EXPECT_EQ(error.code(), Code::Input);
  EXPECT_EQ(std::string(error.what()), "checkpoint 1, part 'w': [store] '" +
                                           path("checkpoints.sqlite") +
                                           "' is damaged: the checksum of chunk 1 of 1 differs");
  std::vector<std::byte> bias(64);
  store->checkpoints().readPart(1, "b", bias);
  EXPECT_EQ(bias, Model().bias) << "other parts can still be read";
}

TEST_F(StoreTest, LiesInTheTablesAreRefused) {
  { open()->checkpoints().save({.run = 1}, Model().views()); }
  const std::string before = readFile(path("checkpoints.sqlite"), 1 << 24);
  for (const auto& [change, part] :
       {std::pair<const char*, const char*>{"UPDATE parts SET bytes=1 << 50 WHERE part=0", "'w'"},
        {"UPDATE parts SET bytes=-4 WHERE part=1", "'b'"},
        {"UPDATE chunks SET bytes=1 << 40", "'w'"},
        {"UPDATE chunks SET bytes=100001 WHERE bytes=100000; UPDATE parts SET bytes=100001 WHERE "
         "part=0",
         "'w'"},
        {"DELETE FROM part_chunks WHERE part=1", "'b'"},
        {"DELETE FROM chunks WHERE bytes=64", "'b'"},
        {"UPDATE chunks SET hash=x'00' WHERE bytes=64", "'b'"},
        {"UPDATE chunks SET data=5 WHERE bytes=64", "'b'"}}) {
    writeFileAtomically(path("checkpoints.sqlite"), before);
    sql("checkpoints.sqlite", change);
    const Error error = errorOf([&] { open()->checkpoints().load(1); });
    EXPECT_EQ(error.code(), Code::Input) << change << ": " << error.what();
    EXPECT_TRUE(contains(error.what(), std::string("part ") + part))
        << change << ": " << error.what();
  }
}

TEST_F(StoreTest, WrongRequestsAreNamed) {
  const auto store = open();
  EXPECT_EQ(errorOf([&] { store->checkpoints().load(1); }).message(),
            "[store] the project has no checkpoint 1");
  store->checkpoints().save({.run = 1}, Model().views());
  Checkpoints& checkpoints = store->checkpoints();
  const std::string unknown = "[store] '" + path("checkpoints.sqlite") + "' has no checkpoint 8";
  EXPECT_EQ(errorOf([&] { checkpoints.load(8); }).message(), unknown);
  EXPECT_EQ(errorOf([&] { checkpoints.parts(8); }).message(), unknown);
  EXPECT_EQ(errorOf([&] { checkpoints.remove(8); }).message(), unknown);
  std::vector<std::byte> few(63);
  EXPECT_EQ(errorOf([&] { checkpoints.readPart(1, "b", few); }).message(),
            "[store] checkpoint 1, part 'b' has 64 bytes, wanted 63");
  EXPECT_TRUE(
      contains(errorOf([&] { checkpoints.readPart(1, "x", few); }).message(), "has no part 'x'"));
  const PartView twice[] = {{"a", "", {}}, {"a", "", {}}};
  const Error error = errorOf([&] { checkpoints.save({.run = 1}, twice); });
  EXPECT_EQ(error.code(), Code::Usage);
  EXPECT_EQ(error.message(), "[store] checkpoint has two parts 'a'");
  EXPECT_EQ(checkpoints.list(1).size(), 1u);
}

/// Saves a checkpoint with one part of its own.
int64_t saveOne(Store& store, RunId run, int64_t step, CheckpointKind kind,
                size_t bytes = 300'000) {
  const std::vector<std::byte> data =
      pattern(bytes, static_cast<uint64_t>(run * 1000 + step * 10) + static_cast<uint64_t>(kind));
  const PartView part{"w", "{}", data};
  return store.checkpoints().save({.run = run, .step = step, .kind = kind}, {&part, 1}).id;
}

TEST_F(StoreTest, RetentionKeepsLastBestAndManual) {
  const auto store = open();
  Checkpoints& checkpoints = store->checkpoints();
  for (int step = 1; step <= 5; ++step) saveOne(*store, 1, step, CheckpointKind::Last);
  saveOne(*store, 1, 2, CheckpointKind::Best);
  const int64_t best = saveOne(*store, 1, 4, CheckpointKind::Best);
  const int64_t manual = saveOne(*store, 1, 1, CheckpointKind::Manual);
  saveOne(*store, 2, 1, CheckpointKind::Last);
  EXPECT_EQ(checkpoints.newestWhole(1)->id, manual);
  EXPECT_EQ(checkpoints.best(1)->id, best);
  EXPECT_FALSE(checkpoints.best(2));
  EXPECT_FALSE(checkpoints.newestWhole(3));
  EXPECT_EQ(checkpoints.retain(1, {.keepLast = 2, .keepBest = 1}), 4);
  std::vector<int64_t> kept;
  for (const CheckpointInfo& info : checkpoints.list(1)) {
    kept.push_back(info.id);
    checkpoints.load(info.id);
  }
  EXPECT_EQ(kept, (std::vector<int64_t>{4, 5, best, manual}));
  EXPECT_EQ(chunkCount(path("checkpoints.sqlite")), 5);
  EXPECT_EQ(checkpoints.list(2).size(), 1u);
  EXPECT_EQ(checkpoints.retain(1, {.keepLast = 0, .keepBest = 0}), 1) << "never the newest";
  checkpoints.remove(manual);
  EXPECT_FALSE(checkpoints.find(manual));
  checkpoints.removeRun(1);
  EXPECT_TRUE(checkpoints.list(1).empty());
  EXPECT_EQ(chunkCount(path("checkpoints.sqlite")), 1);
}

TEST_F(StoreTest, FreedSpaceIsUsedAgain) {
  const auto store = open();
  uint64_t sizeAfterThree = 0;
  for (int step = 0; step < 20; ++step) {
    saveOne(*store, 1, step, CheckpointKind::Last, 3 << 20);
    store->checkpoints().retain(1, {.keepLast = 2});
    if (step == 2) sizeAfterThree = std::filesystem::file_size(path("checkpoints.sqlite"));
  }
  EXPECT_LE(std::filesystem::file_size(path("checkpoints.sqlite")), sizeAfterThree + (1 << 18));
}

TEST_F(StoreTest, LargeSavesGoInSeveralTransactions) {
  StoreOptions options;
  options.checkpointBatchBytes = 100'000;
  const auto store = Store::open(folder_, OpenMode::ReadWrite, options);
  std::vector<std::vector<std::byte>> data;
  std::vector<PartView> parts;
  std::vector<std::string> names;
  for (uint64_t i = 0; i < 12; ++i) {
    data.push_back(pattern(60'000, i));
    names.push_back("p" + std::to_string(i));
  }
  for (size_t i = 0; i < 12; ++i) parts.push_back({names[i], "", data[i]});
  store->checkpoints().save({.run = 1}, parts);
  const Checkpoint loaded = store->checkpoints().load(1);
  for (size_t i = 0; i < 12; ++i) EXPECT_EQ(loaded.parts[i].data, data[i]);
  EXPECT_EQ(store->checkpoints().collectGarbage(), 0);
  EXPECT_EQ(chunkCount(path("checkpoints.sqlite")), 12);
}

TEST_F(StoreTest, ClaimsOfTheDeadAreCollectedThoseOfTheLivingStay) {
  const auto store = open();
  saveOne(*store, 1, 1, CheckpointKind::Last);
  sql("checkpoints.sqlite",
      "INSERT INTO chunks(id, hash, bytes, data) VALUES(100, x'01', 3, x'aabbcc'),"
      "(101, x'02', 4, x'aabbccdd'), (102, x'03', 5, x'aabbccddee');"
      "INSERT INTO savings VALUES(1, 'other-boot/pid:[1]/5/6#1');"  // nobody can tell: kept
      "INSERT INTO saving_chunks VALUES(1, 100);"
      "INSERT INTO savings VALUES(2, 'nonsense');"
      "INSERT INTO saving_chunks VALUES(2, 101);");
  EXPECT_EQ(store->checkpoints().collectGarbage(), 9);
  EXPECT_EQ(chunkCount(path("checkpoints.sqlite")), 2);
}

CheckpointData dataOf(int64_t step) {
  CheckpointData data;
  data.head = {.run = 1, .step = step};
  Part& part = data.parts.emplace_back();
  part.name = "w";
  part.data = pattern(200'000, static_cast<uint64_t>(step));
  data.retention = {.keepLast = 2};
  return data;
}

TEST_F(StoreTest, BackgroundWriterSavesAndRetains) {
  const auto store = open();
  std::vector<int64_t> saved;
  {
    CheckpointWriter writer(
        store, {.onSaved = [&](const CheckpointInfo& info) { saved.push_back(info.step); }});
    for (int64_t step = 1; step <= 5; ++step) writer.submit(dataOf(step));
    writer.wait();
    EXPECT_EQ(store->checkpoints().list(1).size(), 2u);
    writer.submit(dataOf(6));
  }
  EXPECT_EQ(saved, (std::vector<int64_t>{1, 2, 3, 4, 5, 6})) << "the destructor waits";
  EXPECT_EQ(store->checkpoints().newestWhole(1)->step, 6);
  EXPECT_EQ(store->checkpoints().load(6).part("w")->data, pattern(200'000, 6));
}

TEST_F(StoreTest, BackgroundWriterKeepsWhatTheDiskRefuses) {
  const auto store = open();
  std::atomic<int> troubles{0}, recovered{0}, saved{0};
  CheckpointWriter writer(store, {.onSaved = [&](const CheckpointInfo&) { ++saved; },
                                  .onTrouble =
                                      [&](const StoreTrouble& trouble) {
                                        EXPECT_EQ(trouble.osError, ENOSPC);
                                        ++troubles;
                                      },
                                  .onRecovered = [&] { ++recovered; },
                                  .retryIntervalMs = 3600'000});
  writer.submit(dataOf(1));
  writer.wait();
  FaultPlan plan(FileOperation::Write, 1, ENOSPC, true);
  {
    FaultScope scope(plan);
    writer.submit(dataOf(2));
    const Error error = errorOf([&] { writer.wait(); });
    EXPECT_EQ(error.osError(), ENOSPC);
    EXPECT_TRUE(contains(error.message(), "checkpoints.sqlite")) << error.message();
    EXPECT_TRUE(writer.inTrouble());
    CheckpointData third = dataOf(3);
    EXPECT_EQ(errorOf([&] { writer.submit(std::move(third)); }).osError(), ENOSPC);
    EXPECT_EQ(third.parts.size(), 1u) << "not taken";
    plan.heal();
    writer.retry();
    EXPECT_TRUE(eventually([&] { return recovered == 1; }));
  }
  writer.wait();
  EXPECT_EQ(troubles, 1);
  EXPECT_EQ(saved, 2);
  EXPECT_FALSE(writer.inTrouble());
  EXPECT_EQ(store->checkpoints().newestWhole(1)->step, 2);
}

}  // namespace
}  // namespace tenon
