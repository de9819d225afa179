// SPDX-License-Identifier: Apache-2.0
// Fault injection for the file layer: lets a test make the n-th write, fsync, rename or open fail.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "engine/base/export.h"

namespace tenon {

/// What the file layer (engine/base/file.h) and the store's SQLite files are about to do.
/// OpenForWriting is asked after Open where a file is opened to be changed or made: failing it
/// alone is what a read-only file system does.
enum class FileOperation { Open, Read, Write, Sync, Rename, Remove, Truncate, OpenForWriting };

/// "open", "read", "write", "sync", "rename", "remove", "truncate", "openwrite".
TENON_API std::string_view fileOperationName(FileOperation operation);

/// Decides which operations fail. Called before the real one, from any thread.
class TENON_API FileFaults {
 public:
  virtual ~FileFaults();
  /// 0 lets the operation happen; an errno value (ENOSPC, EIO, EROFS, EACCES, ...) makes it fail.
  virtual int decide(FileOperation operation, const char* path) = 0;
};

/// Installs `faults` for the whole process (nullptr: none) and returns what was there before. The
/// object must outlive its installation. A process starts with the faults that the environment
/// variable TENON_FAULTS describes (see FaultPlan::parse), or none.
TENON_API FileFaults* setFileFaults(FileFaults* faults);

/// Asks the installed faults, if any: 0 or an errno value. For code that does file operations of
/// its own, such as the store's SQLite layer.
TENON_API int fileFault(FileOperation operation, const char* path);

/// Fails the n-th operation of one kind (and all later ones if it stays broken).
class TENON_API FaultPlan final : public FileFaults {
 public:
  /// `number` counts from 1; 0 never fails and only counts.
  FaultPlan(FileOperation operation, long number, int osError, bool stays = false);
  /// Reads "write:17:ENOSPC" (the 17th write only) or "write:17+:ENOSPC" (from the 17th on).
  /// @throws Error(Code::Usage) naming the part that is wrong.
  explicit FaultPlan(std::string_view text);

  int decide(FileOperation operation, const char* path) override;
  /// How many operations of the watched kind were asked for so far.
  long count() const { return count_.load(std::memory_order_relaxed); }
  /// True once an operation was made to fail.
  bool fired() const { return fired_.load(std::memory_order_relaxed); }
  /// Ends a fault that stays: "space is back".
  void heal() { healed_.store(true, std::memory_order_relaxed); }

 private:
  FileOperation operation_;
  long number_;
  int osError_;
  bool stays_;
  std::atomic<long> count_{0};
  std::atomic<bool> fired_{false};
  std::atomic<bool> healed_{false};
};

/// Installs faults for the life of a scope (tests).
class FaultScope {
 public:
  explicit FaultScope(FileFaults& faults) : before_(setFileFaults(&faults)) {}
  ~FaultScope() { setFileFaults(before_); }
  FaultScope(const FaultScope&) = delete;
  FaultScope& operator=(const FaultScope&) = delete;

 private:
  FileFaults* before_;
};

}  // namespace tenon
