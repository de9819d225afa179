// SPDX-License-Identifier: Apache-2.0
// An artifact on its way into the table, and writing it inside somebody else's transaction.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/store/artifacts.h"
#include "engine/store/database.h"

namespace tenon {

/// Bytes that wait to be stored.
struct WaitingArtifact {
  ArtifactInfo info;  ///< `bytes` and `createdUs` are set, `id` is once it is inserted
  std::vector<std::byte> data;
  bool toPack = true;       ///< pack() is to look whether zlib makes them smaller
  bool isDeflated = false;  ///< `data` is the packed form
  bool isReady = false;     ///< pack() was called

  /// Packs the bytes if that is worth it, else puts their checksum behind; does nothing the second
  /// time.
  void pack();
};

/// @throws Error(Code::Input) if the table takes no artifact of so many bytes
void refuseTooLarge(const ArtifactInfo& info, size_t bytes);
/// Inserts one artifact and sets its id; the caller holds the transaction.
void insertArtifact(Database& database, WaitingArtifact& artifact);

}  // namespace tenon
