// SPDX-License-Identifier: Apache-2.0
// Clocks, ids, hash, and the log with its sinks.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>

#include "engine/base/clock.h"
#include "engine/base/duration.h"
#include "engine/base/error.h"
#include "engine/base/hash.h"
#include "engine/base/ids.h"
#include "engine/base/log.h"

namespace tenon {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kSecond = 1'000'000'000;

/// A folder that goes with the test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "tenon-base-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  std::string file(const std::string& name) const { return (fs::path(path_) / name).string(); }

 private:
  std::string path_;
};

std::string contents(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(Duration, IsToldInTwoUnitsAtMost) {
  EXPECT_EQ(durationText(0), "0 s");
  EXPECT_EQ(durationText(41'600'000), "42 s");
  EXPECT_EQ(durationText(59'499'999), "59 s");
  EXPECT_EQ(durationText(59'500'000), "1 min 00 s");
  EXPECT_EQ(durationText(245'000'000), "4 min 05 s");
  EXPECT_EQ(durationText(3'599'500'000), "1 h 00 min");
  EXPECT_EQ(durationText(3'720'000'000), "1 h 02 min");
  EXPECT_EQ(durationText(7'199'400'000), "1 h 59 min");
}

TEST(Clock, IsoTimeOfKnownMoments) {
  EXPECT_EQ(isoTime(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(isoTime(1'795'970'761 * kSecond + 250'999'999), "2026-11-29T16:46:01.250Z");
  EXPECT_EQ(isoTime(-1), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(isoTime(951'782'400 * kSecond), "2000-02-29T00:00:00.000Z");
}

TEST(Clock, IsoTimeReadsBack) {
  EXPECT_EQ(parseIsoTime("2026-11-29T16:46:01.250Z"), 1'795'970'761 * kSecond + 250'000'000);
  EXPECT_EQ(parseIsoTime("2026-11-29T16:46:01Z"), 1'795'970'761 * kSecond);
  EXPECT_EQ(parseIsoTime("1970-01-01T00:00:00.123456789Z"), 123'456'789);
  for (int64_t ns : {int64_t{0}, -kSecond, 4'000'000'000 * kSecond, -9'000'000'000 * kSecond})
    EXPECT_EQ(parseIsoTime(isoTime(ns)), ns);
}

TEST(Clock, RefusesWhatIsNoTime) {
  for (const char* text :
       {"", "2026", "2026-11-29", "2026-11-29 16:46:01Z", "2026-13-01T00:00:00Z",
        "2025-02-29T00:00:00Z", "2026-11-29T24:00:00Z", "2026-11-29T16:60:01Z",
        "2026-11-29T16:46:01", "2026-11-29T16:46:01Zx", "2026-11-29T16:46:01.1234567890Z",
        "9999-01-01T00:00:00Z", "1600-01-01T00:00:00Z", "2026-11-2xT16:46:01Z"}) {
    try {
      parseIsoTime(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::Input);
      EXPECT_EQ(error.message(),
                "wanted a time like 2026-11-29T16:46:01.250Z, got '" + std::string(text) + "'");
    }
  }
}

TEST(Clock, SystemClockMovesAndManualClockObeys) {
  int64_t before = monotonicNs();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_GE(systemClock().monotonicNs() - before, 2'000'000);
  EXPECT_GT(systemClock().wallNs(), 1'700'000'000 * kSecond);
  ManualClock clock(5 * kSecond);
  clock.advance(kSecond);
  EXPECT_EQ(clock.wallNs(), 6 * kSecond);
  EXPECT_EQ(clock.monotonicNs(), kSecond);
  clock.setWall(0);
  EXPECT_EQ(clock.wallNs(), 0);
  EXPECT_EQ(clock.monotonicNs(), kSecond);
}

TEST(Ids, TellTheTimeAndSort) {
  ManualClock clock(1'795'970'761 * kSecond + 250'000'000);
  IdMaker maker(clock);
  std::string first = maker.next();
  EXPECT_EQ(first.substr(0, 19), "20261129T164601250-");
  EXPECT_TRUE(isId(first)) << first;
  std::string last = first;
  for (int i = 0; i < 1000; ++i) {
    if (i == 500) clock.setWall(0);  // set back by an administrator
    std::string next = maker.next();
    ASSERT_LT(last, next);
    last = next;
  }
}

TEST(Ids, TwoMakersDiffer) {
  ManualClock clock(kSecond);
  EXPECT_NE(IdMaker(clock).next(), IdMaker(clock).next());
}

TEST(Ids, RecognizesItsForm) {
  EXPECT_TRUE(isId("20261129T164601250-7f3k9q"));
  for (const char* text :
       {"", "20261129T164601250-7f3k9", "20261129X164601250-7f3k9q", "20261129T164601250_7f3k9q",
        "20261129T164601250-7f3k9u", "2026112 T164601250-7f3k9q", "20261129T164601250-7f3k9Q"})
    EXPECT_FALSE(isId(text)) << text;
}

TEST(Hash, KnownValuesStay) {
  // Derived by hand: the FNV-1a of "" and "a" (0xcbf29ce484222325, 0xaf63dc4c8601ec8c) through the
  // mix.
  auto mixed = [](uint64_t h) {
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ULL;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBULL;
    return h ^ (h >> 31);
  };
  EXPECT_EQ(hashBytes(""), mixed(0xcbf29ce484222325ULL));
  EXPECT_EQ(hashBytes("a"), mixed(0xaf63dc4c8601ec8cULL));
  EXPECT_NE(hashCombine(hashCombine(0, 1), 2), hashCombine(hashCombine(0, 2), 1));
}

LogRecord record(std::string_view text, LogLevel level = LogLevel::Info) {
  return {level, 1'795'970'761 * kSecond + 250'000'000, 1, "store", text};
}

TEST(Log, LineHasTimeLevelSourceAndIndentedLines) {
  EXPECT_EQ(logLine(record("one\ntwo", LogLevel::Warning)),
            "2026-11-29T16:46:01.250Z warning store: one\n    two\n");
  EXPECT_EQ(logLine(record("bell\a and \x1b[31mred")),
            "2026-11-29T16:46:01.250Z info store: bell and [31mred\n");
  EXPECT_EQ(logLevelName(LogLevel::Debug), "debug");
  EXPECT_EQ(logLevelName(LogLevel::Error), "error");
}

TEST(Log, SendsToEverySinkFromItsLevelOn) {
  Log log;
  log.write(LogLevel::Error, "x", "no sink yet");
  auto first = std::make_shared<RecentLogSink>(10);
  auto second = std::make_shared<RecentLogSink>(10);
  log.attach(first);
  log.attach(second);
  log.write(LogLevel::Debug, "x", "too low");
  log.write(LogLevel::Info, "room", "hello");
  ASSERT_EQ(first->lines().size(), 1U);
  EXPECT_TRUE(first->lines()[0].ends_with(" info room: hello")) << first->lines()[0];
  EXPECT_EQ(second->lines(), first->lines());
  log.setLevel(LogLevel::Warning);
  log.detach(second.get());
  log.write(LogLevel::Info, "room", "too low now");
  log.write(LogLevel::Warning, "room", "kept");
  EXPECT_EQ(first->lines().size(), 2U);
  EXPECT_EQ(second->lines().size(), 1U);
}

TEST(Log, TheProcessLogHasFourShortCalls) {
  auto sink = std::make_shared<RecentLogSink>(10);
  processLog().attach(sink);
  processLog().setLevel(LogLevel::Debug);
  logDebug("a", "1");
  logInfo("b", "2");
  logWarning("c", "3");
  logError("d", "4");
  processLog().detach(sink.get());
  processLog().setLevel(LogLevel::Info);
  std::vector<std::string> ends{" debug a: 1", " info b: 2", " warning c: 3", " error d: 4"};
  ASSERT_EQ(sink->lines().size(), 4U);
  for (size_t i = 0; i < 4; ++i) EXPECT_TRUE(sink->lines()[i].ends_with(ends[i]));
}

TEST(Log, RecentSinkKeepsTheNewest) {
  RecentLogSink sink(2);
  for (const char* text : {"1", "2", "3"}) sink.write(record(text));
  ASSERT_EQ(sink.lines().size(), 2U);
  EXPECT_TRUE(sink.lines()[0].ends_with(": 2"));
  EXPECT_TRUE(sink.lines()[1].ends_with(": 3"));
}

TEST(Log, StderrSinkWritesTheLine) {
  testing::internal::CaptureStderr();
  StderrLogSink().write(record("to the terminal"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "2026-11-29T16:46:01.250Z info store: to the terminal\n");
}

TEST(Log, FileRotatesBeforeItPassesItsSize) {
  Folder folder;
  std::string path = folder.file("tenon.log");
  std::string line = logLine(record("line 0"));
  RotatingFileLogSink sink({path, static_cast<int64_t>(2 * line.size()), 2});
  for (int i = 0; i < 7; ++i) sink.write(record("line " + std::to_string(i)));
  auto lines = [](int a, int b) {
    std::string out = logLine(record("line " + std::to_string(a)));
    return b < 0 ? out : out + logLine(record("line " + std::to_string(b)));
  };
  EXPECT_EQ(contents(path), lines(6, -1));
  EXPECT_EQ(contents(path + ".1"), lines(4, 5));
  EXPECT_EQ(contents(path + ".2"), lines(2, 3));
  EXPECT_FALSE(fs::exists(path + ".3"));
  EXPECT_EQ(sink.dropped(), 0);
}

TEST(Log, FileIsAppendedTo) {
  Folder folder;
  std::string path = folder.file("tenon.log");
  { RotatingFileLogSink({path, 1 << 20, 2}).write(record("first")); }
  { RotatingFileLogSink({path, 1 << 20, 2}).write(record("second")); }
  EXPECT_EQ(contents(path), logLine(record("first")) + logLine(record("second")));
}

TEST(Log, FileThatCannotBeWrittenCountsItsLosses) {
  Folder folder;
  RotatingFileLogSink missing({folder.file("no/such/folder/tenon.log"), 1 << 20, 2});
  missing.write(record("lost"));
  EXPECT_EQ(missing.dropped(), 1);
  RotatingFileLogSink full({"/dev/full", 1 << 20, 0});
  full.write(record("lost"));
  EXPECT_EQ(full.dropped(), 1);
}

TEST(Log, ManyThreadsLoseNoLine) {
  Folder folder;
  std::string path = folder.file("tenon.log");
  Log log;
  auto sink = std::make_shared<RotatingFileLogSink>(RotatingFileLogSink::Options{path, 1 << 20, 1});
  log.attach(sink);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&log] {
      for (int i = 0; i < 200; ++i) log.write(LogLevel::Info, "t", "line");
    });
  for (std::thread& thread : threads) thread.join();
  std::string text = contents(path);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 800);
  EXPECT_EQ(sink->dropped(), 0);
}

}  // namespace
}  // namespace tenon
