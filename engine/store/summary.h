// SPDX-License-Identifier: Apache-2.0
// Summaries of neighbouring rows: the levels above a full chunk from which long curves are drawn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/store/metrics.h"
#include "engine/store/point_pack.h"

namespace tenon {

/// Level 0 are the rows themselves; an entry of level k sums up kLevelRows[k] rows. A pack of a
/// level holds the entries of one chunk, so level 3 has one.
inline constexpr std::array<int64_t, 4> kLevelRows = {1, 32, 512, kChunkRows};

/// As stored (72 bytes, little endian).
struct SummaryEntry {
  int64_t stepFirst, stepLast;  // least and greatest
  int64_t timeFirstUs, timeLastUs;
  double min, max, sum;  // of the finite values; min > max if there is none
  int32_t epochFirst, epochLast;
  uint16_t count, nanCount, infCount, spare;
};
static_assert(sizeof(SummaryEntry) == 72);

/// One entry for `rows` (1 to 4096 of them).
SummaryEntry summarize(std::span<const MetricRow> rows);
/// The entries of a level over one chunk as a blob, with a checksum behind.
std::vector<std::byte> packLevel(std::span<const MetricRow> rows, int level);
/// Appends the entries of a blob. @throws Error(Code::Input) if its length cannot be, or its
/// checksum is not that of its bytes
void unpackLevel(std::span<const std::byte> blob, std::vector<SummaryEntry>& entries);

/// Adds an entry, or one row, to a bucket (a bucket with count 0 is empty).
void addTo(Bucket& bucket, const SummaryEntry& entry);
void addTo(Bucket& bucket, const MetricRow& row);

/// Key of a pack in the table metric_packs.
constexpr int64_t packKey(int64_t series, int level, int64_t chunk) {
  return (series << 34) | (static_cast<int64_t>(level) << 32) | chunk;
}
inline constexpr int64_t kMaxChunk = 0xffffffff;

}  // namespace tenon
