// SPDX-License-Identifier: GPL-3.0-or-later
// Straight runs: a value continues the last run while it lies on its line.
#include "ui/plot/linear_runs.h"

#include <algorithm>
#include <cmath>

namespace tenon::ui {

void LinearRuns::append(double value) {
  if (runs_.empty()) {
    runs_.push_back({0, value, 0});
    size_ = 1;
    return;
  }
  Run& run = runs_.back();
  const std::size_t k = size_ - run.first;
  if (k == 1) {
    run.slope = value - run.base;
  } else {
    const double expected = run.base + run.slope * static_cast<double>(k);
    if (std::abs(expected - value) > tolerance_ * std::max(1.0, std::abs(value))) {
      // What was stored last may lie a hair above what was given; the column must keep rising.
      runs_.push_back({size_, std::max(value, at(size_ - 1)), 0});
    }
  }
  ++size_;
}

void LinearRuns::truncate(std::size_t count) {
  if (count >= size_) return;
  size_ = count;
  while (!runs_.empty() && runs_.back().first >= count) runs_.pop_back();
  // A run of one point has no slope yet: the next value sets it.
  if (!runs_.empty() && size_ - runs_.back().first == 1) runs_.back().slope = 0;
}

double LinearRuns::at(std::size_t index) const {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), index,
                                      [](std::size_t i, const Run& run) { return i < run.first; });
  const Run& run = *(after - 1);
  return run.base + run.slope * static_cast<double>(index - run.first);
}

std::size_t LinearRuns::runEnd(std::size_t run) const {
  return run + 1 < runs_.size() ? runs_[run + 1].first : size_;
}

std::size_t LinearRuns::bound(double value, bool strict) const {
  const auto below = [value, strict](double v) { return strict ? v <= value : v < value; };
  const auto after = std::partition_point(runs_.begin(), runs_.end(),
                                          [&](const Run& run) { return below(run.base); });
  if (after == runs_.begin()) return 0;
  const Run& run = *(after - 1);
  const std::size_t count = runEnd(static_cast<std::size_t>(after - runs_.begin()) - 1) - run.first;
  if (run.slope <= 0) return run.first + count;
  const auto at = [&run](std::size_t k) { return run.base + run.slope * static_cast<double>(k); };
  const double guess = std::ceil((value - run.base) / run.slope);
  auto k = static_cast<std::size_t>(std::clamp(guess, 0.0, static_cast<double>(count)));
  // The division rounds; the stored values decide.
  while (k > 0 && !below(at(k - 1))) --k;
  while (k < count && below(at(k))) ++k;
  return run.first + k;
}

}  // namespace tenon::ui
