// SPDX-License-Identifier: GPL-3.0-or-later
// Index of a BlockStack: columns by rank, events by time, sums and peaks.
#include "ui/tracks/block_stack.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tenon::ui {

namespace {

constexpr std::size_t kGroup = 64;
constexpr std::size_t kFan = 8;

using TimedRank = std::pair<std::int64_t, std::uint32_t>;

}  // namespace

const TileSpan* StackTile::at(int column, double bytes) const {
  // Blocks stand behind the bands they lie on.
  for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
    if (column >= span->firstColumn && column < span->lastColumn && bytes >= span->low &&
        bytes < span->high) {
      return &*span;
    }
  }
  return nullptr;
}

BlockStack::BlockStack(std::vector<TrackBlock> blocks) {
  for (TrackBlock& block : blocks) {
    block.bytes = std::max<std::int64_t>(block.bytes, 0);
    block.category = std::max(block.category, 0);
    if (block.end <= block.start) block.end = block.start + 1;
  }
  std::sort(blocks.begin(), blocks.end(), [](const TrackBlock& a, const TrackBlock& b) {
    if (a.category != b.category) return a.category < b.category;
    return a.start != b.start ? a.start < b.start : a.id < b.id;
  });
  makeColumns(blocks);
  makeEvents();
  makeSums();
  makePeaks();
}

void BlockStack::makeColumns(const std::vector<TrackBlock>& blocks) {
  const std::size_t count = blocks.size();
  for (auto* column : {&ids_, &starts_, &ends_, &bytes_}) column->reserve(count);
  for (const TrackBlock& block : blocks) {
    ids_.push_back(block.id);
    starts_.push_back(block.start);
    ends_.push_back(block.end);
    bytes_.push_back(block.bytes);
  }
  const int categories = blocks.empty() ? 1 : blocks.back().category + 1;
  for (int category = 0; category < categories; ++category) {
    const auto end = std::partition_point(
        blocks.begin(), blocks.end(), [category](const auto& b) { return b.category <= category; });
    categoryEnd_.push_back(static_cast<std::uint32_t>(end - blocks.begin()));
  }
  findLives();
}

void BlockStack::findLives() {
  byId_.resize(ranks());
  std::iota(byId_.begin(), byId_.end(), 0u);
  std::sort(byId_.begin(), byId_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return ids_[a] != ids_[b] ? ids_[a] < ids_[b] : starts_[a] < starts_[b];
  });
  continues_.assign(ranks(), 0);
  for (std::size_t i = 0; i < byId_.size(); ++i) {
    const bool later = i > 0 && ids_[byId_[i]] == ids_[byId_[i - 1]];
    continues_[byId_[i]] = later;
    lives_ += later ? 0 : 1;
  }
}

void BlockStack::makeEvents() {
  std::vector<TimedRank> allocs, frees;
  allocs.reserve(ranks());
  frees.reserve(ranks());
  for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
    allocs.emplace_back(starts_[rank], rank);
    if (ends_[rank] != kNeverFreed) frees.emplace_back(ends_[rank], rank);
  }
  // Of one instant the pieces that go on come first: what is new comes on top of them.
  std::sort(allocs.begin(), allocs.end(), [this](const TimedRank& a, const TimedRank& b) {
    if (a.first != b.first) return a.first < b.first;
    const bool on = continues_[a.second] != 0;
    return on != (continues_[b.second] != 0) ? on : a.second < b.second;
  });
  std::sort(frees.begin(), frees.end());
  events_.reserve(allocs.size() + frees.size());
  auto free = frees.begin();
  for (const auto& [time, rank] : allocs) {
    for (; free != frees.end() && free->first <= time; ++free)
      events_.push_back(free->second * 2 + 1);
    events_.push_back(rank * 2);
  }
  for (; free != frees.end(); ++free) events_.push_back(free->second * 2 + 1);
  if (events_.empty()) return;
  begin_ = timeOf(events_.front());
  end_ = std::max(timeOf(events_.back()), begin_ + 1);
}

void BlockStack::makeSums() {
  const std::size_t categories = categoryEnd_.size();
  std::vector<std::int64_t> sums(categories, 0);
  sums_.reserve((events_.size() / kGroup + 1) * categories);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (i % kGroup == 0) sums_.insert(sums_.end(), sums.begin(), sums.end());
    sums[static_cast<std::size_t>(categoryOf(events_[i] / 2))] += signedBytes(events_[i]);
  }
  if (events_.size() % kGroup == 0) sums_.insert(sums_.end(), sums.begin(), sums.end());
}

