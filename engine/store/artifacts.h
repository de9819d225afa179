// SPDX-License-Identifier: Apache-2.0
// Artifacts: versioned blobs a run leaves behind (recorded graph, memory history, predictions).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/store/store.h"

namespace tenon {

class Connection;

/// What is known of an artifact without reading its bytes.
struct ArtifactInfo {
  int64_t id = 0;
  RunId run = 0;
  std::string kind = {};  ///< "graph", "memory", "predictions", ...
  int64_t step = -1;
  int32_t epoch = -1;
  int32_t version = 1;  ///< of the blob's own format
  int64_t createdUs = 0;
  int64_t bytes = 0;      ///< as given, before compression
  std::string meta = {};  ///< JSON text, free
};

/// The most that one artifact may hold.
inline constexpr size_t kMaxArtifactBytes = size_t{512} << 20;

/// Whether the bytes are worth packing with zlib.
enum class Packing { Plain, Deflate };

/// The artifact table. @throws Error (Io, Busy) from every call; Error(Code::Input) unknown id
class TENON_API Artifacts {
 public:
  explicit Artifacts(Connection& connection) : connection_(connection) {}

  /// Stores `bytes` (at most kMaxArtifactBytes) at once; in a training loop use
  /// RunWriter::artifact. Of `info`, id, created and bytes are set here. Returns the
  /// id.
  int64_t add(const ArtifactInfo& info, std::span<const std::byte> bytes,
              Packing packing = Packing::Deflate);
  /// Of one run, oldest first; `kind` empty: all kinds.
  std::vector<ArtifactInfo> list(RunId run, std::string_view kind = {}) const;
  std::optional<ArtifactInfo> find(int64_t id) const;
  /// The bytes as they were given. @throws Error(Code::Input) if they are damaged
  std::vector<std::byte> read(int64_t id) const;
  void remove(int64_t id);

 private:
  Connection& connection_;
};

}  // namespace tenon
