// SPDX-License-Identifier: Apache-2.0
// Curves: packing of rows, down-sampling against brute force, incremental reading, rewinding.
#include "engine/store/metrics.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "engine/store/point_pack.h"
#include "engine/store/rewind.h"
#include "engine/store/run_writer.h"
#include "engine/store/runs.h"
#include "tests/engine/store/store_fixture.h"

namespace tenon {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

bool sameBits(const MetricRow& a, const MetricRow& b) {
  return a.step == b.step && a.timeUs == b.timeUs && a.epoch == b.epoch &&
         std::bit_cast<uint64_t>(a.value) == std::bit_cast<uint64_t>(b.value);
}

void expectRoundTrip(const std::vector<MetricRow>& rows, size_t mostBytes) {
  const std::vector<std::byte> blob = packPoints(rows);
  EXPECT_LE(blob.size(), mostBytes);
  std::vector<MetricRow> back;
  unpackPoints(blob, back);
  ASSERT_EQ(back.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) EXPECT_TRUE(sameBits(rows[i], back[i])) << i;
}

TEST(PointPack, KeepsEveryBit) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const double oddNan = std::bit_cast<double>(0x7ff8dead0000beefu);
  expectRoundTrip({{.step = 5, .timeUs = -3, .value = 0.1, .epoch = -1}}, 80);
  expectRoundTrip({{0, kLeast, kNan, 0}, {kMost, kMost, kInf, 1}, {kLeast, 0, -kInf, -2}}, 120);
  expectRoundTrip({{1, 1, oddNan, 0}, {2, 2, -0.0, 0}, {3, 9, 5e-324, 0}}, 120);
  std::vector<MetricRow> regular, irregular;
  for (int i = 0; i < 4096; ++i) {
    regular.push_back({i * 10, 1'000'000 + i * 4000, static_cast<float>(i) * 0.1f, i / 469});
    irregular.push_back({i * i, 1'000'000 + i * 4000 + i % 7, i * 0.1, i / 469});
  }
  expectRoundTrip(regular, 4096 * 8 + 100);     // f32 values, offsets for the epoch
  expectRoundTrip(irregular, 4096 * 20 + 100);  // f64 values, three columns of offsets
  EXPECT_TRUE(packPoints({}).empty());
}

TEST(PointPack, RefusesEveryTruncationAndEveryLie) {
  std::vector<MetricRow> rows;
  for (int i = 0; i < 20; ++i) rows.push_back({i * i, i * 3, i * 0.5, i});
  const std::vector<std::byte> blob = packPoints(rows);
  std::vector<MetricRow> out;
  for (size_t length = 0; length < blob.size(); ++length)
    EXPECT_THROW(unpackPoints(std::span(blob).first(length), out), Error) << length;
  std::vector<std::byte> longer = blob;
  longer.push_back(std::byte{0});
  EXPECT_THROW(unpackPoints(longer, out), Error);
  for (const size_t place : {size_t{0}, size_t{1}, size_t{4}, size_t{5}}) {
    std::vector<std::byte> lie = blob;
    lie[place] = std::byte{0x77};
    EXPECT_THROW(unpackPoints(lie, out), Error) << place;
  }
}

/// A finished run with one series "v" of the given values at the given steps.
class CurveTest : public StoreTest {
 protected:
  void write(const std::vector<MetricRow>& rows, int commits = 1) {
    store_ = open();
    RunWriter writer(store_, store_->runs().create({}));
    const MetricId id = writer.metric("v", "m");
    for (size_t i = 0; i < rows.size(); ++i) {
      writer.log(id, rows[i].step, rows[i].epoch, rows[i].value);
      if (commits > 1 && i % (rows.size() / static_cast<size_t>(commits)) == 0) writer.flush();
    }
    writer.close();
  }

  SeriesView read(int64_t from, int64_t to, int64_t maxPoints) {
    return store_->metrics().readSeries(
        {.run = 1, .name = "v", .stepFrom = from, .stepTo = to, .maxPoints = maxPoints});
  }

  std::shared_ptr<Store> store_;
};

