// SPDX-License-Identifier: Apache-2.0
// CRC-32 as zlib computes it.
#include "engine/store/checksum.h"

#include <zlib.h>

#include <cstdint>
#include <cstring>

namespace tenon {
namespace {

uint32_t crcOf(std::span<const std::byte> bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

void appendChecksum(std::vector<std::byte>& bytes) {
  const uint32_t crc = crcOf(bytes);
  const auto* from = reinterpret_cast<const std::byte*>(&crc);
  bytes.insert(bytes.end(), from, from + sizeof crc);
}

std::optional<std::span<const std::byte>> withoutChecksum(std::span<const std::byte> bytes) {
  uint32_t crc = 0;
  if (bytes.size() < sizeof crc) return std::nullopt;
  const std::span<const std::byte> content = bytes.first(bytes.size() - sizeof crc);
  std::memcpy(&crc, bytes.data() + content.size(), sizeof crc);
  if (crc != crcOf(content)) return std::nullopt;
  return content;
}

}  // namespace tenon
