// SPDX-License-Identifier: Apache-2.0
// The one caching allocator over any back end's raw memory: best fit with splitting and coalescing,
// per stream and pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "engine/base/export.h"
#include "engine/memory/scope.h"
#include "engine/memory/statistics.h"

namespace tenon::memory {

/// What a block is for. Blocks start as Temporary and are retagged when their use is known.
enum class Category : uint8_t {
  Temporary,
  Parameter,
  Gradient,
  OptimizerState,
  Activation,
  Input,
  Buffer
};
inline constexpr int kCategoryCount = 7;
TENON_API std::string_view categoryName(Category category);

/// Raw memory of a device: large pieces, asked for rarely. A back end implements it.
class RawMemory {
 public:
  virtual ~RawMemory() = default;
  /// A segment of `bytes` (a multiple of 2 MiB), aligned to at least 4096; nullptr when there is
  /// none.
  virtual void* allocateSegment(size_t bytes) = 0;
  virtual void freeSegment(void* data, size_t bytes) noexcept = 0;
  /// Address space that can be backed piece by piece; nullptr when the device cannot do that.
  virtual void* reserve(size_t bytes) = 0;
  virtual bool map(void* data, size_t bytes) = 0;
  /// Work of the device on that memory may still be queued; the back end waits for it.
  virtual void unmap(void* data, size_t bytes) noexcept = 0;
  virtual void unreserve(void* data, size_t bytes) noexcept = 0;
  /// Bytes of the device in all and free now; zeros if unknown.
  virtual size_t totalBytes() const = 0;
  virtual size_t freeBytes() const = 0;
  /// True if the host can touch the memory (poisoning, filling with NaN).
  virtual bool hostVisible() const = 0;
};

using StreamId = uint64_t;
struct AllocationRequest {
  size_t bytes = 0;
  StreamId stream = 0;
  PoolId pool = {};
  Category category = Category::Temporary;
};

/// Memory handed out. `size` is the rounded size, `requested` what the caller asked for (both
/// bytes).
struct Block {
  void* data = nullptr;
  size_t size = 0;
  size_t requested = 0;
  uint64_t id = 0;  ///< number of this allocation, unique within the allocator
  Category category = Category::Temporary;
};

struct AllocatorOptions {
  bool expandableSegments = true;
  size_t maxSplitBytes = SIZE_MAX;  ///< see reference/engine-facts.md 1.1
  double memoryFraction = 1.0;      ///< share of the device that may be reserved
  bool frontCache = true;           ///< exact-size cache in front, its blocks counted as inactive
  bool fillWithNan = false;         ///< debug: new memory holds NaN (also TENON_FILL_NAN=1)
};

class History;
struct Snapshot;
struct Trace;
struct AllocatorState;

/// @thread all functions may be called from any thread.
class TENON_API CachingAllocator {
 public:
  /// @param raw must outlive the allocator.
  CachingAllocator(RawMemory& raw, AllocatorOptions options = {});
  ~CachingAllocator();
  CachingAllocator(const CachingAllocator&) = delete;
  CachingAllocator& operator=(const CachingAllocator&) = delete;

  /// A block of at least `request.bytes` (0 bytes give a valid block of the smallest size), aligned
  /// to 64.
  /// @throws Error(Code::Memory) naming bytes wanted, who asked (the thread's scope), bytes free,
  /// allocated and reserved, and the largest live blocks by layer.
  Block* allocate(const AllocationRequest& request);
  void free(Block* block) noexcept;
  /// Says that a block is now something else (became parameter, saved activation, gradient, ...).
  void retag(Block* block, Category category) noexcept;

  Statistics statistics() const;
  void resetPeaks();
  /// Gives every wholly free segment (expandable: every free page) back to the device, except those
  /// of private pools in use.
  void emptyCache();
  /// Says that no captured graph needs a private pool any longer: emptyCache() and the last attempt
  /// before an out-of-memory error may give its free memory back. Once emptyCache() found all of it
  /// free, the id may be used for a new pool.
  void releasePool(PoolId pool);
  /// Bytes live now (rounded sizes), without taking a lock.
  size_t allocatedBytes() const noexcept;
  size_t reservedBytes() const noexcept;

  /// Event history (alloc, free, retag with scope); off at first. See history.h.
  History& history();
  /// All segments and blocks now.
  Snapshot snapshot() const;  // see snapshot.h

  /// Makes the n-th allocation from now (1 = next) fail with Error(Code::Memory); 0 switches that
  /// off. For tests.
  void failAllocation(uint64_t n) noexcept;

 private:
  friend void startHistory(CachingAllocator& allocator, size_t maxEvents);
  friend Trace stopHistory(CachingAllocator& allocator);

  std::unique_ptr<AllocatorState> state_;
};

}  // namespace tenon::memory
