// SPDX-License-Identifier: Apache-2.0
// Saving a checkpoint: parts are cut into chunks, hashed ahead on a second thread, and inserted if
// new.
//
// Up to StoreOptions::checkpointBatchBytes of new data go into the transaction that also writes the
// manifest. Beyond that, chunks are committed in batches under a claim (Saving), so that neither
// the journal's lock nor the page cache grows with the model; the transaction with the manifest
// comes last and makes the checkpoint visible.
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "engine/base/error.h"
#include "engine/store/checkpoint_file.h"
#include "engine/store/checkpoints.h"
#include "engine/store/sha256.h"
#include "engine/store/stage_counter.h"

namespace tenon {
namespace {

struct ChunkView {
  size_t part;
  int64_t position;  // in the part
  std::span<const std::byte> bytes;
};

std::vector<ChunkView> cut(std::span<const PartView> parts) {
  std::vector<ChunkView> chunks;
  for (size_t part = 0; part < parts.size(); ++part) {
    std::span<const std::byte> rest = parts[part].bytes;
    for (int64_t position = 0; !rest.empty(); ++position) {
      const size_t bytes = std::min(rest.size(), kChunkBytes);
      chunks.push_back({part, position, rest.first(bytes)});
      rest = rest.subspan(bytes);
    }
  }
  return chunks;
}

void refuseDoubleNames(std::span<const PartView> parts) {
  std::set<std::string_view> names;
  for (const PartView& part : parts)
    if (!names.insert(part.name).second)
      throw Error(Code::Usage, fmt::format("[store] checkpoint has two parts '{}'", part.name));
}

/// Hashes chunks in order on a thread of its own, ahead of whoever asks for them.
class HashAhead {
 public:
  explicit HashAhead(const std::vector<ChunkView>& chunks)
      : chunks_(chunks), digests_(chunks.size()), thread_([this](std::stop_token s) { run(s); }) {}

  const Digest& digest(size_t index) {
    for (size_t done = done_.load(); done <= index; done = done_.load()) done_.wait(done);
    return digests_[index];
  }

 private:
  void run(const std::stop_token& stop) {
    for (size_t i = 0; i < chunks_.size() && !stop.stop_requested(); ++i) {
      digests_[i] = sha256(chunks_[i].bytes);
      done_.fetch_add(1);
      done_.notify_one();
    }
  }

  const std::vector<ChunkView>& chunks_;
  std::vector<Digest> digests_;
  std::atomic<size_t> done_{0};
  std::jthread thread_;
};

class Save {
 public:
  Save(Database& database, size_t batchBytes, const CheckpointHead& head,
       std::span<const PartView> parts)
      : database_(database), batchBytes_(batchBytes), parts_(parts), chunks_(cut(parts)) {
    static_cast<CheckpointHead&>(info_) = head;
    for (const PartView& part : parts) info_.bytes += static_cast<int64_t>(part.bytes.size());
  }

  CheckpointInfo run() {
    try {
      insertAll();
    } catch (...) {
      transaction_.reset();
      dropStaged();
      database_.releaseMemory();
      throw;
    }
    database_.releaseMemory();
    return std::move(info_);
  }

 private:
  void insertAll() {
    HashAhead hashes(chunks_);
    transaction_.emplace(database_, Access::Write);
    size_t fresh = 0;  // bytes in this transaction
    for (size_t i = 0; i < chunks_.size(); ++i) {
      if (fresh >= batchBytes_) {
        commitStaged();
        fresh = 0;
      }
      fresh += insertChunk(chunks_[i], hashes.digest(i));
    }
    info_.bytesStored = stored_;
    insertManifest();
    if (saving_.hasClaims()) saving_.release(database_);
    transaction_->commit();
    transaction_.reset();
  }

  /// Returns the bytes written: 0 if the chunk is there already.
  size_t insertChunk(const ChunkView& chunk, const Digest& digest) {
    const std::span<const std::byte> hash(digest);
    Statement find(database_, "SELECT id FROM chunks WHERE hash=?1");
    find.bind(1, hash);
    if (find.step()) {
      ids_.push_back(find.integer(0));
      return 0;
    }
    Statement(database_, "INSERT INTO chunks(hash, bytes, data) VALUES(?1, ?2, ?3)")
        .bindAll(hash, chunk.bytes.size(), chunk.bytes)
        .run();
    ids_.push_back(database_.lastInsertId());
    stored_ += static_cast<int64_t>(chunk.bytes.size());
    return chunk.bytes.size();
  }

  void commitStaged() {
    for (; claimed_ < ids_.size(); ++claimed_) saving_.claim(database_, ids_[claimed_]);
    transaction_->commit();
    staged_ = true;
    transaction_.emplace(database_, Access::Write);
  }

  void insertManifest() {
    info_.createdUs = storeTimeUs();
    Statement(database_,
              "INSERT INTO checkpoints(run, step, epoch, kind, version, meta, created_us, bytes, "
              "bytes_stored) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
        .bindAll(info_.run, info_.step, info_.epoch, static_cast<int>(info_.kind), info_.version,
                 info_.meta, info_.createdUs, info_.bytes, info_.bytesStored)
        .run();
    info_.id = database_.lastInsertId();
    for (size_t i = 0; i < parts_.size(); ++i)
      Statement(database_,
                "INSERT INTO parts(checkpoint, part, name, meta, bytes) VALUES(?1, ?2, ?3, ?4, ?5)")
          .bindAll(info_.id, i, parts_[i].name, parts_[i].meta, parts_[i].bytes.size())
          .run();
    for (size_t i = 0; i < chunks_.size(); ++i)
      Statement(database_,
                "INSERT INTO part_chunks(checkpoint, part, position, chunk) VALUES(?1, ?2, ?3, ?4)")
          .bindAll(info_.id, chunks_[i].part, chunks_[i].position, ids_[i])
          .run();
  }

  /// After a failure: gives the space of committed batches back, if the disk lets us.
  void dropStaged() {
    if (!staged_) return;
    try {
      Transaction transaction(database_, Access::Write);
      saving_.release(database_);
      collectChunks(database_);
      transaction.commit();
    } catch (const Error&) {
      // The next collection finds the claim without an owner.
    }
  }

  Database& database_;
  size_t batchBytes_;
  std::span<const PartView> parts_;
  std::vector<ChunkView> chunks_;
  CheckpointInfo info_;
  std::vector<int64_t> ids_;  // of chunks_, as far as inserted
  size_t claimed_ = 0;
  int64_t stored_ = 0;
  bool staged_ = false;
  Saving saving_;
  std::optional<Transaction> transaction_;
};

}  // namespace

CheckpointInfo Checkpoints::save(const CheckpointHead& head, std::span<const PartView> parts) {
  refuseDoubleNames(parts);
  auto database = file_->write();
  const StageMark mark;
  return Save(*database, file_->batchBytes(), head, parts).run();
}

}  // namespace tenon
