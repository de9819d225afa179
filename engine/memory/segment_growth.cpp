// SPDX-License-Identifier: Apache-2.0
// Memory from the device: plain segments, and expandable ones that are backed page by page.
#include <algorithm>

#include "engine/memory/allocator_state.h"
#include "engine/memory/poison.h"

namespace tenon::memory {

namespace {

constexpr size_t kSlackPart = 16;  // reserved memory may exceed the peak of live memory by a 16th
constexpr size_t kReservationOfUnknown = size_t{64}
                                         << 30;  // where the device does not tell its size

size_t roundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

bool isFreeOrUnmapped(const BlockImpl* block) {
  return block != nullptr &&
         (block->state == BlockState::Free || block->state == BlockState::Unmapped);
}

}  // namespace

size_t AllocatorState::segmentBytes(size_t size) {
  if (size <= kSmallLimit) return kSmallSegment;
  return size < kLargeSegmentLimit ? kLargeSegment : roundUp(size, kSegmentGrain);
}

size_t AllocatorState::limitBytes() const {
  const double total = static_cast<double>(raw.totalBytes());
  if (options.memoryFraction >= 1.0 || total == 0) return SIZE_MAX;
  return static_cast<size_t>(options.memoryFraction * total);
}

bool AllocatorState::withinLimit(size_t moreBytes) {
  const size_t reserved = reservedBytes.load(std::memory_order_relaxed);
  refusedByLimit = reserved + moreBytes > limitBytes();
  return !refusedByLimit;
}

void AllocatorState::changeReserved(SizePool& pool, int64_t bytes) {
  counters.reservedBytes.change(pool.kind, bytes);
  pool.lane->reservedBytes += static_cast<size_t>(bytes);  // may be negative: modular, as wanted
  bytes > 0 ? ++counters.deviceAllocations : ++counters.deviceFrees;
  reservedBytes.store(static_cast<size_t>(counters.reservedBytes.current()),
                      std::memory_order_relaxed);
}

BlockImpl* AllocatorState::grow(SizePool& pool, size_t size) {
  auto attempt = [&] {
    return pool.expandable ? growExpandable(pool, size) : newSegment(pool, size);
  };
  if (BlockImpl* block = attempt()) return block;
  if (releaseOversize(pool, size))
    if (BlockImpl* block = attempt()) return block;
  releaseAll();
  ++counters.allocRetries;
  return attempt();
}

Segment& AllocatorState::addSegment(SizePool& pool, void* data, size_t bytes) {
  auto segment = std::make_unique<Segment>();
  segment->base = static_cast<std::byte*>(data);
  segment->size = bytes;
  segment->pool = &pool;
  segment->first = newBlock(*segment, segment->base, bytes);
  Segment& added = *segment;
  segments.emplace(added.base, std::move(segment));
  return added;
}

BlockImpl* AllocatorState::newSegment(SizePool& pool, size_t size) {
  const size_t bytes = segmentBytes(size);
  if (!withinLimit(bytes)) return nullptr;
  void* data = raw.allocateSegment(bytes);
  if (data == nullptr) return nullptr;
  Segment& segment = addSegment(pool, data, bytes);
  if (hostVisible) poison(data, bytes);
  changeReserved(pool, static_cast<int64_t>(bytes));
  counters.segments.add(pool.kind, 1);
  if (bytes >= options.maxSplitBytes) counters.oversizeSegments.add(1);
  if (history.recording()) recordRange(EventKind::SegmentMap, pool, data, bytes);
  return segment.first;
}

BlockImpl* AllocatorState::roomToGrow(SizePool& pool, size_t size) {
  for (BlockImpl* hole : pool.unmapped) {
    BlockImpl* start = isFreeOrUnmapped(hole->prev) ? hole->prev : hole;
    size_t room = 0;
    for (BlockImpl* block = start; isFreeOrUnmapped(block) && room < size; block = block->next)
      room += block->size;
    if (room >= size) return start;
  }
  return nullptr;
}

BlockImpl* AllocatorState::reserveMore(SizePool& pool, size_t size) {
  const size_t page = pool.pageBytes();
  const size_t total = raw.totalBytes();
  const size_t least = roundUp(size, page);
  size_t bytes = roundUp(total == 0 ? kReservationOfUnknown : total + total / 8, page);
  bytes = std::max(bytes, least);
  void* data = raw.reserve(bytes);
  while (data == nullptr && bytes > least) {  // a limit on the address space is no reason to fail
    bytes = std::max(least, roundUp(bytes / 4, page));
    data = raw.reserve(bytes);
  }
  if (data == nullptr) return nullptr;
  Segment& segment = addSegment(pool, data, bytes);
  segment.expandable = true;
  segment.first->state = BlockState::Unmapped;
  pool.unmapped.insert(segment.first);
  return segment.first;
}

bool AllocatorState::mapFront(BlockImpl& block, size_t bytes) {
  SizePool& pool = *block.segment->pool;
  const size_t mapped = roundUp(bytes, pool.pageBytes());
  if (!withinLimit(mapped) || !raw.map(block.data, mapped)) return false;
  pool.unmapped.erase(&block);
  if (mapped < block.size) pool.unmapped.insert(cut(block, mapped));
  block.state = BlockState::Free;
  if (hostVisible) poison(block.data, mapped);
  changeReserved(pool, static_cast<int64_t>(mapped));
  if (history.recording()) recordRange(EventKind::SegmentMap, pool, block.data, mapped);
  return true;
}

void AllocatorState::moveFreePages(SizePool& pool, BlockImpl& start, size_t size) {
  const size_t live = liveBytes.load(std::memory_order_relaxed) + size;
  const size_t peak = std::max(live, highWaterBytes);
  size_t missing = 0, room = 0;
  BlockImpl* end = &start;
  for (; room < size; room += end->size, end = end->next)
    if (end->state == BlockState::Unmapped)
      missing += roundUp(std::min(size - room, end->size), pool.pageBytes());
  const size_t reserved = reservedBytes.load(std::memory_order_relaxed) + missing;
  const size_t allowed = peak + peak / kSlackPart;
  if (reserved <= allowed) return;
  // A free block right behind would melt into the unmapped space of the run, so it stays out of it
  // too.
  if (end != nullptr && end->state == BlockState::Free) end = end->next;
  for (BlockImpl* block = &start; block != end; block = block->next)
    if (block->state == BlockState::Free) pool.free.erase(block);  // these are about to be used
  unmapLargest(pool, std::min(missing, reserved - allowed));
  for (BlockImpl* block = &start; block != end; block = block->next)
    if (block->state == BlockState::Free) pool.free.insert(block);
}

BlockImpl* AllocatorState::growExpandable(SizePool& pool, size_t size) {
  BlockImpl* block = roomToGrow(pool, size);
  if (block == nullptr) block = reserveMore(pool, size);
  if (block == nullptr) {
    pool.expandable = false;  // the device cannot
    return newSegment(pool, size);
  }
  moveFreePages(pool, *block, size);
  InactiveChange none;  // expandable segments are left out of the figures
  if (block->state == BlockState::Free)
    pool.free.erase(block);
  else if (!mapFront(*block, std::min(size, block->size)))
    return nullptr;
  while (block->size < size) {
    BlockImpl* next = block->next;
    if (next->state == BlockState::Free) {
      pool.free.erase(next);
    } else if (!mapFront(*next, std::min(size - block->size, next->size))) {
      makeFree(*block, none);
      return nullptr;
    }
    joinNext(*block);
  }
  return block;
}

}  // namespace tenon::memory
