// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks over time as an immutable tile source: answers for a million blocks in milliseconds.
#pragma once

#include <span>
#include <vector>

#include "ui/tracks/tile_source.h"

namespace tenon::ui {

/// Blocks stacked by category, within it by start, so that what lives long lies below. Where a
/// block lies does not depend on the zoom. A block that changes its category comes in pieces.
///
/// Built in O(n log n) once (off the GUI thread if large) and never changed; about 48 bytes a
/// block. Sums are found by checkpoints of every 64 events and a pyramid of peaks over them. A tile
/// costs O(n + events in sight + columns * blocks drawn apart); blocks of at least a pixel in
/// height and width are drawn apart, at most two a column, the rest as the band of their category.
class BlockStack final : public TileSource {
 public:
  /// Blocks in any order. A block with end <= start lasts one tick; negative bytes count as 0,
  /// negative categories as category 0.
  explicit BlockStack(std::vector<TrackBlock> blocks);

  std::int64_t begin() const override { return begin_; }
  std::int64_t end() const override { return end_; }
  std::int64_t peakBytes() const override { return peakBytes_; }
  std::int64_t peakTime() const override { return peakTime_; }
  std::size_t size() const override { return lives_; }
  std::optional<TrackBlock> block(std::int64_t id) const override;
  std::vector<std::int64_t> bytesAt(std::int64_t time) const override;
  std::optional<StackTile> tile(const TileQuery& query, std::stop_token stop) const override;

 private:
  friend class TileBuilder;

  /// An alloc or a free: rank of its block * 2, + 1 if it is a free.
  using Event = std::uint32_t;
  /// The largest total after any alloc of a group of events, and the last of them; -1 if none.
  struct Peak {
    std::int64_t total = -1;
    std::size_t event = 0;
    void add(const Peak& later) {
      if (later.total >= total) *this = later;
    }
  };

  /// Blocks and pieces of blocks.
  std::size_t ranks() const { return ids_.size(); }
  void makeColumns(const std::vector<TrackBlock>& blocks);
  void findLives();
  void makeEvents();
  void makeSums();
  void makePeaks();
  int categoryOf(std::size_t rank) const;
  std::int64_t timeOf(Event event) const;
  std::int64_t signedBytes(Event event) const;
  /// Number of events at or before a time.
  std::size_t eventsUntil(double time) const;
  /// The largest total after one of the allocs first..last-1.
  Peak peakIn(std::size_t first, std::size_t last) const;
  /// Replays first..last-1 from the total before them.
  Peak replayPeak(std::size_t first, std::size_t last, std::int64_t total) const;
  std::int64_t totalAfter(std::size_t events) const;
  /// Bytes by category after so many events.
  void sumsAfter(std::size_t events, std::span<std::int64_t> sums) const;

  // Columns by rank: the order of the stack, by category, then start.
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> starts_;
  std::vector<std::int64_t> ends_;
  std::vector<std::int64_t> bytes_;
  std::vector<std::uint32_t> categoryEnd_;  // rank after the last block of a category
  std::vector<std::uint32_t> byId_;         // ranks by id, then start
  std::vector<char> continues_;             // by rank: whether it is a later piece of a life
  std::vector<Event> events_;               // by time, frees before allocs
  std::vector<std::int64_t> sums_;          // by category, before every kGroup-th event
  std::vector<std::vector<Peak>> peaks_;    // level 0: of kGroup events; then of kFan below
  std::size_t lives_ = 0;
  std::int64_t begin_ = 0;
  std::int64_t end_ = 1;
  std::int64_t peakBytes_ = 0;
  std::int64_t peakTime_ = 0;
};

}  // namespace tenon::ui
