// SPDX-License-Identifier: Apache-2.0
// DecodedFile: the plain bytes of a file that may be gzipped, mapped from a cache of decoded files
// when there is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace tenon {

/// Immutable bytes. A .gz file is decoded once and kept in the user's cache folder
/// (XDG_CACHE_HOME/tenon/decoded, TENON_CACHE overrides), keyed by real path, size and time of
/// change; without a writable cache the bytes stay in memory.
class DecodedFile {
 public:
  /// Says from the first `headBytes` how long the decoded file must be, so that memory is asked for
  /// only if the packed file can hold that much. @returns bytes in all; throws Error(Code::Input)
  /// for a bad head.
  using SizeFromHead = std::function<uint64_t(std::span<const std::byte> head)>;

  /// @throws Error(Code::Io) if it cannot be read; Error(Code::Input) if it is no regular file (a
  ///   named pipe is not waited for), cut off, corrupt, or
  /// longer or shorter than
  ///   its head says; texts name the path. Error(Code::Stopped) once `stop` is requested.
  static std::shared_ptr<const DecodedFile> open(const std::string& path, size_t headBytes,
                                                 const SizeFromHead& sizeFromHead,
                                                 const std::stop_token& stop = {});
  virtual ~DecodedFile();

  virtual std::span<const std::byte> bytes() const = 0;
};

}  // namespace tenon
