// SPDX-License-Identifier: Apache-2.0
// Which file or folder on the disk something is, whatever its name: tells one that was moved,
// deleted or replaced while open.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace tenon {

/// Device and inode; both 0: there is none.
struct FileIdentity {
  uint64_t device = 0;
  uint64_t inode = 0;

  bool known() const { return device != 0 || inode != 0; }
  auto operator<=>(const FileIdentity&) const = default;
};

/// What stands at a path now; not known() if nothing does or it cannot be looked at.
FileIdentity fileIdentity(const std::string& path);

}  // namespace tenon
