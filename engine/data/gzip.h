// SPDX-License-Identifier: Apache-2.0
// Unpacking gzip data (RFC 1952) piece by piece, with errors that say what is wrong.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace tenon {

/// True if the bytes begin like gzip data.
bool looksGzipped(std::span<const std::byte> bytes);

/// Unpacks one gzip stream held in memory.
class GzipReader {
 public:
  /// @param packed must outlive the reader; @param name names the file in errors.
  GzipReader(std::span<const std::byte> packed, std::string name);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  /// Fills `into` wholly or up to the end of the data; returns how much. The checksum is verified
  /// at the end.
  /// @throws Error(Code::Input): cut off, corrupt, or checksum wrong.
  size_t read(std::span<std::byte> into);
  /// True if nothing is left; reads on to verify the checksum. @throws as read()
  bool atEnd();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenon
