// SPDX-License-Identifier: Apache-2.0
// Reads metric curves: down-sampled to the width of a screen, or row by row as they arrive.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/store/store.h"

namespace tenon {

class Connection;

/// One logged value.
struct MetricRow {
  int64_t step = 0;
  int64_t timeUs = 0;
  double value = 0;
  int32_t epoch = 0;
};

/// One curve: the values of one metric name in one run, numbered 0..rows-1 in the order logged.
struct SeriesInfo {
  int64_t id = 0;
  std::string name = {};
  std::string unit = {};
  int64_t rows = 0;
  int64_t lastStep = 0;
  double lastValue = 0;
};

/// Neighbouring rows of a series seen as one. Its extent is what a plot draws as a vertical bar.
struct Bucket {
  int64_t stepFirst = 0, stepLast = 0;  ///< least and greatest step
  int64_t timeFirstUs = 0, timeLastUs = 0;
  double min = 0, max = 0;  ///< of the finite values; min > max if there is none
  double sum = 0;           ///< of the finite values
  int64_t count = 0;        ///< rows, finite or not
  int64_t nanCount = 0, infCount = 0;
  int32_t epochFirst = 0, epochLast = 0;

  int64_t finiteCount() const { return count - nanCount - infCount; }
};

/// What to read of one curve.
struct SeriesQuery {
  RunId run = 0;
  std::string name = {};
  int64_t stepFrom = std::numeric_limits<int64_t>::min();
  int64_t stepTo = std::numeric_limits<int64_t>::max();  ///< inclusive
  int64_t maxPoints = 2000;                              ///< most buckets wanted, >= 1
};

/// Buckets of equal step width in row order, at most `maxPoints`; empty ones are left out. Rows of
/// one step share a bucket; if the range has no more than `maxPoints` steps, each step has its own.
struct SeriesView {
  std::vector<Bucket> buckets = {};
  int64_t rows = 0;  ///< rows in the range
};

/// Where an incremental reader stands; starts empty, readSince moves it on.
struct RunCursor {
  struct Position {
    int64_t series = 0, generation = 0, nextRow = 0;
  };
  std::vector<Position> positions = {};
};

/// New rows of one series.
struct SeriesRows {
  int64_t series = 0;
  std::string name = {};
  int64_t firstRow = 0;
  bool restarted = false;  ///< the series was rewound: forget the rows known of it
  std::vector<MetricRow> rows = {};
};

/// Reader of metrics with a database connection of its own.
/// @thread any; calls of one reader wait for each other, so give a busy view its own.
/// @throws Error (Io, Busy, Input if the database is damaged) from every call
class TENON_API MetricReader {
 public:
  explicit MetricReader(const Store& store);
  ~MetricReader();

  /// The curves of a run, in the order of their first rows.
  std::vector<SeriesInfo> series(RunId run);
  /// A curve down-sampled: the true minima and maxima of every bucket. An unknown run or name has
  /// no rows. 10 M rows take a few milliseconds once the file is in memory.
  SeriesView readSeries(const SeriesQuery& query);
  /// Rows that came since `cursor`, which is moved on; at most `maxRows` in all. Empty: nothing
  /// new.
  std::vector<SeriesRows> readSince(RunId run, RunCursor& cursor, int64_t maxRows = 1'000'000);
  /// Rows [firstRow, firstRow + maxRows) of one series as they are.
  std::vector<MetricRow> readRows(int64_t series, int64_t firstRow, int64_t maxRows);

 private:
  std::unique_ptr<Connection> connection_;
};

}  // namespace tenon
