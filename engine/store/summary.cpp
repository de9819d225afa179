// SPDX-License-Identifier: Apache-2.0
// Summaries of neighbouring rows.
#include "engine/store/summary.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/base/error.h"
#include "engine/store/checksum.h"

namespace tenon {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

SummaryEntry summarize(std::span<const MetricRow> rows) {
  const MetricRow& head = rows.front();
  SummaryEntry entry{head.step,
                     head.step,
                     head.timeUs,
                     head.timeUs,
                     kInfinity,
                     -kInfinity,
                     0,
                     head.epoch,
                     head.epoch,
                     static_cast<uint16_t>(rows.size()),
                     0,
                     0,
                     0};
  for (const MetricRow& row : rows) {
    entry.stepFirst = std::min(entry.stepFirst, row.step);
    entry.stepLast = std::max(entry.stepLast, row.step);
    entry.timeFirstUs = std::min(entry.timeFirstUs, row.timeUs);
    entry.timeLastUs = std::max(entry.timeLastUs, row.timeUs);
    entry.epochFirst = std::min(entry.epochFirst, row.epoch);
    entry.epochLast = std::max(entry.epochLast, row.epoch);
    if (std::isfinite(row.value)) {
      entry.min = std::min(entry.min, row.value);
      entry.max = std::max(entry.max, row.value);
      entry.sum += row.value;
    } else {
      ++(std::isnan(row.value) ? entry.nanCount : entry.infCount);
    }
  }
  return entry;
}

std::vector<std::byte> packLevel(std::span<const MetricRow> rows, int level) {
  const auto span = static_cast<size_t>(kLevelRows[static_cast<size_t>(level)]);
  std::vector<std::byte> blob((rows.size() + span - 1) / span * sizeof(SummaryEntry));
  std::byte* at = blob.data();
  for (size_t first = 0; first < rows.size(); first += span, at += sizeof(SummaryEntry)) {
    const SummaryEntry entry = summarize(rows.subspan(first, std::min(span, rows.size() - first)));
    std::memcpy(at, &entry, sizeof entry);
  }
  appendChecksum(blob);
  return blob;
}

void unpackLevel(std::span<const std::byte> blob, std::vector<SummaryEntry>& entries) {
  const auto isWhole = [](const auto& bytes) { return bytes.size() % sizeof(SummaryEntry) == 0; };
  if (!isWhole(blob)) {  // else without a checksum, as it was at first
    const auto checked = withoutChecksum(blob);
    if (!checked || !isWhole(*checked))
      throw Error(Code::Input, "[store] a metric summary is damaged");
    blob = *checked;
  }
  const size_t first = entries.size();
  entries.resize(first + blob.size() / sizeof(SummaryEntry));
  if (!blob.empty()) std::memcpy(entries.data() + first, blob.data(), blob.size());
}

void addTo(Bucket& bucket, const SummaryEntry& entry) {
  if (bucket.count == 0) {
    bucket = {entry.stepFirst,
              entry.stepLast,
              entry.timeFirstUs,
              entry.timeLastUs,
              kInfinity,
              -kInfinity,
              0,
              0,
              0,
              0,
              entry.epochFirst,
              entry.epochLast};
  }
  bucket.stepFirst = std::min(bucket.stepFirst, entry.stepFirst);
  bucket.stepLast = std::max(bucket.stepLast, entry.stepLast);
  bucket.timeFirstUs = std::min(bucket.timeFirstUs, entry.timeFirstUs);
  bucket.timeLastUs = std::max(bucket.timeLastUs, entry.timeLastUs);
  bucket.epochFirst = std::min(bucket.epochFirst, entry.epochFirst);
  bucket.epochLast = std::max(bucket.epochLast, entry.epochLast);
  bucket.min = std::min(bucket.min, entry.min);
  bucket.max = std::max(bucket.max, entry.max);
  bucket.sum += entry.sum;
  bucket.count += entry.count;
  bucket.nanCount += entry.nanCount;
  bucket.infCount += entry.infCount;
}

void addTo(Bucket& bucket, const MetricRow& row) { addTo(bucket, summarize({&row, 1})); }

}  // namespace tenon
