// SPDX-License-Identifier: Apache-2.0
// The lock that makes a process the one writer of a project folder.
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/export.h"
#include "engine/base/file.h"

namespace tenon {

/// Holds `.tenon.lock` in a project folder (flock) for its life; the kernel frees it when the
/// process dies. Reading the project needs no lock.
class TENON_API ProjectLock {
 public:
  /// @throws Error(Code::Busy) naming the process that holds it, and its machine if that is
  /// another; Error(Code::Io) if the folder cannot be written.
  explicit ProjectLock(const std::string& projectFolder);
  ~ProjectLock();
  ProjectLock(ProjectLock&&) noexcept = default;
  ProjectLock& operator=(ProjectLock&&) noexcept = default;

  /// The process that holds the lock of a folder, 0 if nobody does.
  static int64_t holder(const std::string& projectFolder);

 private:
  File file_;
};

}  // namespace tenon
