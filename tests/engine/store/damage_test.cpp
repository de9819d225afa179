// SPDX-License-Identifier: Apache-2.0
// Damaged files of a store: noticed before anything is written, told with what is safe and what to
// do, and never read as something else than they held.
#include <functional>
#include <map>
#include <random>

#include "engine/store/artifacts.h"
#include "engine/store/checkpoints.h"
#include "engine/store/database.h"
#include "engine/store/database_options.h"
#include "engine/store/events.h"
#include "engine/store/metrics.h"
#include "engine/store/run_writer.h"
#include "engine/store/runs.h"
#include "engine/store/trained_time.h"
#include "tests/engine/store/known_model.h"
#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

constexpr KnownModel kModel{6, 70'000};
constexpr size_t kMetricsPage = 8192;
constexpr size_t kCheckpointsPage = 32768;

class DamageTest : public StoreTest {
 protected:
  /// Runs with everything that a store holds.
  void fill() {
    const auto store = open();
    for (int i = 0; i < 3; ++i) {
      const RunId run =
          store->runs().create({.settings = std::string(3000, static_cast<char>('a' + i))});
      RunWriter writer(store, run);
      const MetricId loss = writer.metric("train/loss");
      for (int64_t step = 1; step <= 10'000; ++step)
        writer.log(loss, step * step, static_cast<int32_t>(step / 469),
                   1.0 / static_cast<double>(step));
      for (int event = 0; event < 60; ++event)
        writer.event({.step = event, .code = "c", .text = "{0}", .args = {std::to_string(event)}});
      writer.status(RunStatus::Finished);
      writer.close();
      store->artifacts().add({.run = run, .kind = "graph"}, std::vector<std::byte>(70'000));
      store->artifacts().add({.run = run, .kind = "memory"}, pattern(70'000, 5));
      kModel.save(*store, run, i);
    }
  }
  std::string fileBytes(const std::string& name) const { return readFile(path(name), 1 << 26); }
  /// Writes noise, or nothing but zeros, over a page (from 0).
  void spoil(const std::string& name, size_t pageBytes, size_t page, uint64_t seed) const {
    std::vector<std::byte> noise = pattern(pageBytes, seed);
    if (seed % 4 == 0) noise.assign(pageBytes, std::byte{0});
    File(path(name), FileMode::ReadWrite).pwrite(noise, page * pageBytes);
  }
  size_t rootOf(const std::string& table) const {
    DatabaseOptions options;
    options.path = path("tenon.sqlite");
    options.readOnly = true;
    return static_cast<size_t>(Database(options).number(
               "SELECT rootpage FROM sqlite_master WHERE name='" + table + "'")) -
           1;
  }
};

using Answers = std::map<std::string, std::string>;

std::string textOf(const RunInfo& run) {
  return std::to_string(run.id) + run.name + run.settings + std::to_string(run.startedUs) + " " +
         std::to_string(run.endedUs) + " " + std::to_string(run.trainedUs);
}

std::string textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string textOf(const SeriesView& view) {
  std::string text;
  for (const Bucket& bucket : view.buckets)
    text += std::to_string(bucket.stepLast) + " " + std::to_string(bucket.max) + "\n";
  return text;
}

/// Everything that the store tells, or "error" where it refuses; each refusal is typed.
Answers readAll(Store& store) {
  Answers answers;
  const auto ask = [&](const std::string& what, const std::function<std::string()>& read) {
    try {
      answers[what] = read();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::Input) << what << ": " << error.what();
      answers[what] = "error";
    }
  };
  ask("list", [&] {
    std::string text;
    for (const RunInfo& run : store.runs().list()) text += textOf(run);
    return text;
  });
  for (RunId run = 1; run <= 3; ++run) {
    const std::string of = " of " + std::to_string(run);
    ask("run" + of, [&] { return textOf(store.runs().get(run)); });
    ask("curve" + of,
        [&] { return textOf(store.metrics().readSeries({.run = run, .name = "train/loss"})); });
    ask("rows" + of, [&] {
      std::string text;
      RunCursor cursor;
      for (const SeriesRows& series : store.metrics().readSince(run, cursor))
        for (const MetricRow& row : series.rows)
          text += std::to_string(row.step) + " " + std::to_string(row.value) + "\n";
      return text;
    });
    ask("events" + of, [&] {
      std::string text;
      for (const Event& event : store.events().read(run)) text += event.args.at(0) + event.text;
      return text;
    });
    for (int64_t artifact = 2 * run - 1; artifact <= 2 * run; ++artifact)
      ask("artifact " + std::to_string(artifact),
          [&] { return textOf(store.artifacts().read(artifact)); });
    ask("checkpoint" + of, [&] {
      std::string text;
      for (const Part& part : store.checkpoints().load(run).parts) text += textOf(part.data);
      return text;
    });
  }
  return answers;
}

/// Opens the store and reads all. What is told was so before.
int judge(const Answers& whole, const std::function<std::shared_ptr<Store>()>& open) {
  std::shared_ptr<Store> store;
  try {
    store = open();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Input) << error.what();
    EXPECT_TRUE(contains(error.message(), ".sqlite'")) << error.message();
    return 1;
  }
  int refused = 0;
  for (const auto& [what, answer] : readAll(*store)) {
    if (answer == "error") {
      ++refused;
    } else {
      EXPECT_TRUE(answer == whole.at(what)) << what << " is told as something else";
    }
  }
  return refused;
}

TEST_F(DamageTest, SpoiltPagesAreNeverReadAsSomethingElse) {
  fill();
  const std::pair<std::string, size_t> files[] = {{"tenon.sqlite", kMetricsPage},
                                                  {"checkpoints.sqlite", kCheckpointsPage}};
  const std::string before[] = {fileBytes(files[0].first), fileBytes(files[1].first)};
  const Answers whole = readAll(*open(OpenMode::ReadOnly));
  for (const auto& [what, answer] : whole) ASSERT_TRUE(answer != "error") << what;
  int refused = 0;
  for (uint64_t seed = 1; seed <= 80 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const size_t which = random() % 2;
    for (int i = 0; i < 2; ++i) writeFileAtomically(path(files[i].first), before[i]);
    const auto& [name, pageBytes] = files[which];
    const size_t pages = before[which].size() / pageBytes;
    for (uint64_t count = 1 + random() % 3; count > 0; --count)
      spoil(name, pageBytes, random() % pages, random());
    refused += judge(whole, [&] { return open(OpenMode::ReadOnly); });
    refused += judge(whole, [&] { return open(); });
  }
  EXPECT_GT(refused, 80) << "the pages hold something";
}

TEST_F(DamageTest, ATruncatedFileIsDamaged) {
  fill();
  for (const char* name : {"tenon.sqlite", "checkpoints.sqlite"}) {
    const std::string before = fileBytes(name);
    writeFileAtomically(path(name), before.substr(0, before.size() / 2));
    const Error error = errorOf([&] { open(); });
    EXPECT_EQ(error.code(), Code::Input);
    EXPECT_TRUE(contains(error.message(), "'" + path(name) + "' is damaged: ")) << error.message();
    writeFileAtomically(path(name), before);
  }
}

TEST_F(DamageTest, ItSaysWhatIsSafeAndWhatToDo) {
  fill();
  const std::string metrics = fileBytes("tenon.sqlite");
  spoil("tenon.sqlite", kMetricsPage, rootOf("events"), 1);
  const Error error = errorOf([&] { open(); });
  EXPECT_TRUE(contains(error.message(),
                       "It was left as it is; the project, its data and the "
                       "checkpoints are in other files"))
      << error.message();
  EXPECT_TRUE(contains(error.message(), "move it and checkpoints.sqlite out of the folder"));
  // Who only reads gets what can be read.
  const auto reader = open(OpenMode::ReadOnly);
  EXPECT_EQ(reader->runs().list().size(), 3U);
  EXPECT_EQ(errorOf([&] { reader->events().read(1); }).message(),
            errorOf([&] { reader->events().read(2); }).message());
  EXPECT_TRUE(contains(errorOf([&] { reader->events().read(1); }).message(), "put back a copy"));
  writeFileAtomically(path("tenon.sqlite"), metrics);
  spoil("checkpoints.sqlite", kCheckpointsPage, 3, 1);
  const Error other = errorOf([&] { open(); });
  EXPECT_TRUE(contains(other.message(), "curves, logs and recordings are in tenon.sqlite"))
      << other.message();
  EXPECT_EQ(open(OpenMode::ReadOnly)->events().read(1).size(), 60U);
}

/// Nothing of the bulk is read at opening, and damage of what is looked up is noticed still.
TEST_F(DamageTest, ALargeStoreOpensAsFast) {
  fill();
  {
    const auto store = open();
    for (int i = 0; i < 3; ++i)
      store->artifacts().add({.run = 1, .kind = "large"}, pattern(16 << 20, 7), Packing::Plain);
  }
  FaultPlan reads(FileOperation::Read, 0, 0);
  {
    const FaultScope scope(reads);
    open();
  }
  EXPECT_GT(reads.count(), 10);
  EXPECT_LT(reads.count() * static_cast<long>(kMetricsPage), 4 << 20) << "of 48 MiB";
  spoil("tenon.sqlite", kMetricsPage, rootOf("events"), 1);
  EXPECT_TRUE(contains(errorOf([&] { open(); }).message(), "is damaged"));
}

TEST_F(DamageTest, AConstraintThatFailsInADamagedFileIsNoFaultOfOurs) {
  fill();
  const auto twice = [&] {
    DatabaseOptions options = metricsDatabase(*open(OpenMode::ReadOnly), 256);
    options.readOnly = false;
    return errorOf([&] {
      Database(options).execute("INSERT INTO metric_names(id, name) VALUES(90, 'x'), (90, 'y')");
    });
  };
  EXPECT_EQ(twice().code(), Code::Internal);
  spoil("tenon.sqlite", kMetricsPage, rootOf("runs_by_status"), 1);
  const Error error = twice();
  EXPECT_EQ(error.code(), Code::Input);
  EXPECT_TRUE(contains(error.message(), "is damaged")) << error.message();
}

}  // namespace
}  // namespace tenon
