// SPDX-License-Identifier: GPL-3.0-or-later
// A rising column of numbers kept as straight runs: steps and epochs cost almost nothing to store.
#pragma once

#include <cstddef>
#include <vector>

namespace tenon::ui {

/// A non-decreasing column stored as runs `base + slope * k`. Whole numbers below 2^53 come back
/// exactly, others within `tolerance` of their size.
class LinearRuns {
 public:
  /// @param tolerance relative deviation that still counts as on the line.
  explicit LinearRuns(double tolerance) : tolerance_(tolerance) {}

  /// Appends a value that must not be below the last one.
  void append(double value);
  void truncate(std::size_t count);
  std::size_t size() const { return size_; }
  double at(std::size_t index) const;
  /// Index of the first value >= `value` (or > `value` if strict); size() if none.
  std::size_t bound(double value, bool strict) const;
  /// Number of runs in use, which is what memory goes by.
  std::size_t runs() const { return runs_.size(); }

 private:
  struct Run {
    std::size_t first;
    double base;
    double slope;
  };
  std::size_t runEnd(std::size_t run) const;

  std::vector<Run> runs_;
  std::size_t size_ = 0;
  double tolerance_;
};

}  // namespace tenon::ui