/// Checks what must hold for any view of `rows`: everything in it once, true extremes, order, size.
void expectTrueView(const SeriesView& view, const std::vector<MetricRow>& rows, int64_t from,
                    int64_t to, int64_t maxPoints) {
  EXPECT_LE(static_cast<int64_t>(view.buckets.size()), maxPoints);
  size_t next = 0;
  int64_t total = 0;
  for (const Bucket& bucket : view.buckets) {
    Bucket wanted{.min = kInf, .max = -kInf};
    wanted.stepFirst = std::numeric_limits<int64_t>::max();
    wanted.stepLast = std::numeric_limits<int64_t>::min();
    for (; wanted.count < bucket.count && next < rows.size(); ++next) {
      const MetricRow& row = rows[next];
      if (row.step < from || row.step > to) continue;
      ++wanted.count;
      wanted.stepFirst = std::min(wanted.stepFirst, row.step);
      wanted.stepLast = std::max(wanted.stepLast, row.step);
      wanted.nanCount += std::isnan(row.value);
      wanted.infCount += std::isinf(row.value);
      if (!std::isfinite(row.value)) continue;
      wanted.min = std::min(wanted.min, row.value);
      wanted.max = std::max(wanted.max, row.value);
      wanted.sum += row.value;
    }
    total += wanted.count;
    ASSERT_EQ(bucket.count, wanted.count);
    ASSERT_EQ(bucket.stepFirst, wanted.stepFirst);
    ASSERT_EQ(bucket.stepLast, wanted.stepLast);
    ASSERT_EQ(bucket.nanCount, wanted.nanCount);
    ASSERT_EQ(bucket.infCount, wanted.infCount);
    ASSERT_EQ(bucket.min, wanted.min);
    ASSERT_EQ(bucket.max, wanted.max);
    ASSERT_NEAR(bucket.sum, wanted.sum, 1e-9 * (1 + std::abs(wanted.sum)));
  }
  int64_t inRange = 0;
  for (const MetricRow& row : rows) inRange += row.step >= from && row.step <= to;
  EXPECT_EQ(total, inRange);
  EXPECT_EQ(view.rows, inRange);
}

std::vector<MetricRow> walk(int count, int64_t stride) {
  std::mt19937 random(7);
  std::normal_distribution<double> step;
  std::vector<MetricRow> rows;
  double value = 0;
  for (int i = 0; i < count; ++i) {
    value += step(random);
    const bool nan = i % 1000 == 17, inf = i % 1777 == 3;
    rows.push_back({i * stride, 0, nan ? kNan : inf ? -kInf : value, i / 100});
  }
  return rows;
}

