// SPDX-License-Identifier: Apache-2.0
// Rows of one series packed into a blob, about 8 to 16 bytes a row instead of 28.
//
// Layout, little endian: u8 format (2), u32 rows, then the columns step, time and epoch, then the
// values, then the CRC-32 of all that (format 1 has none). An integer column is u8 kind and
//   0 regular: i64 base, i64 stride     (base + i * stride)
//   1 near:    i64 base, u32 per row    (base + offset)
//   2 raw:     i64 per row
// The value column is u8 kind and f32 (1) or f64 (0) per row; f32 only if that keeps every bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/export.h"
#include "engine/store/metrics.h"

namespace tenon {

/// Rows in a full chunk of a series.
inline constexpr int64_t kChunkRows = 4096;

TENON_API std::vector<std::byte> packPoints(std::span<const MetricRow> rows);

/// Appends the rows of a blob to `rows`. @throws Error(Code::Input) if the blob is damaged
TENON_API void unpackPoints(std::span<const std::byte> blob, std::vector<MetricRow>& rows);

}  // namespace tenon
