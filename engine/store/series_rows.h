// SPDX-License-Identifier: Apache-2.0
// Reading and appending the stored rows of one series; the caller holds the transaction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/store/database.h"
#include "engine/store/metrics.h"

namespace tenon {

struct SummaryEntry;

/// A row of the table metric_series.
struct StoredSeries {
  SeriesInfo info;
  int64_t generation = 0;
};

/// All series of a run, or those of one name.
std::vector<StoredSeries> storedSeries(Database& database, RunId run, std::string_view name = {});

/// Number of the first row that is not in a full chunk; `rows` is the series' count.
int64_t tailStart(Database& database, int64_t series, int64_t rows);

/// Rows outside full chunks, from the stored piece that holds row `fromRow` on.
struct Tail {
  int64_t firstRow = 0;
  std::vector<MetricRow> rows;
};
Tail readTail(Database& database, int64_t series, int64_t fromRow = 0);
/// Appends what a blob of the file holds. @throws Error(Code::Input) naming the file if it is
/// damaged
void appendRows(const Database& database, std::span<const std::byte> blob,
                std::vector<MetricRow>& rows);
void appendEntries(const Database& database, std::span<const std::byte> blob,
                   std::vector<SummaryEntry>& entries);
/// Appends the rows of a full chunk. @throws Error(Code::Input) if it is missing or damaged
void readChunk(Database& database, int64_t series, int64_t chunk, std::vector<MetricRow>& rows);

/// Appends rows to one series. What was added is written by write() and counts as stored after
/// committed(); if the transaction fails in between, write() is simply called again.
class SeriesAppender {
 public:
  SeriesAppender(RunId run, std::string name, std::string unit)
      : run_(run), name_(std::move(name)), unit_(std::move(unit)) {}

  /// Goes on behind the rows that are stored.
  void resume(Database& database, const StoredSeries& series);
  /// Drops all rows from number `row` on, in memory; `write` with `rewritten` stores it.
  void cut(Database& database, int64_t row);

  const std::string& name() const { return name_; }
  void add(const MetricRow& row) { tail_.push_back(row); }
  bool hasNews() const { return tail_.size() > persisted_ || rewritten_; }
  void write(Database& database);
  void committed();

 private:
  void createSeries(Database& database);
  void writeChunk(Database& database, int64_t chunk, size_t first);

  RunId run_;
  std::string name_, unit_;
  int64_t id_ = 0;               // 0: not in the table yet
  int64_t chunks_ = 0;           // full chunks stored
  std::vector<MetricRow> tail_;  // all rows after them
  size_t persisted_ = 0;         // how many of these are in metric_tail
  bool rewritten_ = false;       // rows were dropped: replace the whole tail
  // What committed() makes true.
  int64_t stagedId_ = 0;
  size_t stagedPacked_ = 0;
};

}  // namespace tenon
