// SPDX-License-Identifier: GPL-3.0-or-later
// Makes one tile of a BlockStack: which blocks stand apart, and one sweep over the events in sight.
#pragma once

#include <stop_token>
#include <vector>

#include "ui/tracks/block_stack.h"

namespace tenon::ui {

/// Used once: build() with what it was given.
class TileBuilder {
 public:
  TileBuilder(const BlockStack& stack, const TileQuery& query, std::stop_token stop);
  /// The tile; nothing if stopped.
  std::optional<StackTile> build();

 private:
  /// A stretch of columns over which a block or band keeps its height.
  struct Run {
    int firstColumn = -1;  ///< -1: none open.
    double low = 0;
    double high = 0;
  };
  /// A block drawn apart.
  struct Apart {
    std::uint32_t rank = 0;
    int category = 0;
    bool live = false;
    double area = 0;  ///< Bytes times columns in sight.
    Run run;
  };

  bool choose();
  bool largeEnough(std::size_t rank) const;
  double visibleArea(std::size_t rank) const;
  void assignSlots();
  void startState();
  void apply(std::size_t events);
  void change(std::uint32_t rank, bool alloc);
  std::size_t sample(int column);
  void drawColumn(int column);
  void drawBands(int column);
  void extend(Run& run, int column, double low, double high, std::int64_t id, int category,
              double* area);
  void close(Run& run, int column, std::int64_t id, int category, double* area);
  void finish();

  const BlockStack& stack_;
  const TileQuery query_;
  std::stop_token stop_;
  StackTile tile_;
  std::vector<std::uint32_t> liveAtBegin_;
  std::vector<Apart> apart_;         // by rank
  std::vector<std::uint32_t> slot_;  // of a rank: number of apart blocks below it
  std::vector<std::int64_t> small_;  // bytes of the small blocks right below an apart block
  std::vector<std::int64_t> sums_;   // by category at the sampled instant
  std::vector<Run> bands_;           // by category
  std::size_t applied_ = 0;          // events
  std::size_t columnFirst_ = 0;      // events before the next column
};

}  // namespace tenon::ui
