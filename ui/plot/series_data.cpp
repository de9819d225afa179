// SPDX-License-Identifier: GPL-3.0-or-later
// Storage of a curve: chunks of 65,536 points, each with extremes of every 16, 256 and 4,096 of
// them.
#include "ui/plot/series_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tenon::ui {

namespace {

constexpr std::size_t kChunk = 65536;
constexpr std::size_t kFan = 16;
constexpr std::array<std::size_t, 3> kLevels = {kFan, kFan* kFan, kFan* kFan* kFan};

}  // namespace

void Extent::add(double value) {
  if (!std::isfinite(value)) return;
  min = std::min(min, value);
  max = std::max(max, value);
  if (value > 0) minPositive = std::min(minPositive, value);
}

struct SeriesData::Chunk {
  std::vector<double> values;
  std::vector<float> times;  // seconds after timeBase: exact to a millisecond for hours
  double timeBase = 0;
  std::array<std::vector<Extent>, kLevels.size()> levels;
  Extent all;

  void add(double value) {
    const std::size_t index = values.size();
    values.push_back(value);
    for (std::size_t level = 0; level < kLevels.size(); ++level) {
      if (index % kLevels[level] == 0) levels[level].emplace_back();
      levels[level].back().add(value);
    }
    all.add(value);
  }

  void truncate(std::size_t count) {
    times.resize(count);
    const std::vector<double> kept(values.begin(),
                                   values.begin() + static_cast<std::ptrdiff_t>(count));
    values.clear();
    for (auto& level : levels) level.clear();
    all = {};
    for (const double value : kept) add(value);
  }

  // From both ends up to whole blocks, level by level: at most 30 steps a level.
  Extent extent(std::size_t first, std::size_t last) const {
    if (first == 0 && last == values.size()) return all;
    Extent result;
    const auto [a, b] = wholeBlocks(first, last, values.size());
    addValues(first, std::min(a, last), result);
    if (a < b) addBlocks(0, a / kFan, (b + kFan - 1) / kFan, result);
    addValues(std::max(std::min(a, last), b), last, result);
    return result;
  }

 private:
  // The part of first..last-1 that whole blocks of kFan cover; a cut-off last block counts as
  // whole.
  static std::pair<std::size_t, std::size_t> wholeBlocks(std::size_t first, std::size_t last,
                                                         std::size_t size) {
    const std::size_t begin = (first + kFan - 1) / kFan * kFan;
    return {begin, std::max(begin, last == size ? last : last / kFan * kFan)};
  }

  void addValues(std::size_t first, std::size_t last, Extent& result) const {
    double low = result.min, high = result.max, positive = result.minPositive;
    for (std::size_t i = first; i < last; ++i) {
      const double v = values[i];
      if (v - v != 0) continue;  // NaN or infinite
      low = v < low ? v : low;
      high = v > high ? v : high;
      positive = v > 0 && v < positive ? v : positive;
    }
    result = {low, high, positive};
  }

  void addBlocks(std::size_t level, std::size_t first, std::size_t last, Extent& result) const {
    const auto& blocks = levels[level];
    const auto add = [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) result.add(blocks[i]);
    };
    const auto [a, b] = wholeBlocks(first, last, blocks.size());
    if (level + 1 == levels.size() || a >= b) return add(first, last);
    add(first, a);
    addBlocks(level + 1, a / kFan, (b + kFan - 1) / kFan, result);
    add(b, last);
  }
};

void SeriesData::deleteChunk(Chunk* chunk) { delete chunk; }

bool SeriesData::append(const SeriesPoint& point) {
  if (size_ > 0 && point.step < last_.step) return false;
  SeriesPoint next = point;
  if (size_ > 0) {
    next.epoch = std::max(next.epoch, last_.epoch);
    next.seconds = std::max(next.seconds, last_.seconds);
  }
  steps_.append(static_cast<double>(next.step));
  epochs_.append(next.epoch);
  addToChunk(next);
  if (!std::isfinite(next.value)) noteGap();
  ++size_;
  last_ = next;
  return true;
}

std::size_t SeriesData::append(std::span<const SeriesPoint> points) {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [this](const auto& p) { return append(p); }));
}

void SeriesData::addToChunk(const SeriesPoint& point) {
  if (size_ % kChunk == 0) {
    chunks_.emplace_back(new Chunk);
    chunks_.back()->timeBase = point.seconds;
  }
  Chunk& chunk = *chunks_.back();
  chunk.times.push_back(static_cast<float>(point.seconds - chunk.timeBase));
  chunk.add(point.value);
}

