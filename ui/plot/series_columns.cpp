// SPDX-License-Identifier: GPL-3.0-or-later
// A curve as pixels see it: level of detail of SeriesData.
#include <algorithm>
#include <cmath>

#include "ui/plot/series_data.h"

namespace tenon::ui {

namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

bool hidden(double value, bool positiveOnly) {
  return !std::isfinite(value) || (positiveOnly && value <= 0);
}

}  // namespace

int ColumnQuery::columnOf(double x) const {
  const double share = (x - lower) / (upper - lower) * columns;
  int column = static_cast<int>(std::clamp(share, 0.0, static_cast<double>(columns - 1)));
  // The division rounds; the borders decide.
  while (column + 1 < columns && x >= border(column + 1)) ++column;
  while (column > 0 && x < border(column)) --column;
  return column;
}

void SeriesData::columns(const ColumnQuery& query, std::vector<QPointF>& out) const {
  out.clear();
  if (size_ == 0 || query.columns < 1 || !(query.upper > query.lower)) return;
  const auto put = [&](std::size_t index) {
    const double y = value(index);
    out.emplace_back(x(query.axis, index), hidden(y, query.positiveOnly) ? kGap : y);
  };
  const std::size_t first = lowerBound(query.axis, query.lower);
  const std::size_t last = upperBound(query.axis, query.upper);
  if (first > 0) put(first - 1);
  for (std::size_t index = first; index < last;) {
    const int column = query.columnOf(x(query.axis, index));
    std::size_t end = last;
    if (column + 1 < query.columns) {
      end = std::clamp(lowerBound(query.axis, query.border(column + 1)), index + 1, last);
    }
    emitColumn(query, column, index, end, out);
    index = end;
  }
  if (last < size_) put(last);
}

void SeriesData::emitColumn(const ColumnQuery& query, int column, std::size_t first,
                            std::size_t last, std::vector<QPointF>& out) const {
  if (last - first <= 2) {
    for (std::size_t index = first; index < last; ++index) {
      const double y = value(index);
      out.emplace_back(x(query.axis, index), hidden(y, query.positiveOnly) ? kGap : y);
    }
    return;
  }
  const double middle = (query.border(column) + query.border(column + 1)) / 2;
  const Extent extremes = extent(first, last);
  const double low = query.positiveOnly ? extremes.minPositive : extremes.min;
  if (extremes.empty() || low > extremes.max) {
    out.emplace_back(middle, kGap);
    return;
  }
  // The extreme nearer to where the line comes from goes first.
  const double before = out.empty() ? kGap : out.back().y();
  const bool highFirst = std::abs(before - extremes.max) < std::abs(before - low);
  out.emplace_back(middle, highFirst ? extremes.max : low);
  out.emplace_back(middle, highFirst ? low : extremes.max);
}

void SeriesData::marks(const ColumnQuery& query, std::vector<double>& out) const {
  out.clear();
  if (gaps_.empty() || query.columns < 1 || !(query.upper > query.lower)) return;
  const std::size_t last = upperBound(query.axis, query.upper);
  std::size_t index = lowerBound(query.axis, query.lower);
  while (index < last) {
    const auto gap = std::partition_point(gaps_.begin(), gaps_.end(),
                                          [index](const Gap& g) { return g.last <= index; });
    if (gap == gaps_.end() || gap->first >= last) return;
    index = std::max(index, gap->first);
    out.push_back(x(query.axis, index));
    const int column = query.columnOf(out.back());
    if (column + 1 >= query.columns) return;
    index = std::max(index + 1, lowerBound(query.axis, query.border(column + 1)));
  }
}

void SeriesData::quantiles(std::size_t first, std::size_t last, bool positiveOnly,
                           std::span<const double> q, std::span<double> out) const {
  constexpr std::size_t kSample = 4096;
  last = std::min(last, size_);
  const std::size_t stride = last > first ? (last - first + kSample - 1) / kSample : 1;
  std::vector<double> sample;
  for (std::size_t index = first; index < last; index += stride) {
    const double y = value(index);
    if (!hidden(y, positiveOnly)) sample.push_back(y);
  }
  std::sort(sample.begin(), sample.end());
  for (std::size_t i = 0; i < q.size() && i < out.size(); ++i) {
    out[i] = kGap;
    if (sample.empty()) continue;
    const double place = std::clamp(q[i], 0.0, 1.0) * static_cast<double>(sample.size() - 1);
    const auto left = static_cast<std::size_t>(place);
    const std::size_t right = std::min(left + 1, sample.size() - 1);
    out[i] = std::lerp(sample[left], sample[right], place - static_cast<double>(left));
  }
}

}  // namespace tenon::ui
