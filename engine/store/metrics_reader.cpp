// SPDX-License-Identifier: Apache-2.0
// Reads curves: the level of detail is chosen chunk by chunk from how much of the screen a chunk
// covers.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/base/error.h"
#include "engine/store/database.h"
#include "engine/store/database_options.h"
#include "engine/store/metrics.h"
#include "engine/store/point_pack.h"
#include "engine/store/series_rows.h"
#include "engine/store/summary.h"

namespace tenon {
namespace {

/// Sorts entries and rows into at most `maxPoints` buckets of equal step width. Buckets follow the
/// rows, so in a series whose steps go back the later rows join the bucket reached before.
class Buckets {
 public:
  Buckets(const SeriesQuery& query, int64_t stepFirst, int64_t stepLast)
      : from_(std::max(query.stepFrom, stepFirst)),
        most_(std::max<int64_t>(1, query.maxPoints) - 1) {
    const int64_t to = std::min(query.stepTo, stepLast);
    const double steps = static_cast<double>(to) - static_cast<double>(from_) + 1;
    width_ = std::max(1.0, steps / static_cast<double>(most_ + 1));
  }

  double width() const { return width_; }

  template <typename Item>
  void add(const Item& item, int64_t step) {
    const double distance = static_cast<double>(step) - static_cast<double>(from_);
    const auto place = std::min(static_cast<int64_t>(std::max(0.0, distance) / width_), most_);
    if (place > current_ || view_.buckets.empty()) {
      view_.buckets.emplace_back();
      current_ = std::max(place, current_);
    }
    const int64_t before = view_.buckets.back().count;
    addTo(view_.buckets.back(), item);
    view_.rows += view_.buckets.back().count - before;
  }

  SeriesView take() { return std::move(view_); }

 private:
  int64_t from_;
  int64_t most_;  // greatest place
  double width_;
  int64_t current_ = 0;
  SeriesView view_;
};

/// The level whose entries over a chunk are at least twice as fine as the buckets it covers.
int levelFor(double bucketsCovered) {
  for (int level = static_cast<int>(kLevelRows.size()) - 1; level > 0; --level) {
    const int64_t entries = kChunkRows / kLevelRows[static_cast<size_t>(level)];
    if (static_cast<double>(entries) >= 2 * bucketsCovered) return level;
  }
  return 0;
}

bool overlaps(const SummaryEntry& entry, const SeriesQuery& query) {
  return entry.stepLast >= query.stepFrom && entry.stepFirst <= query.stepTo;
}

bool inside(const SummaryEntry& entry, const SeriesQuery& query) {
  return entry.stepFirst >= query.stepFrom && entry.stepLast <= query.stepTo;
}

class CurveReader {
 public:
  CurveReader(Database& database, const SeriesQuery& query, const SeriesInfo& series)
      : database_(database), query_(query), series_(series.id), stored_(series.rows) {}

  SeriesView read() {
    readLevel(3, 0, kMaxChunk, directory_);
    tail_ = readTail(database_, series_).rows;
    const auto there =
        static_cast<int64_t>(directory_.size()) * kChunkRows + static_cast<int64_t>(tail_.size());
    if (there != stored_)
      throw Error(Code::Input, fmt::format("[store] '{}': series {} has {} rows, wanted {}",
                                           database_.path(), series_, there, stored_));
    if (stored_ == 0) return {};
    Buckets buckets = makeBuckets();
    for (size_t chunk = 0; chunk < directory_.size();) chunk = addChunks(buckets, chunk);
    addRows(buckets, tail_);
    return buckets.take();
  }

 private:
  Buckets makeBuckets() const {
    int64_t first = std::numeric_limits<int64_t>::max();
    int64_t last = std::numeric_limits<int64_t>::min();
    for (const SummaryEntry& entry : directory_) {
      first = std::min(first, entry.stepFirst);
      last = std::max(last, entry.stepLast);
    }
    for (const MetricRow& row : tail_) {
      first = std::min(first, row.step);
      last = std::max(last, row.step);
    }
    return Buckets(query_, first, last);
  }