TEST_F(CurveTest, EveryWidthAndRangeShowsTrueExtremes) {
  const std::vector<MetricRow> rows = walk(40'000, 3);  // 9 chunks and a tail
  write(rows, 7);
  constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
  for (const int64_t width : {1, 2, 5, 40, 300, 2000, 39'999, 40'000, 200'000})
    for (const auto& [from, to] : {std::pair<int64_t, int64_t>{-kAll, kAll},
                                   {0, 0},
                                   {12'288, 24'575},
                                   {50'000, 50'300},
                                   {100'001, kAll}})
      expectTrueView(read(from, to, width), rows, from, to, width);
  EXPECT_TRUE(read(120'000, 200'000, 10).buckets.empty());
  EXPECT_TRUE(read(10, 5, 10).buckets.empty());
}

TEST_F(CurveTest, UsesTheScreenEvenlyAndFully) {
  write(walk(40'000, 1));
  const SeriesView view = read(0, 39'999, 1000);
  // Entries of 32 rows in buckets of 40 steps: every bucket is filled, none is much wider.
  EXPECT_EQ(view.buckets.size(), 1000u);
  for (const Bucket& bucket : view.buckets) {
    EXPECT_LE(bucket.stepLast - bucket.stepFirst, 80);
    EXPECT_GE(bucket.epochLast, bucket.epochFirst);
    EXPECT_LE(bucket.timeFirstUs, bucket.timeLastUs);
    EXPECT_GT(bucket.timeFirstUs, 0);
  }
}

TEST_F(CurveTest, DenseStartDoesNotBlurASparseEnd) {
  std::vector<MetricRow> rows = walk(30'000, 1);
  for (int i = 0; i < 100; ++i) rows.push_back({1'000'000 + i * 10'000, 0, 1000.0 + i, 0});
  write(rows);
  const SeriesView view = read(0, 2'000'000, 500);
  expectTrueView(view, rows, 0, 2'000'000, 500);
  ASSERT_GT(view.buckets.size(), 100u);
  for (size_t i = 0; i < 100; ++i) {
    const Bucket& bucket = view.buckets[view.buckets.size() - 100 + i];
    EXPECT_EQ(bucket.count, 1);
    EXPECT_EQ(bucket.max, 1000.0 + static_cast<double>(i));
  }
}

TEST_F(CurveTest, StepsMayRepeatAndGoBack) {
  std::vector<MetricRow> rows;
  for (int i = 0; i < 9000; ++i) rows.push_back({i < 5000 ? i / 2 : 7000 - i, 0, i * 1.0, 0});
  write(rows);
  for (const int64_t width : {1, 10, 5000})
    expectTrueView(read(-10'000, 10'000, width), rows, -10'000, 10'000, width);
  const std::vector<MetricRow> same(5000, {42, 0, 1.5, 0});
  std::filesystem::remove_all(folder_);
  std::filesystem::create_directory(folder_);
  write(same);
  const SeriesView one = read(42, 42, 100);
  ASSERT_EQ(one.buckets.size(), 1u);
  EXPECT_EQ(one.buckets[0].count, 5000);
  EXPECT_EQ(one.buckets[0].sum, 7500.0);
}

TEST_F(CurveTest, RowsComeBackBitForBit) {
  std::vector<MetricRow> rows = walk(10'000, 2);
  rows[5000].value = std::bit_cast<double>(0xfff8000000001234u);
  write(rows, 9);
  const std::vector<SeriesInfo> series = store_->metrics().series(1);
  ASSERT_EQ(series.size(), 1u);
  EXPECT_EQ(series[0].name, "v");
  EXPECT_EQ(series[0].unit, "m");
  EXPECT_EQ(series[0].rows, 10'000);
  EXPECT_EQ(series[0].lastStep, 19'998);
  EXPECT_EQ(series[0].lastValue, rows.back().value);
  for (const auto& [first, count] : {std::pair<int64_t, int64_t>{0, 10'000},
                                     {0, 1},
                                     {4095, 2},
                                     {8192, 100},
                                     {9999, 50},
                                     {5000, std::numeric_limits<int64_t>::max()}}) {
    const auto part = store_->metrics().readRows(series[0].id, first, count);
    const int64_t wanted = std::min(count, 10'000 - first);
    ASSERT_EQ(static_cast<int64_t>(part.size()), wanted);
    for (int64_t i = 0; i < wanted; ++i) {
      const MetricRow& row = rows[static_cast<size_t>(first + i)];
      const MetricRow& got = part[static_cast<size_t>(i)];
      EXPECT_EQ(got.step, row.step);
      EXPECT_EQ(got.epoch, row.epoch);
      EXPECT_EQ(std::bit_cast<uint64_t>(got.value), std::bit_cast<uint64_t>(row.value));
    }
  }
  EXPECT_TRUE(store_->metrics().readRows(series[0].id, 10'000, 5).empty());
  EXPECT_TRUE(store_->metrics().readRows(99, 0, 5).empty());
  EXPECT_EQ(store_->metrics().readSeries({.run = 1, .name = "none"}).rows, 0);
  EXPECT_EQ(store_->metrics().readSeries({.run = 1}).rows, 0);
  EXPECT_EQ(store_->metrics().readSeries({.run = 9, .name = "v"}).rows, 0);
}

TEST_F(CurveTest, ACursorSeesEachRowOnce) {
  store_ = open();
  RunWriter writer(store_, store_->runs().create({}));
  const MetricId a = writer.metric("a"), b = writer.metric("b");
  EXPECT_EQ(writer.metric("a"), a);
  RunCursor cursor;
  std::vector<double> seenA, seenB;
  int logged = 0;
  for (const int rows : {0, 1, 1, 3000, 2000, 9000, 0, 7}) {
    for (int i = 0; i < rows; ++i, ++logged) {
      writer.log(a, logged, 0, logged);
      if (logged % 2 == 0) writer.log(b, logged, 0, -logged);
    }
    writer.flush();
    // In portions, as a view would.
    for (auto news = store_->metrics().readSince(1, cursor, 1500); !news.empty();
         news = store_->metrics().readSince(1, cursor, 1500))
      for (const SeriesRows& part : news) {
        EXPECT_FALSE(part.restarted);
        std::vector<double>& seen = part.name == "a" ? seenA : seenB;
        EXPECT_EQ(part.firstRow, static_cast<int64_t>(seen.size()));
        for (const MetricRow& row : part.rows) seen.push_back(row.value);
      }
  }
  ASSERT_EQ(seenA.size(), 14'009u);
  ASSERT_EQ(seenB.size(), 7005u);
  for (size_t i = 0; i < seenA.size(); ++i) ASSERT_EQ(seenA[i], static_cast<double>(i));
  for (size_t i = 0; i < seenB.size(); ++i) ASSERT_EQ(seenB[i], -2.0 * static_cast<double>(i));
}

TEST_F(CurveTest, RewindForgetsLaterRowsAndGoesOn) {
  const std::vector<MetricRow> rows = walk(20'000, 1);
  for (const int64_t last : {19'999, 19'990, 16'384, 16'383, 9000, 4095, 10, -1}) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    write(rows, 3);
    RunCursor cursor;
    store_->metrics().readSince(1, cursor);
    rewindRun(*store_, 1, {.lastStep = last, .lastEpochEnd = last});
    const SeriesView view = read(-10, 100'000, 700);
    const std::vector<MetricRow> kept(rows.begin(), rows.begin() + last + 1);
    expectTrueView(view, kept, -10, 100'000, 700);
    const auto news = store_->metrics().readSince(1, cursor);
    if (last == 19'999) {
      EXPECT_TRUE(news.empty()) << "nothing was dropped";
    } else {
      ASSERT_EQ(news.size(), 1u);
      EXPECT_TRUE(news[0].restarted);
      EXPECT_EQ(news[0].rows.size(), kept.size());
    }
    RunWriter writer(store_, 1);
    EXPECT_EQ(writer.rowsWritten(), last + 1);
    std::vector<MetricRow> all = kept;
    for (int64_t i = last + 1; i < last + 6000; ++i) {
      all.push_back({i, 0, static_cast<double>(i), 3});
      writer.log(writer.metric("v"), i, 3, static_cast<double>(i));
    }
    writer.close();
    expectTrueView(read(-10, 100'000, 700), all, -10, 100'000, 700);
  }
}

TEST_F(CurveTest, DamagedPacksAreReported) {
  write(walk(10'000, 1));
  store_.reset();
  sql("tenon.sqlite", "UPDATE metric_packs SET data=x'0102' WHERE id=(1 << 34)");
  store_ = open();
  EXPECT_EQ(errorOf([&] { read(0, 100, 10); }).code(), Code::Input);
  store_.reset();
  sql("tenon.sqlite", "DELETE FROM metric_packs WHERE id=(1 << 34)");
  store_ = open();
  const Error error = errorOf([&] { store_->metrics().readRows(1, 0, 10); });
  EXPECT_TRUE(contains(error.message(), "chunk 0 of series 1 is missing")) << error.message();
  store_.reset();
  sql("tenon.sqlite", "UPDATE metric_series SET rows=rows+5");
  store_ = open();
  EXPECT_EQ(errorOf([&] { store_->metrics().readRows(1, 9999, 10); }).code(), Code::Input);
  EXPECT_EQ(errorOf([&] { RunWriter writer(store_, 1); }).code(), Code::Input);
}

}  // namespace
}  // namespace tenon
