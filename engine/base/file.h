// SPDX-License-Identifier: Apache-2.0
// The file layer: everything of ours that is read from or written to disk goes through here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/export.h"
#include "engine/base/file_faults.h"

namespace tenon {

/// How a File is opened.
enum class FileMode {
  Read,       ///< must exist
  ReadWrite,  ///< created when missing, content kept
  Replace,    ///< created when missing, emptied otherwise
  CreateNew,  ///< must not exist yet
};

/// An open file. Every failure throws Error(Code::Io) whose text names path, operation and cause,
/// e.g. "write '/x/run.bin': No space left on device"; `osError()` holds the errno value.
/// @thread pread and pwrite may run from several threads; everything else from one.
class TENON_API File {
 public:
  File() = default;
  File(std::string path, FileMode mode);
  ~File();
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;

  /// Reads up to `into.size()` bytes at the file position; fewer only at the end of the file.
  size_t read(std::span<std::byte> into);
  /// Reads up to `into.size()` bytes at `offset`; fewer only at the end of the file.
  size_t pread(std::span<std::byte> into, uint64_t offset) const;
  /// Writes all bytes at the file position.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view bytes) { write(std::as_bytes(std::span(bytes))); }
  /// Writes all bytes at `offset`.
  void pwrite(std::span<const std::byte> bytes, uint64_t offset);
  /// fsync: returns when content and size are on the disk.
  void sync();
  void truncate(uint64_t bytes);
  uint64_t size() const;
  /// Closes and reports a late failure, which the destructor would swallow.
  void close();

  bool isOpen() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  const std::string& path() const { return path_; }

 private:
  int descriptor_ = -1;
  std::string path_;
};

/// The whole content of a file.
/// @throws Error(Code::Io) if it cannot be read; Error(Code::Input) if it has more than `maxBytes`.
TENON_API std::string readFile(const std::string& path, uint64_t maxBytes);

/// Replaces a file so that after a crash or a full disk either the old or the new content is there
/// in whole: temporary file in the same folder, fsync, rename, fsync of the folder. Keeps the
/// permissions of an existing file; a symbolic link stays one and its target is replaced.
/// @throws Error(Code::Io); the old file is untouched and the temporary one removed.
TENON_API void writeFileAtomically(const std::string& path, std::string_view bytes);

/// Removes a file; does nothing if there is none. @throws Error(Code::Io)
TENON_API void removeFile(const std::string& path);
/// Renames within one file system. @throws Error(Code::Io)
TENON_API void renameFile(const std::string& from, const std::string& to);
/// Makes renames, creations and removals in a folder durable. @throws Error(Code::Io)
TENON_API void syncFolder(const std::string& folder);
/// True if the path names an existing file or folder.
TENON_API bool pathExists(const std::string& path);

}  // namespace tenon
