// SPDX-License-Identifier: Apache-2.0
// Device and inode of a path. By stat and not by opening it: closing a second descriptor would drop
// the locks that SQLite holds on the file.
#include "engine/store/file_identity.h"

#include <sys/stat.h>

namespace tenon {

FileIdentity fileIdentity(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return {};
  return {static_cast<uint64_t>(about.st_dev), static_cast<uint64_t>(about.st_ino)};
}

}  // namespace tenon
