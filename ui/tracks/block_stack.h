// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks over time as an immutable tile source: answers for a million blocks in milliseconds.
#pragma once

#include <span>
#include <vector>

#include "ui/tracks/tile_source.h"

namespace tenon::ui {

/// Builds its index in O(n log n) once (may be built off the GUI thread) and never changes.
///
/// Stack order: by category, within it by start, so that what lives long lies below. Blocks of less
/// than a pixel in height or width are lumped per category on top of it.
class BlockStack final : public TileSource {
 public:
  /// Blocks in any order. A block with end <= start lasts one tick; negative bytes count as 0.
  explicit BlockStack(std::vector<TrackBlock> blocks);

  std::int64_t begin() const override { return begin_; }
  std::int64_t end() const override { return end_; }
  std::int64_t peakBytes() const override { return peakBytes_; }
  std::int64_t peakTime() const override { return peakTime_; }
  std::size_t size() const override { return blocks_.size(); }
  std::optional<TrackBlock> block(std::int64_t id) const override;
  std::vector<std::int64_t> bytesAt(std::int64_t time) const override;
  std::optional<StackTile> tile(const TileQuery& query, std::stop_token stop) const override;

 private:
  /// An alloc or free: block index * 2, + 1 if it is a free.
  using Event = std::uint32_t;
  /// Largest total after any of a group of events, and which event it was.
  struct Peak {
    std::int64_t total = -1;
    std::uint32_t event = 0;
  };
  /// What a group of blocks with neighbouring starts reaches at most.
  struct Bound {
    std::int64_t end = 0;
    std::int64_t bytes = 0;
    std::int64_t duration = 0;
  };

  void sortEvents();
  void sumEvents();
  void boundBlocks();
  std::int64_t timeOf(Event event) const;
  std::size_t eventsUntil(double time) const;
  Peak peakIn(std::size_t first, std::size_t last) const;
  std::int64_t totalAfter(std::size_t events) const;
  std::vector<std::int64_t> sumsAfter(std::size_t events) const;
  bool chooseBlocks(const TileQuery& query, std::stop_token stop,
                    std::vector<std::uint32_t>& chosen) const;
  bool sampleColumns(const TileQuery& query, std::stop_token stop, StackTile& tile,
                     std::vector<std::int64_t>& sums) const;
  friend class TileBuilder;

  std::vector<TrackBlock> blocks_;        // by start
  std::vector<std::uint32_t> byId_;       // indices into blocks_ by id
  std::vector<Bound> bounds_;             // per kBoundGroup blocks
  std::vector<Event> events_;             // by time, frees before allocs
  std::vector<std::int64_t> sums_;        // categories_ sums before every kGroup-th event
  std::vector<std::vector<Peak>> peaks_;  // level 0: per kGroup events, then 8 of the level below
  std::size_t categories_ = 1;
  std::int64_t begin_ = 0;
  std::int64_t end_ = 1;
  std::int64_t peakBytes_ = 0;
  std::int64_t peakTime_ = 0;
};

}  // namespace tenon::ui