void BlockStack::makePeaks() {
  peaks_.emplace_back();
  std::int64_t total = 0;
  for (std::size_t i = 0; i < events_.size(); i += kGroup) {
    const std::size_t last = std::min(i + kGroup, events_.size());
    peaks_[0].push_back(replayPeak(i, last, total));
    for (std::size_t j = i; j < last; ++j) total += signedBytes(events_[j]);
  }
  while (peaks_.back().size() > kFan) {
    const auto& below = peaks_.back();
    std::vector<Peak> level((below.size() + kFan - 1) / kFan);
    for (std::size_t i = 0; i < below.size(); ++i) level[i / kFan].add(below[i]);
    peaks_.push_back(std::move(level));
  }
  Peak highest;
  for (const Peak& peak : peaks_.back()) highest.add(peak);
  if (highest.total < 0) return;
  peakBytes_ = highest.total;
  peakTime_ = timeOf(events_[highest.event]);
}

int BlockStack::categoryOf(std::size_t rank) const {
  int category = 0;
  while (rank >= categoryEnd_[static_cast<std::size_t>(category)]) ++category;
  return category;
}

std::int64_t BlockStack::timeOf(Event event) const {
  return event % 2 == 0 ? starts_[event / 2] : ends_[event / 2];
}

std::int64_t BlockStack::signedBytes(Event event) const {
  return event % 2 == 0 ? bytes_[event / 2] : -bytes_[event / 2];
}

std::size_t BlockStack::eventsUntil(double time) const {
  const auto after = std::partition_point(events_.begin(), events_.end(), [&](Event event) {
    return static_cast<double>(timeOf(event)) <= time;
  });
  return static_cast<std::size_t>(after - events_.begin());
}

BlockStack::Peak BlockStack::replayPeak(std::size_t first, std::size_t last,
                                        std::int64_t total) const {
  Peak peak;
  for (std::size_t i = first; i < last; ++i) {
    total += signedBytes(events_[i]);
    // Only an alloc makes a peak, and one that no alloc of the same instant outdoes.
    if (events_[i] % 2 == 0 && !continues_[events_[i] / 2]) peak.add({total, i});
  }
  return peak;
}

BlockStack::Peak BlockStack::peakIn(std::size_t first, std::size_t last) const {
  Peak peak;
  while (first < last) {
    if (first % kGroup != 0 || std::min(first + kGroup, events_.size()) > last) {
      const std::size_t end = std::min(last, (first / kGroup + 1) * kGroup);
      peak.add(replayPeak(first, end, totalAfter(first)));
      first = end;
      continue;
    }
    // The largest whole block of the pyramid that starts here.
    std::size_t level = 0, width = kGroup;
    while (level + 1 < peaks_.size() && first % (width * kFan) == 0 &&
           first + width * kFan <= last) {
      width *= kFan;
      ++level;
    }
    peak.add(peaks_[level][first / width]);
    first += width;
  }
  return peak;
}

std::int64_t BlockStack::totalAfter(std::size_t events) const {
  const std::size_t categories = categoryEnd_.size();
  const std::size_t group = events / kGroup;
  const auto sums = sums_.begin() + static_cast<std::ptrdiff_t>(group * categories);
  std::int64_t total = 0;
  for (std::size_t c = 0; c < categories; ++c) total += sums[static_cast<std::ptrdiff_t>(c)];
  for (std::size_t i = group * kGroup; i < events; ++i) total += signedBytes(events_[i]);
  return total;
}

void BlockStack::sumsAfter(std::size_t events, std::span<std::int64_t> sums) const {
  const std::size_t group = events / kGroup;
  std::copy_n(sums_.begin() + static_cast<std::ptrdiff_t>(group * sums.size()), sums.size(),
              sums.begin());
  for (std::size_t i = group * kGroup; i < events; ++i) {
    sums[static_cast<std::size_t>(categoryOf(events_[i] / 2))] += signedBytes(events_[i]);
  }
}

std::vector<std::int64_t> BlockStack::bytesAt(std::int64_t time) const {
  std::vector<std::int64_t> sums(categoryEnd_.size(), 0);
  sumsAfter(eventsUntil(static_cast<double>(time)), sums);
  return sums;
}

std::optional<TrackBlock> BlockStack::block(std::int64_t id) const {
  const auto found = std::lower_bound(
      byId_.begin(), byId_.end(), id,
      [this](std::uint32_t rank, std::int64_t wanted) { return ids_[rank] < wanted; });
  if (found == byId_.end() || ids_[*found] != id) return std::nullopt;
  auto last = found;
  while (last + 1 != byId_.end() && ids_[*(last + 1)] == id) ++last;
  return TrackBlock{id, starts_[*found], ends_[*last], bytes_[*found], categoryOf(*last)};
}

}  // namespace tenon::ui