void SeriesData::noteGap() {
  if (!gaps_.empty() && gaps_.back().last == size_) {
    ++gaps_.back().last;
    return;
  }
  const std::size_t before =
      gaps_.empty() ? 0 : gaps_.back().nonFinite + gaps_.back().last - gaps_.back().first;
  gaps_.push_back({size_, size_ + 1, before});
}

void SeriesData::truncateFrom(std::int64_t step) {
  const std::size_t count = steps_.bound(static_cast<double>(step), false);
  if (count >= size_) return;
  const std::size_t kept = (count + kChunk - 1) / kChunk;
  chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(kept), chunks_.end());
  if (count % kChunk != 0) chunks_.back()->truncate(count % kChunk);
  while (!gaps_.empty() && gaps_.back().first >= count) gaps_.pop_back();
  if (!gaps_.empty()) gaps_.back().last = std::min(gaps_.back().last, count);
  steps_.truncate(count);
  epochs_.truncate(count);
  size_ = count;
  ++revision_;
  last_ = count > 0 ? at(count - 1) : SeriesPoint{};
}

void SeriesData::clear() {
  if (size_ > 0) truncateFrom(std::numeric_limits<std::int64_t>::min());
}

SeriesPoint SeriesData::at(std::size_t index) const {
  return {static_cast<std::int64_t>(steps_.at(index)), epochs_.at(index), seconds(index),
          value(index)};
}

double SeriesData::value(std::size_t index) const {
  return chunks_[index / kChunk]->values[index % kChunk];
}

double SeriesData::seconds(std::size_t index) const {
  const Chunk& chunk = *chunks_[index / kChunk];
  return chunk.timeBase + static_cast<double>(chunk.times[index % kChunk]);
}

double SeriesData::x(XAxis axis, std::size_t index) const {
  switch (axis) {
    case XAxis::Step:
      return steps_.at(index);
    case XAxis::Epoch:
      return epochs_.at(index);
    case XAxis::Time:
      break;
  }
  return seconds(index);
}

std::size_t SeriesData::secondsBound(double seconds, bool strict) const {
  const auto below = [seconds, strict](double v) { return strict ? v <= seconds : v < seconds; };
  const auto after = std::partition_point(chunks_.begin(), chunks_.end(),
                                          [&](const auto& c) { return below(c->timeBase); });
  if (after == chunks_.begin()) return 0;
  const Chunk& chunk = **(after - 1);
  const auto found = std::partition_point(chunk.times.begin(), chunk.times.end(), [&](float t) {
    return below(chunk.timeBase + static_cast<double>(t));
  });
  return static_cast<std::size_t>(after - chunks_.begin() - 1) * kChunk +
         static_cast<std::size_t>(found - chunk.times.begin());
}

std::size_t SeriesData::lowerBound(XAxis axis, double x) const {
  if (axis == XAxis::Time) return secondsBound(x, false);
  return (axis == XAxis::Step ? steps_ : epochs_).bound(x, false);
}

std::size_t SeriesData::upperBound(XAxis axis, double x) const {
  if (axis == XAxis::Time) return secondsBound(x, true);
  return (axis == XAxis::Step ? steps_ : epochs_).bound(x, true);
}

std::size_t SeriesData::nearest(XAxis axis, double x) const {
  if (size_ == 0) return 0;
  const std::size_t right = lowerBound(axis, x);
  if (right == 0) return 0;
  if (right == size_) return size_ - 1;
  return x - this->x(axis, right - 1) <= this->x(axis, right) - x ? right - 1 : right;
}

Extent SeriesData::extent(std::size_t first, std::size_t last) const {
  Extent result;
  last = std::min(last, size_);
  while (first < last) {
    const std::size_t start = first / kChunk * kChunk;
    const std::size_t end = std::min(last, start + kChunk);
    result.add(chunks_[first / kChunk]->extent(first - start, end - start));
    first = end;
  }
  return result;
}

std::size_t SeriesData::finiteBefore(std::size_t count) const {
  const auto after = std::partition_point(gaps_.begin(), gaps_.end(),
                                          [count](const Gap& gap) { return gap.first < count; });
  if (after == gaps_.begin()) return count;
  const Gap& gap = *(after - 1);
  return count - gap.nonFinite - (std::min(gap.last, count) - gap.first);
}

std::span<const double> SeriesData::stretch(std::size_t first) const {
  return std::span<const double>(chunks_[first / kChunk]->values).subspan(first % kChunk);
}

}  // namespace tenon::ui
