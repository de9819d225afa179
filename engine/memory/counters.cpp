// SPDX-License-Identifier: Apache-2.0
// Counters turned into the Statistics others see.
#include "engine/memory/counters.h"

namespace tenon::memory {

Statistics Counters::statistics() const {
  Statistics s;
  s.allocations = s.active = allocations.family();
  s.segments = segments.family();
  s.inactiveSplit = inactiveSplit.family();
  s.allocatedBytes = s.activeBytes = allocatedBytes.family();
  s.reservedBytes = reservedBytes.family();
  s.inactiveSplitBytes = inactiveSplitBytes.family();
  s.requestedBytes = requestedBytes.family();
  s.oversizeAllocations = oversizeAllocations.stat();
  s.oversizeSegments = oversizeSegments.stat();
  s.allocRetries = allocRetries;
  s.outOfMemory = outOfMemory;
  s.outOfMemoryRejections = outOfMemoryRejections;
  s.allStreamsWaits = allStreamsWaits;
  s.deviceAllocations = deviceAllocations;
  s.deviceFrees = deviceFrees;
  return s;
}

void Counters::resetPeaks() {
  for (PoolCounter* counter : {&allocations, &segments, &inactiveSplit, &allocatedBytes,
                               &reservedBytes, &inactiveSplitBytes, &requestedBytes})
    counter->resetPeak();
  oversizeAllocations.resetPeak();
  oversizeSegments.resetPeak();
}

}  // namespace tenon::memory