  void readLevel(int level, int64_t first, int64_t last, std::vector<SummaryEntry>& entries) {
    Statement select(database_,
                     "SELECT data FROM metric_packs WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
    select.bindAll(packKey(series_, level, first), packKey(series_, level, last));
    while (select.step()) appendEntries(database_, select.blob(0), entries);
  }

  int levelOf(size_t chunk, double width) const {
    const SummaryEntry& entry = directory_[chunk];
    if (!inside(entry, query_)) return 0;
    const double steps =
        static_cast<double>(entry.stepLast) - static_cast<double>(entry.stepFirst) + 1;
    return levelFor(steps / width);
  }

  /// Adds the chunks from `chunk` on that have one level, and returns the first that was not added.
  size_t addChunks(Buckets& buckets, size_t chunk) {
    if (!overlaps(directory_[chunk], query_)) return chunk + 1;
    const int level = levelOf(chunk, buckets.width());
    if (level == 0) {
      rows_.clear();
      readChunk(database_, series_, static_cast<int64_t>(chunk), rows_);
      addRows(buckets, rows_);
      return chunk + 1;
    }
    size_t end = chunk + 1;
    while (end < directory_.size() && levelOf(end, buckets.width()) == level) ++end;
    entries_.clear();
    if (level == 3)
      entries_.assign(directory_.begin() + static_cast<ptrdiff_t>(chunk),
                      directory_.begin() + static_cast<ptrdiff_t>(end));
    else
      readLevel(level, static_cast<int64_t>(chunk), static_cast<int64_t>(end) - 1, entries_);
    for (const SummaryEntry& entry : entries_) buckets.add(entry, entry.stepFirst);
    return end;
  }

  void addRows(Buckets& buckets, const std::vector<MetricRow>& rows) {
    for (const MetricRow& row : rows)
      if (row.step >= query_.stepFrom && row.step <= query_.stepTo) buckets.add(row, row.step);
  }

  Database& database_;
  const SeriesQuery& query_;
  int64_t series_;
  int64_t stored_;                       // rows of the series
  std::vector<SummaryEntry> directory_;  // one entry a full chunk
  std::vector<MetricRow> tail_;
  std::vector<MetricRow> rows_;        // reused
  std::vector<SummaryEntry> entries_;  // reused
};

/// Rows [first, end) of a series that has `stored` rows.
std::vector<MetricRow> rowsOf(Database& database, int64_t series, int64_t stored, int64_t first,
                              int64_t end) {
  std::vector<MetricRow> rows;
  end = std::min(end, stored);
  if (first >= end) return rows;
  const int64_t packed = tailStart(database, series, stored);
  int64_t have = first / kChunkRows * kChunkRows;  // number of the first row in `rows`
  for (int64_t row = have; row < std::min(end, packed); row += kChunkRows)
    readChunk(database, series, row / kChunkRows, rows);
  if (end > packed) {
    const Tail tail = readTail(database, series, first);
    if (rows.empty()) have = tail.firstRow;
    rows.insert(rows.end(), tail.rows.begin(), tail.rows.end());
  }
  if (have > first || have + static_cast<int64_t>(rows.size()) < end)
    throw Error(Code::Input, fmt::format("[store] '{}': rows of series {} are missing",
                                         database.path(), series));
  rows.resize(static_cast<size_t>(end - have));
  rows.erase(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(first - have));
  return rows;
}

int64_t rowCount(Database& database, int64_t series) {
  Statement query(database, "SELECT rows FROM metric_series WHERE id=?1");
  query.bind(1, series);
  return query.step() ? query.integer(0) : 0;
}

/// first + count without overflow.
int64_t endOf(int64_t first, int64_t count) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  return count > most - first ? most : first + count;
}

/// The cursor's position in a series, made if the series is new to it.
RunCursor::Position& positionOf(RunCursor& cursor, const StoredSeries& series) {
  for (RunCursor::Position& position : cursor.positions)
    if (position.series == series.info.id) return position;
  return cursor.positions.emplace_back(RunCursor::Position{series.info.id, series.generation, 0});
}

}  // namespace

MetricReader::MetricReader(const Store& store)
    : connection_(std::make_unique<Connection>(metricsDatabase(store, 8192))) {}
MetricReader::~MetricReader() = default;

std::vector<SeriesInfo> MetricReader::series(RunId run) {
  auto database = connection_->use();
  std::vector<SeriesInfo> infos;
  for (StoredSeries& series : storedSeries(*database, run)) infos.push_back(std::move(series.info));
  return infos;
}

SeriesView MetricReader::readSeries(const SeriesQuery& query) {
  auto database = connection_->use();
  Transaction snapshot(*database, Access::Read);
  const std::vector<StoredSeries> found = storedSeries(*database, query.run, query.name);
  if (found.empty() || query.name.empty()) return {};
  return CurveReader(*database, query, found.front().info).read();
}

std::vector<SeriesRows> MetricReader::readSince(RunId run, RunCursor& cursor, int64_t maxRows) {
  auto database = connection_->use();
  Transaction snapshot(*database, Access::Read);
  std::vector<SeriesRows> news;
  for (const StoredSeries& series : storedSeries(*database, run)) {
    RunCursor::Position& position = positionOf(cursor, series);
    const bool restarted = position.generation != series.generation;
    if (restarted) position = {series.info.id, series.generation, 0};
    if (!restarted && (position.nextRow >= series.info.rows || maxRows <= 0)) continue;
    SeriesRows& part = news.emplace_back(
        SeriesRows{series.info.id, series.info.name, position.nextRow, restarted, {}});
    const int64_t end = endOf(position.nextRow, std::max<int64_t>(0, maxRows));
    part.rows = rowsOf(*database, series.info.id, series.info.rows, position.nextRow, end);
    position.nextRow += static_cast<int64_t>(part.rows.size());
    maxRows -= static_cast<int64_t>(part.rows.size());
  }
  return news;
}

std::vector<MetricRow> MetricReader::readRows(int64_t series, int64_t firstRow, int64_t maxRows) {
  auto database = connection_->use();
  Transaction snapshot(*database, Access::Read);
  firstRow = std::max<int64_t>(0, firstRow);
  const int64_t end = endOf(firstRow, std::max<int64_t>(0, maxRows));
  return rowsOf(*database, series, rowCount(*database, series), firstRow, end);
}

}  // namespace tenon
