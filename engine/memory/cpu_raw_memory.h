// SPDX-License-Identifier: Apache-2.0
// Raw memory of the host by mmap: plain segments and reservations backed page by page, on huge
// pages where it can.
#pragma once

#include <atomic>
#include <cstddef>

#include "engine/base/export.h"
#include "engine/memory/allocator.h"

namespace tenon::memory {

/// Refuses what would go beyond its limit or beyond what the machine has available now, so that a
/// run ends with a typed error instead of being killed.
/// @thread all functions may be called from any thread.
class TENON_API CpuRawMemory final : public RawMemory {
 public:
  void* allocateSegment(size_t bytes) override;
  void freeSegment(void* data, size_t bytes) noexcept override;
  void* reserve(size_t bytes) override;
  bool map(void* data, size_t bytes) override;
  void unmap(void* data, size_t bytes) noexcept override;
  void unreserve(void* data, size_t bytes) noexcept override;
  /// The limit, if one is set, else the machine's memory or its control group's share, of which
  /// the environment variable TENON_MEMORY_LIMIT may take a part. @throws Error(Code::Usage) if
  /// that is not a number of bytes
  size_t totalBytes() const override;
  size_t freeBytes() const override;
  bool hostVisible() const override { return true; }

  /// At most this many bytes in all; 0: as many as the machine has.
  void setLimit(size_t bytes) noexcept { limit_.store(bytes, std::memory_order_relaxed); }
  /// Bytes of segments and mapped pages now.
  size_t mappedBytes() const noexcept { return mapped_.load(std::memory_order_relaxed); }

 private:
  bool claim(size_t bytes);
  void giveBack(size_t bytes) noexcept { mapped_.fetch_sub(bytes, std::memory_order_relaxed); }

  std::atomic<size_t> limit_ = 0;
  std::atomic<size_t> mapped_ = 0;
};

/// The process's host memory; lives as long as the process.
TENON_API CpuRawMemory& cpuRawMemory();

}  // namespace tenon::memory
