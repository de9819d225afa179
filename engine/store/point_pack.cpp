// SPDX-License-Identifier: Apache-2.0
// Packing rows into blobs and back; the reader checks every length before it believes it.
#include "engine/store/point_pack.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "engine/base/error.h"
#include "engine/store/checksum.h"

namespace tenon {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr uint8_t kFormat = 2;
constexpr uint8_t kFormatWithoutChecksum = 1;
constexpr uint32_t kMaxRows = 1u << 20;
enum Kind : uint8_t { kRegular = 0, kNear = 1, kRaw = 2 };
enum ValueKind : uint8_t { kDouble = 0, kFloat = 1 };

class Sink {
 public:
  explicit Sink(std::vector<std::byte>& bytes) : bytes_(bytes) {}
  template <typename T>
  void put(const T* values, size_t count) {
    const auto* from = reinterpret_cast<const std::byte*>(values);
    bytes_.insert(bytes_.end(), from, from + count * sizeof(T));
  }
  template <typename T>
  void put(T value) {
    put(&value, 1);
  }

 private:
  std::vector<std::byte>& bytes_;
};

class Source {
 public:
  explicit Source(std::span<const std::byte> bytes) : bytes_(bytes) {}
  /// The next `count` values, unaligned.
  const std::byte* take(size_t count, size_t size) {
    if (count > bytes_.size() / size) throw Error(Code::Input, "[store] a metric pack is damaged");
    const std::byte* at = bytes_.data();
    bytes_ = bytes_.subspan(count * size);
    return at;
  }
  template <typename T>
  T get() {
    T value;
    std::memcpy(&value, take(1, sizeof(T)), sizeof(T));
    return value;
  }
  bool empty() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> bytes_;
};

template <typename T>
T at(const std::byte* values, size_t index) {
  T value;
  std::memcpy(&value, values + index * sizeof(T), sizeof(T));
  return value;
}

/// Differences are taken in unsigned arithmetic, which may wrap without harm.
uint64_t bits(int64_t value) { return static_cast<uint64_t>(value); }

bool isRegular(std::span<const int64_t> column, uint64_t stride) {
  for (size_t i = 1; i < column.size(); ++i)
    if (bits(column[i]) - bits(column[i - 1]) != stride) return false;
  return true;
}

void putColumn(Sink& sink, std::span<const int64_t> column) {
  const uint64_t stride = column.size() > 1 ? bits(column[1]) - bits(column[0]) : 0;
  if (isRegular(column, stride)) {
    sink.put<uint8_t>(kRegular);
    sink.put(column[0]);
    sink.put(stride);
    return;
  }
  const auto [least, greatest] = std::minmax_element(column.begin(), column.end());
  if (bits(*greatest) - bits(*least) > std::numeric_limits<uint32_t>::max()) {
    sink.put<uint8_t>(kRaw);
    sink.put(column.data(), column.size());
    return;
  }
  std::vector<uint32_t> offsets(column.size());
  for (size_t i = 0; i < column.size(); ++i)
    offsets[i] = static_cast<uint32_t>(bits(column[i]) - bits(*least));
  sink.put<uint8_t>(kNear);
  sink.put(*least);
  sink.put(offsets.data(), offsets.size());
}

/// Calls `store(i, value)` for each row of the next column.
template <typename Store>
void getColumn(Source& source, size_t rows, Store store) {
  switch (source.get<uint8_t>()) {
    case kRegular: {
      const auto base = source.get<uint64_t>();
      const auto stride = source.get<uint64_t>();
      for (size_t i = 0; i < rows; ++i) store(i, static_cast<int64_t>(base + i * stride));
      return;
    }
    case kNear: {
      const auto base = source.get<uint64_t>();
      const std::byte* offsets = source.take(rows, sizeof(uint32_t));
      for (size_t i = 0; i < rows; ++i)
        store(i, static_cast<int64_t>(base + at<uint32_t>(offsets, i)));
      return;
    }
    case kRaw: {
      const std::byte* values = source.take(rows, sizeof(int64_t));
      for (size_t i = 0; i < rows; ++i) store(i, at<int64_t>(values, i));
      return;
    }
    default:
      throw Error(Code::Input, "[store] a metric pack has an unknown column kind");
  }
}

bool fitsFloat(std::span<const MetricRow> rows) {
  return std::all_of(rows.begin(), rows.end(), [](const MetricRow& row) {
    const auto narrow = static_cast<double>(static_cast<float>(row.value));
    return std::bit_cast<uint64_t>(narrow) == std::bit_cast<uint64_t>(row.value);
  });
}

void putValues(Sink& sink, std::span<const MetricRow> rows) {
  if (fitsFloat(rows)) {
    sink.put<uint8_t>(kFloat);
    for (const MetricRow& row : rows) sink.put(static_cast<float>(row.value));
  } else {
    sink.put<uint8_t>(kDouble);
    for (const MetricRow& row : rows) sink.put(row.value);
  }
}

void getValues(Source& source, std::span<MetricRow> rows) {
  switch (source.get<uint8_t>()) {
    case kFloat: {
      const std::byte* values = source.take(rows.size(), sizeof(float));
      for (size_t i = 0; i < rows.size(); ++i) rows[i].value = at<float>(values, i);
      return;
    }
    case kDouble: {
      const std::byte* values = source.take(rows.size(), sizeof(double));
      for (size_t i = 0; i < rows.size(); ++i) rows[i].value = at<double>(values, i);
      return;
    }
    default:
      throw Error(Code::Input, "[store] a metric pack has an unknown value kind");
  }
}

}  // namespace

