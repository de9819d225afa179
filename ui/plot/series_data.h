// SPDX-License-Identifier: GPL-3.0-or-later
// A curve of any length, kept so that every screenful of it costs the same: append-only columns
// with a pyramid of extremes.
#pragma once

#include <QPointF>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "ui/plot/linear_runs.h"

namespace tenon::ui {

/// What the x-axis counts.
enum class XAxis { Step, Epoch, Time };

/// One measured value and where it stands.
struct SeriesPoint {
  std::int64_t step = 0;
  double epoch = 0;    ///< Epochs since the start, fractions included.
  double seconds = 0;  ///< Seconds since the start of the run.
  double value = 0;    ///< May be NaN or infinite: drawn as a mark on the axis, not as a point.
};

/// Extremes of the finite values in a range; `min > max` when there is none.
struct Extent {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double minPositive = std::numeric_limits<double>::infinity();

  bool empty() const { return min > max; }
  void add(double value);
  void add(const Extent& other) {
    min = other.min < min ? other.min : min;
    max = other.max > max ? other.max : max;
    minPositive = other.minPositive < minPositive ? other.minPositive : minPositive;
  }
};

/// A stretch of the x-axis seen through `columns` device pixels.
struct ColumnQuery {
  XAxis axis = XAxis::Step;
  double lower = 0;
  double upper = 1;
  int columns = 1;            ///< Device pixels between lower and upper.
  bool positiveOnly = false;  ///< Hide values <= 0 (log scale).

  /// The column of `x`, 0..columns-1 inside the range.
  int columnOf(double x) const;
  /// x of the left border of a column.
  double border(int column) const { return lower + (upper - lower) * column / columns; }
};

/// A curve: step, epoch, time and value of each point in the order measured.
///
/// Appending costs O(1) without ever moving old points; a point takes about 14 bytes. Steps must
/// not run backwards (see append). Lives on the GUI thread alone.
class SeriesData {
 public:
  /// Adds a point. An epoch or time before the last one is raised to it.
  /// @return false, and nothing is stored, if the step lies before the last one.
  bool append(const SeriesPoint& point);
  /// Adds points in order. @return how many were stored.
  std::size_t append(std::span<const SeriesPoint> points);
  /// Drops all points from `step` on: a run resumed from there measures them again.
  void truncateFrom(std::int64_t step);
  void clear();

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Changes whenever stored points are dropped; what is cached about them is then void.
  std::uint64_t revision() const { return revision_; }

  SeriesPoint at(std::size_t index) const;
  double value(std::size_t index) const;
  /// Place of a point on an axis, in steps, epochs or seconds.
  double x(XAxis axis, std::size_t index) const;
  /// Index of the first point at or right of `x`; size() if there is none.
  std::size_t lowerBound(XAxis axis, double x) const;
  /// Index of the first point right of `x`; size() if there is none.
  std::size_t upperBound(XAxis axis, double x) const;
  /// Index of the point nearest to `x`; size() if the series is empty.
  std::size_t nearest(XAxis axis, double x) const;

  /// Extremes of the points first..last-1, in O(log(last - first)).
  Extent extent(std::size_t first, std::size_t last) const;
  /// Number of finite values among the first `count` points.
  std::size_t finiteBefore(std::size_t count) const;

  /// The curve for drawing: at most two points a column, and in each column its lowest and highest
  /// value; one more point on either side so that lines leave the picture. NaN breaks the line.
  /// Costs O(columns). `out` is overwritten.
  void columns(const ColumnQuery& query, std::vector<QPointF>& out) const;
  /// x of the NaN and infinite values, at most one a column. `out` is overwritten.
  void marks(const ColumnQuery& query, std::vector<double>& out) const;
  /// Value at quantile `q` (0..1) of the finite values in first..last-1, from an even sample of at
  /// most 4,096 of them (exact below that); NaN if there is none.
  void quantiles(std::size_t first, std::size_t last, bool positiveOnly, std::span<const double> q,
                 std::span<double> out) const;
  /// Consecutive values from `first`, as many as lie together in memory (at least one).
  std::span<const double> stretch(std::size_t first) const;

 private:
  struct Chunk;
  struct Gap {
    std::size_t first, last;  ///< Indices of a run of non-finite values.
    std::size_t nonFinite;    ///< Non-finite values before it.
  };
  static void deleteChunk(Chunk* chunk);
  struct ChunkDeleter {
    void operator()(Chunk* chunk) const { deleteChunk(chunk); }
  };

  double seconds(std::size_t index) const;
  std::size_t secondsBound(double seconds, bool strict) const;
  void addToChunk(const SeriesPoint& point);
  void noteGap();
  void emitColumn(const ColumnQuery& query, int column, std::size_t first, std::size_t last,
                  std::vector<QPointF>& out) const;

  LinearRuns steps_{0};
  LinearRuns epochs_{1e-9};
  std::vector<std::unique_ptr<Chunk, ChunkDeleter>> chunks_;
  std::vector<Gap> gaps_;
  std::size_t size_ = 0;
  std::uint64_t revision_ = 0;
  SeriesPoint last_;
};

}  // namespace tenon::ui
