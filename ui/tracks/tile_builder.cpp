// SPDX-License-Identifier: GPL-3.0-or-later
// Sweep that makes a tile.
#include "ui/tracks/tile_builder.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace tenon::ui {

namespace {

constexpr std::size_t kStopEvery = 1 << 16;
constexpr std::size_t kApartPerColumn = 2;        // drawn
constexpr std::size_t kCandidatesPerColumn = 16;  // looked at: some lie above or below the picture

}  // namespace

std::optional<StackTile> BlockStack::tile(const TileQuery& query, std::stop_token stop) const {
  return TileBuilder(*this, query, std::move(stop)).build();
}

TileBuilder::TileBuilder(const BlockStack& stack, const TileQuery& query, std::stop_token stop)
    : stack_(stack),
      query_(query),
      stop_(std::move(stop)),
      sums_(stack.categoryEnd_.size(), 0),
      bands_(stack.categoryEnd_.size()) {
  tile_.query = query;
}

std::optional<StackTile> TileBuilder::build() {
  if (query_.columns < 1 || query_.rows < 1 || !(query_.end > query_.begin) ||
      !(query_.high > query_.low) || stack_.ranks() == 0) {
    tile_.totals.assign(static_cast<std::size_t>(std::max(query_.columns, 0)), 0);
    tile_.times.assign(tile_.totals.size(), 0);
    return tile_;
  }
  if (!choose()) return std::nullopt;
  assignSlots();
  startState();
  for (int column = 0; column < query_.columns; ++column) {
    if (stop_.stop_requested()) return std::nullopt;
    apply(sample(column));
    stack_.sumsAfter(applied_, sums_);
    drawBands(column);
    drawColumn(column);
  }
  finish();
  return std::move(tile_);
}

bool TileBuilder::largeEnough(std::size_t rank) const {
  const double bytesPerRow = (query_.high - query_.low) / query_.rows;
  const double ticksPerColumn = (query_.end - query_.begin) / query_.columns;
  return static_cast<double>(stack_.bytes_[rank]) >= bytesPerRow &&
         static_cast<double>(stack_.ends_[rank]) - static_cast<double>(stack_.starts_[rank]) >=
             ticksPerColumn;
}

double TileBuilder::visibleArea(std::size_t rank) const {
  const double from = std::max(query_.begin, static_cast<double>(stack_.starts_[rank]));
  const double to = std::min(query_.end, static_cast<double>(stack_.ends_[rank]));
  return (to - from) * static_cast<double>(stack_.bytes_[rank]);
}

bool TileBuilder::choose() {
  std::vector<std::pair<double, std::uint32_t>> found;
  for (std::uint32_t rank = 0; rank < stack_.ranks(); ++rank) {
    if (rank % kStopEvery == 0 && stop_.stop_requested()) return false;
    const auto start = static_cast<double>(stack_.starts_[rank]);
    const auto end = static_cast<double>(stack_.ends_[rank]);
    if (start >= query_.end || end <= query_.begin) continue;
    if (start <= query_.begin) liveAtBegin_.push_back(rank);
    if (stack_.ids_[rank] == query_.pinned) {
      found.emplace_back(std::numeric_limits<double>::infinity(), rank);
    } else if (largeEnough(rank)) {
      found.emplace_back(visibleArea(rank), rank);
    }
  }
  const std::size_t most = kCandidatesPerColumn * static_cast<std::size_t>(query_.columns);
  if (found.size() > most) {
    std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(most), found.end(),
                     std::greater<>());
    found.resize(most);
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  for (const auto& entry : found) {
    apart_.push_back({entry.second, stack_.categoryOf(entry.second), false, 0, {}});
  }
  return true;
}

void TileBuilder::assignSlots() {
  slot_.resize(stack_.ranks());
  small_.assign(apart_.size() + 1, 0);
  std::size_t rank = 0;
  for (std::uint32_t slot = 0; slot < apart_.size(); ++slot) {
    for (; rank <= apart_[slot].rank; ++rank) slot_[rank] = slot;
  }
  const auto last = static_cast<std::uint32_t>(apart_.size());
  for (; rank < stack_.ranks(); ++rank) slot_[rank] = last;
}

void TileBuilder::change(std::uint32_t rank, bool alloc) {
  const std::uint32_t slot = slot_[rank];
  if (slot < apart_.size() && apart_[slot].rank == rank) {
    apart_[slot].live = alloc;
  } else {
    small_[slot] += alloc ? stack_.bytes_[rank] : -stack_.bytes_[rank];
  }
}