std::vector<std::byte> packPoints(std::span<const MetricRow> rows) {
  std::vector<std::byte> blob;
  if (rows.empty()) return blob;
  blob.reserve(64 + rows.size() * 16);
  Sink sink(blob);
  sink.put(kFormat);
  sink.put(static_cast<uint32_t>(rows.size()));
  std::vector<int64_t> column(rows.size());
  const auto putAll = [&](auto member) {
    for (size_t i = 0; i < rows.size(); ++i) column[i] = rows[i].*member;
    putColumn(sink, column);
  };
  putAll(&MetricRow::step);
  putAll(&MetricRow::timeUs);
  putAll(&MetricRow::epoch);
  putValues(sink, rows);
  appendChecksum(blob);
  return blob;
}

void unpackPoints(std::span<const std::byte> blob, std::vector<MetricRow>& rows) {
  if (!blob.empty() && blob[0] == std::byte{kFormat}) {
    const auto checked = withoutChecksum(blob);
    if (!checked) throw Error(Code::Input, "[store] a metric pack is damaged");
    blob = *checked;
  }
  Source source(blob);
  // A newer format comes with a newer schema, which is refused when the file is opened.
  if (const auto format = source.get<uint8_t>();
      format != kFormat && format != kFormatWithoutChecksum)
    throw Error(Code::Input, "[store] a metric pack is damaged: its format is unknown");
  const auto count = source.get<uint32_t>();
  // Every row has a value of at least 4 bytes, so the blob bounds what may be allocated.
  if (count > kMaxRows || count > blob.size() / sizeof(float))
    throw Error(Code::Input, "[store] a metric pack is damaged");
  const size_t first = rows.size();
  rows.resize(first + count);
  const std::span<MetricRow> fresh = std::span(rows).subspan(first);
  getColumn(source, count, [&](size_t i, int64_t value) { fresh[i].step = value; });
  getColumn(source, count, [&](size_t i, int64_t value) { fresh[i].timeUs = value; });
  getColumn(source, count,
            [&](size_t i, int64_t value) { fresh[i].epoch = static_cast<int32_t>(value); });
  getValues(source, fresh);
  if (!source.empty()) throw Error(Code::Input, "[store] a metric pack is damaged");
}

}  // namespace tenon
