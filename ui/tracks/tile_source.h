// SPDX-License-Identifier: GPL-3.0-or-later
// What a stacked track draws from: an immutable source that answers for any stretch of time with as
// much as its pixels can show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <vector>

namespace tenon::ui {

/// End of a block that is never freed.
inline constexpr std::int64_t kNeverFreed = std::numeric_limits<std::int64_t>::max();

/// Bytes that live from start to end (half open, in ticks of the caller's choice: nanoseconds or
/// event numbers).
struct TrackBlock {
  /// The caller's name for it, >= 0. Blocks of one id are pieces of one life, each beginning where
  /// the one before ends: what changes its category on the way.
  std::int64_t id = 0;
  std::int64_t start = 0;
  std::int64_t end = kNeverFreed;
  std::int64_t bytes = 0;
  int category = 0;  ///< Index into the categories; they stack in this order, 0 at the bottom.
  bool operator==(const TrackBlock&) const = default;
};

/// The stretch of time and of bytes wanted, and the pixels it is for.
struct TileQuery {
  double begin = 0;  ///< Ticks.
  double end = 1;
  int columns = 1;
  double low = 0;  ///< Bytes at the bottom of the picture.
  double high = 1;
  int rows = 1;
  std::int64_t pinned = -1;  ///< Block that is kept apart however small, -1: none.

  double columnBegin(int column) const { return begin + (end - begin) * column / columns; }
  bool operator==(const TileQuery&) const = default;
};

/// A piece of the picture: a block, or all small blocks of a category together, over some columns.
struct TileSpan {
  static constexpr std::int64_t kSmall = -1;  ///< `id` of what is too small to draw apart.
  std::int64_t id = kSmall;
  std::int32_t category = 0;
  std::int32_t firstColumn = 0;
  std::int32_t lastColumn = 0;  ///< One past the end.
  double low = 0;               ///< Bytes from the bottom of the stack.
  double high = 0;
};

/// The answer to a query. Every column shows the instant of its largest total, so peaks never hide.
struct StackTile {
  TileQuery query;
  std::vector<TileSpan> spans;
  std::vector<std::int64_t> totals;  ///< Bytes in all, per column.
  std::vector<std::int64_t> times;   ///< The instant each column shows.
  std::size_t blocksApart = 0;       ///< Blocks drawn apart: at most two a pixel column.

  /// The span at a column and height; nullptr if there is none.
  const TileSpan* at(int column, double bytes) const;
};

/// An immutable source of tiles. @thread any; several at once.
class TileSource {
 public:
  virtual ~TileSource() = default;
  /// Ticks of the first start and of the last event.
  virtual std::int64_t begin() const = 0;
  virtual std::int64_t end() const = 0;
  /// The largest total of all time, and when it stood.
  virtual std::int64_t peakBytes() const = 0;
  virtual std::int64_t peakTime() const = 0;
  /// Number of lives.
  virtual std::size_t size() const = 0;
  /// The block of that id, if there is one: its whole life, with its last category.
  virtual std::optional<TrackBlock> block(std::int64_t id) const = 0;
  /// Live bytes by category at a tick (index: category).
  virtual std::vector<std::int64_t> bytesAt(std::int64_t time) const = 0;
  /// The picture of a stretch; nothing if `stop` came first.
  virtual std::optional<StackTile> tile(const TileQuery& query, std::stop_token stop) const = 0;
};

}  // namespace tenon::ui
