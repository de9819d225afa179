// SPDX-License-Identifier: Apache-2.0
// The checkpoint database: its connections, and the claims of saves under way.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/store/checkpoints.h"
#include "engine/store/database.h"

namespace tenon {

/// Most bytes in a chunk.
inline constexpr size_t kChunkBytes = size_t{16} << 20;

/// `checkpoints.sqlite` of a project. The file is made by the first save. Saves, loads and lists
/// have a connection each, so that a list does not wait for a save.
class CheckpointFile {
 public:
  CheckpointFile(const DatabaseOptions& options, int64_t batchBytes)
      : path_(options.path),
        batchBytes_(static_cast<size_t>(batchBytes)),
        writer_(options),
        loader_(options),
        lister_(options) {}

  /// False until the first save of the project.
  bool exists();
  /// For saving and deleting; makes the file. @throws Error as Store::open says
  Connection::Use write();
  /// Only if exists().
  Connection::Use load();
  Connection::Use list();
  /// @throws Error(Code::Io, ESTALE) if the file in use is not at its path any more. Never waits.
  void refuseMisplaced() const;
  /// New bytes per transaction of a save.
  size_t batchBytes() const { return batchBytes_; }

 private:
  void prepare();

  std::string path_;
  size_t batchBytes_;
  std::mutex preparing_;
  std::atomic<bool> prepared_{false};
  FileIdentity identity_;  // set before prepared_
  Connection writer_, loader_, lister_;
};

/// Columns that checkpointRow reads.
inline constexpr std::string_view kCheckpointColumns =
    "SELECT id, run, step, epoch, kind, version, meta, created_us, bytes, bytes_stored "
    "FROM checkpoints ";
CheckpointInfo checkpointRow(const Statement& row);

/// Keeps chunks that a save under way needs, over several transactions, from being collected. Its
/// claims in the database end with its object or with its process.
class Saving {
 public:
  Saving() = default;
  ~Saving();
  Saving(const Saving&) = delete;
  Saving& operator=(const Saving&) = delete;

  /// Claims a chunk; the caller holds the transaction.
  void claim(Database& database, int64_t chunk);
  /// Drops the claims; the caller holds the transaction.
  void release(Database& database);
  bool hasClaims() const { return id_ != 0; }

 private:
  int64_t id_ = 0;
  std::string owner_;
};

/// Deletes chunks that no checkpoint and no living save needs; the caller holds the transaction.
/// Returns their bytes.
int64_t collectChunks(Database& database);

}  // namespace tenon
