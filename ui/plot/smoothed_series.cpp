// SPDX-License-Identifier: GPL-3.0-or-later
// Block-wise exponential moving average.
#include "ui/plot/smoothed_series.h"

#include <algorithm>
#include <cmath>

namespace tenon::ui {

SmoothedSeries::SmoothedSeries(std::shared_ptr<const SeriesData> data) : data_(std::move(data)) {
  setDecay(0);
}

void SmoothedSeries::setDecay(double decay) {
  if (decay == decay_) return;
  decay_ = std::clamp(decay, 0.0, 0.9999);
  states_.clear();
  for (std::size_t i = 0; i < kBlock; ++i) {
    weights_[i] = (1 - decay_) * std::pow(decay_, static_cast<double>(kBlock - 1 - i));
  }
  blockDecay_ = std::pow(decay_, static_cast<double>(kBlock));
  settledAfter_ = decay_ > 0 ? std::ceil(-60 / std::log2(decay_)) : 1;
}

double SmoothedSeries::after(double state, std::span<const double> block) const {
  for (const double value : block) {
    if (std::isfinite(value)) state = decay_ * state + (1 - decay_) * value;
  }
  return state;
}

void SmoothedSeries::extend() {
  if (revision_ != data_->revision()) {
    revision_ = data_->revision();
    states_.clear();
  }
  if (states_.empty()) states_.push_back(0);
  while (states_.size() * kBlock <= data_->size()) {
    const auto block = data_->stretch((states_.size() - 1) * kBlock).first(kBlock);
    std::array<double, 4> sums{};  // four chains, so that the additions overlap
    for (std::size_t i = 0; i < kBlock; i += 4) {
      for (std::size_t j = 0; j < 4; ++j) sums[j] += weights_[i + j] * block[i + j];
    }
    const double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    const double next = blockDecay_ * states_.back() + sum;
    states_.push_back(std::isfinite(next) ? next : after(states_.back(), block));
  }
}

double SmoothedSeries::at(std::size_t index) {
  extend();
  const std::size_t start = index / kBlock * kBlock;
  const auto rest = data_->stretch(start).first(index - start + 1);
  const auto count = static_cast<double>(data_->finiteBefore(index + 1));
  if (count == 0) return std::numeric_limits<double>::quiet_NaN();
  const double state = after(states_[index / kBlock], rest);
  // Far from the start the weight is 1 to the last bit, and a power costs more than all the rest.
  return count >= settledAfter_ ? state : state / (1 - std::pow(decay_, count));
}

void SmoothedSeries::put(const ColumnQuery& query, std::size_t first, std::size_t index,
                         std::vector<QPointF>& out) {
  double y = at(index);
  const bool gap = data_->finiteBefore(index + 1) == data_->finiteBefore(first) ||
                   (query.positiveOnly && y <= 0);
  if (gap) y = std::numeric_limits<double>::quiet_NaN();
  out.emplace_back(data_->x(query.axis, index), y);
}

void SmoothedSeries::columns(const ColumnQuery& query, std::vector<QPointF>& out) {
  out.clear();
  if (data_->empty() || query.columns < 1 || !(query.upper > query.lower)) return;
  const std::size_t first = data_->lowerBound(query.axis, query.lower);
  const std::size_t last = data_->upperBound(query.axis, query.upper);
  if (first > 0) put(query, first - 1, first - 1, out);
  for (std::size_t index = first; index < last;) {
    const int column = query.columnOf(data_->x(query.axis, index));
    std::size_t end = last;
    if (column + 1 < query.columns) {
      end = std::clamp(data_->lowerBound(query.axis, query.border(column + 1)), index + 1, last);
    }
    put(query, index, end - 1, out);
    index = end;
  }
  if (last < data_->size()) put(query, last, last, out);
}

}  // namespace tenon::ui
