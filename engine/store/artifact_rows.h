// SPDX-License-Identifier: Apache-2.0
// An artifact on its way into the table, and writing it inside somebody else's transaction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/store/artifacts.h"
#include "engine/store/database.h"

namespace tenon {

/// How an artifact's bytes are stored; the numbers are, too.
enum class Stored : int64_t {
  Plain = 0,  ///< as they are, by an older Tenon
  Deflated = 1,
  Checked = 2,  ///< as they are, with a checksum behind
};

/// Bytes that wait to be stored.
struct WaitingArtifact {
  ArtifactInfo info;  ///< `bytes` and `createdUs` are set, `id` is once it is inserted
  std::vector<std::byte> data;
  Packing packing = Packing::Deflate;  ///< Deflate: pack() looks whether zlib makes them smaller
  std::optional<Stored> stored = {};   ///< how `data` holds them now; none until pack()

  /// Packs the bytes if that is worth it, else puts their checksum behind; does nothing the second
  /// time.
  void pack();
};

/// @throws Error(Code::Input) if the table takes no artifact of so many bytes
void refuseTooLarge(const ArtifactInfo& info, size_t bytes);
/// Inserts one artifact and sets its id; the caller holds the transaction.
void insertArtifact(Database& database, WaitingArtifact& artifact);

}  // namespace tenon
