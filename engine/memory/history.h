// SPDX-License-Identifier: Apache-2.0
// The allocator's event history: what was allocated, freed and retagged, when, by whom.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "engine/base/export.h"
#include "engine/memory/allocator.h"

namespace tenon::memory {

enum class EventKind : uint8_t { Alloc, Free, Retag, SegmentMap, SegmentUnmap, OutOfMemory };

/// One event. Bytes are rounded sizes, so that sums equal `CachingAllocator::allocatedBytes`.
struct Event {
  EventKind kind = EventKind::Alloc;
  Category category = Category::Temporary;  ///< the new one for Retag
  Phase phase = Phase::None;
  uint64_t block = 0;  ///< Block::id
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint64_t requested = 0;
  StreamId stream = 0;
  PoolId pool = {};
  NameId layer = 0;
  NameId op = 0;
  int64_t step = -1;
  int64_t timeNs = 0;  ///< monotonic; of blocks in `Trace::initial` to a few milliseconds only
  uint64_t live = 0;   ///< CachingAllocator::allocatedBytes right after the event
};

/// What was live when recording started, then the events in order.
struct Trace {
  std::vector<Event> initial;  ///< one Alloc event a live block
  std::vector<Event> events;
  uint64_t dropped = 0;  ///< events lost because the limit was reached
};

/// Collects events while it records. The allocator calls it under its own lock.
/// @thread recording() and droppedEvents() may be called from any thread.
class TENON_API History {
 public:
  bool recording() const noexcept { return recording_.load(std::memory_order_relaxed); }
  uint64_t droppedEvents() const noexcept { return dropped_.load(std::memory_order_relaxed); }

 private:
  friend struct AllocatorState;
  void start(size_t maxEvents, std::vector<Event> initial);
  Trace stop();
  void add(const Event& event);

  std::atomic<bool> recording_ = false;
  std::atomic<uint64_t> dropped_ = 0;
  size_t maxEvents_ = 0;
  std::vector<Event> initial_;
  std::deque<Event> events_;  // grows without moving what is there
};

/// Starts recording on an allocator, anew if it was recording; `maxEvents` bounds memory (oldest
/// kept, later ones counted as dropped).
TENON_API void startHistory(CachingAllocator& allocator, size_t maxEvents = 1u << 22);
/// Stops and returns what was recorded; empty if it was not recording.
TENON_API Trace stopHistory(CachingAllocator& allocator);

/// Live bytes by category after each event of a trace; entry 0 is the state at the start.
TENON_API std::vector<std::array<uint64_t, kCategoryCount>> replayCategories(const Trace& trace);

}  // namespace tenon::memory
