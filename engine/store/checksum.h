// SPDX-License-Identifier: Apache-2.0
// Checksum behind a blob: SQLite would not notice that bytes inside it changed.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tenon {

/// Appends the CRC-32 of the bytes (4 bytes, little endian).
void appendChecksum(std::vector<std::byte>& bytes);
/// The bytes before their checksum; none if it is not theirs.
std::optional<std::span<const std::byte>> withoutChecksum(std::span<const std::byte> bytes);

}  // namespace tenon
