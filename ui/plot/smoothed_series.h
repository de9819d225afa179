// SPDX-License-Identifier: GPL-3.0-or-later
// The smoothed form of a curve: an exponential moving average that can be read at any point at
// once.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "ui/plot/series_data.h"

namespace tenon::ui {

/// s_t = d s_{t-1} + (1 - d) v_t over the finite values, divided by 1 - d^t (the correction of
/// Adam, Kingma and Ba 2014, section 3), so that the start is not drawn towards zero.
///
/// Keeps the state at every 16th point: made once per decay at about half a nanosecond a point,
/// extended as the series grows, and read in O(16) anywhere.
class SmoothedSeries {
 public:
  explicit SmoothedSeries(std::shared_ptr<const SeriesData> data);

  /// @param decay 0 to below 1.
  void setDecay(double decay);
  double decay() const { return decay_; }
  /// The average after point `index`; NaN before the first finite value.
  double at(std::size_t index);
  /// One point a column at its last point, and one more on either side.
  void columns(const ColumnQuery& query, std::vector<QPointF>& out);

 private:
  static constexpr std::size_t kBlock = 16;
  void extend();
  double after(double state, std::span<const double> block) const;
  void put(const ColumnQuery& query, std::size_t first, std::size_t index,
           std::vector<QPointF>& out);

  std::shared_ptr<const SeriesData> data_;
  std::vector<double> states_;  // before point kBlock * i
  std::array<double, kBlock> weights_{};
  double decay_ = -1;  // none set yet
  double blockDecay_ = 0;
  double settledAfter_ = 1;  // finite values after which decay^count is below 2^-60
  std::uint64_t revision_ = 0;
};

}  // namespace tenon::ui