void TileBuilder::startState() {
  applied_ = columnFirst_ = stack_.eventsUntil(query_.begin);
  for (const std::uint32_t rank : liveAtBegin_) change(rank, true);
}

void TileBuilder::apply(std::size_t events) {
  for (; applied_ < events; ++applied_) {
    const auto event = stack_.events_[applied_];
    change(event / 2, event % 2 == 0);
  }
}

/// Chooses the instant a column shows: its largest total. Returns the events before it.
std::size_t TileBuilder::sample(int column) {
  const std::size_t first = columnFirst_;
  const std::size_t last = stack_.eventsUntil(query_.columnBegin(column + 1));
  columnFirst_ = last;
  const std::int64_t before = stack_.totalAfter(first);
  const BlockStack::Peak peak = stack_.peakIn(first, last);
  const bool inside = peak.total > before;
  tile_.totals.push_back(inside ? peak.total : before);
  tile_.times.push_back(inside ? stack_.timeOf(stack_.events_[peak.event])
                               : static_cast<std::int64_t>(std::floor(query_.columnBegin(column))));
  return inside ? peak.event + 1 : first;
}

void TileBuilder::extend(Run& run, int column, double low, double high, std::int64_t id,
                         int category, double* area) {
  if (run.firstColumn >= 0 && run.low == low && run.high == high) return;
  close(run, column, id, category, area);
  if (high > low && high > query_.low && low < query_.high) run = {column, low, high};
}

void TileBuilder::close(Run& run, int column, std::int64_t id, int category, double* area) {
  if (run.firstColumn < 0) return;
  tile_.spans.push_back({id, category, run.firstColumn, column, run.low, run.high});
  if (area) *area += (run.high - run.low) * (column - run.firstColumn);
  run.firstColumn = -1;
}

void TileBuilder::drawBands(int column) {
  std::int64_t low = 0;
  for (std::size_t category = 0; category < bands_.size(); ++category) {
    const std::int64_t high = low + sums_[category];
    extend(bands_[category], column, static_cast<double>(low), static_cast<double>(high),
           TileSpan::kSmall, static_cast<int>(category), nullptr);
    low = high;
  }
}

void TileBuilder::drawColumn(int column) {
  std::int64_t low = 0;
  for (std::size_t slot = 0; slot < apart_.size(); ++slot) {
    Apart& block = apart_[slot];
    low += small_[slot];
    const std::int64_t high = block.live ? low + stack_.bytes_[block.rank] : low;
    if (block.live || block.run.firstColumn >= 0) {
      extend(block.run, column, static_cast<double>(low), static_cast<double>(high),
             stack_.ids_[block.rank], block.category, &block.area);
    }
    low = high;
  }
}

void TileBuilder::finish() {
  for (std::size_t category = 0; category < bands_.size(); ++category) {
    close(bands_[category], query_.columns, TileSpan::kSmall, static_cast<int>(category), nullptr);
  }
  std::unordered_map<std::int64_t, double> areas;  // of a block's pieces together
  for (Apart& block : apart_) {
    const std::int64_t id = stack_.ids_[block.rank];
    close(block.run, query_.columns, id, block.category, &block.area);
    if (id == query_.pinned) block.area = std::numeric_limits<double>::infinity();
    if (block.area > 0) areas[id] += block.area;
  }
  std::vector<std::pair<double, std::int64_t>> seen;
  seen.reserve(areas.size());
  for (const auto& [id, area] : areas) seen.emplace_back(area, id);
  const std::size_t most = kApartPerColumn * static_cast<std::size_t>(query_.columns);
  if (seen.size() > most) {
    std::nth_element(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(most), seen.end(),
                     std::greater<>());
    std::unordered_set<std::int64_t> dropped;
    for (std::size_t i = most; i < seen.size(); ++i) dropped.insert(seen[i].second);
    std::erase_if(tile_.spans, [&](const TileSpan& span) { return dropped.contains(span.id); });
    seen.resize(most);
  }
  tile_.blocksApart = seen.size();
  // Bands first, then each block's spans from left to right.
  std::sort(tile_.spans.begin(), tile_.spans.end(), [](const TileSpan& a, const TileSpan& b) {
    if (a.id != b.id) return a.id < b.id;
    return a.firstColumn != b.firstColumn ? a.firstColumn < b.firstColumn : a.category < b.category;
  });
}

}  // namespace tenon::ui
