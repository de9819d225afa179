// SPDX-License-Identifier: Apache-2.0
// The allocator's counters while it runs; cheap to change, turned into Statistics on request.
#pragma once

#include <algorithm>

#include "engine/memory/statistics.h"

namespace tenon::memory {

/// A figure that goes up and down, with its peak.
class Counter {
 public:
  void add(int64_t amount) {
    current_ += amount;
    allocated_ += amount;
    peak_ = std::max(peak_, current_);
  }
  void subtract(int64_t amount) { current_ -= amount; }
  /// Adds if positive, subtracts if negative.
  void change(int64_t amount) { amount > 0 ? add(amount) : subtract(-amount); }
  void resetPeak() { peak_ = current_; }
  int64_t current() const { return current_; }
  int64_t peak() const { return peak_; }
  Stat stat() const { return {current_, peak_, allocated_, allocated_ - current_}; }

 private:
  int64_t current_ = 0;
  int64_t peak_ = 0;
  int64_t allocated_ = 0;
};

/// A counter in all and for each of the two pools.
class PoolCounter {
 public:
  void add(StatPool pool, int64_t amount) {
    all().add(amount);
    of(pool).add(amount);
  }
  void subtract(StatPool pool, int64_t amount) {
    all().subtract(amount);
    of(pool).subtract(amount);
  }
  void change(StatPool pool, int64_t amount) {
    all().change(amount);
    of(pool).change(amount);
  }
  void resetPeak() {
    for (Counter& counter : counters_) counter.resetPeak();
  }
  int64_t current() const { return counters_[0].current(); }
  int64_t peak() const { return counters_[0].peak(); }
  StatFamily family() const {
    return {counters_[0].stat(), counters_[1].stat(), counters_[2].stat()};
  }

 private:
  Counter& all() { return counters_[0]; }
  Counter& of(StatPool pool) { return counters_[static_cast<size_t>(pool)]; }
  std::array<Counter, 3> counters_;
};

/// All counters of an allocator. Blocks are complete when freed (no events wait for another
/// stream), so `active` figures equal `allocation` figures.
struct Counters {
  PoolCounter allocations, segments, inactiveSplit;
  PoolCounter allocatedBytes, reservedBytes, inactiveSplitBytes, requestedBytes;
  Counter oversizeAllocations, oversizeSegments;
  int64_t allocRetries = 0;
  int64_t outOfMemory = 0;
  int64_t outOfMemoryRejections = 0;
  int64_t allStreamsWaits = 0;
  int64_t deviceAllocations = 0;
  int64_t deviceFrees = 0;

  Statistics statistics() const;
  void resetPeaks();
};

}  // namespace tenon::memory
