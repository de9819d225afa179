// SPDX-License-Identifier: Apache-2.0
// The queue between whoever logs and the writer's thread: pushing takes nanoseconds and never waits
// for disk.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace tenon {

/// A lock held for a handful of instructions. Yields when its holder was taken off the processor.
class SpinLock {
 public:
  void lock() {
    for (int tries = 0; held_.exchange(true, std::memory_order_acquire); ++tries)
      if (tries > 64) std::this_thread::yield();
  }
  void unlock() { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

struct QueuedRow {
  uint32_t metric;
  int32_t epoch;
  int64_t step;
  int64_t timeUs;
  double value;
};

/// Grows in chunks while nobody takes; chunks come back to be filled again.
/// @thread push from any thread, the rest from one
class RowQueue {
 public:
  struct Chunk {
    size_t used = 0;
    std::array<QueuedRow, 4096> rows;
  };
  using Chunks = std::vector<std::unique_ptr<Chunk>>;

  /// Returns the number of full chunks if this row filled one, else 0.
  size_t push(const QueuedRow& row) {
    const std::lock_guard guard(lock_);
    if (!current_) current_ = fresh();
    current_->rows[current_->used++] = row;
    if (current_->used < current_->rows.size()) return 0;
    full_.push_back(std::move(current_));
    return full_.size();
  }

  /// Everything pushed so far, in order.
  Chunks takeAll() {
    Chunks taken;
    const std::lock_guard guard(lock_);
    taken.swap(full_);
    if (current_) taken.push_back(std::move(current_));
    return taken;
  }

  /// Gives chunks back for reuse; a few are kept, so that a backlog does not stay allocated.
  void recycle(Chunks chunks) {
    const std::lock_guard guard(lock_);
    for (std::unique_ptr<Chunk>& chunk : chunks) {
      if (spare_.size() >= kSpareChunks) break;
      chunk->used = 0;
      spare_.push_back(std::move(chunk));
    }
  }

 private:
  static constexpr size_t kSpareChunks = 64;  // 8 MiB

  std::unique_ptr<Chunk> fresh() {
    if (spare_.empty()) return std::unique_ptr<Chunk>(new Chunk);  // rows stay uninitialised
    std::unique_ptr<Chunk> chunk = std::move(spare_.back());
    spare_.pop_back();
    return chunk;
  }

  SpinLock lock_;
  std::unique_ptr<Chunk> current_;
  Chunks full_;
  Chunks spare_;
};

}  // namespace tenon
