// SPDX-License-Identifier: Apache-2.0
// Giving free memory back to the device.
#include <algorithm>

#include "engine/memory/allocator_state.h"
#include "engine/memory/poison.h"

namespace tenon::memory {

AllocatorState::~AllocatorState() {
  for (auto& [base, segment] : segments) {
    if (!segment->expandable) {
      if (hostVisible) unpoison(base, segment->size);
      raw.freeSegment(base, segment->size);
      continue;
    }
    for (BlockImpl* block = segment->first; block != nullptr; block = block->next) {
      if (block->state == BlockState::Unmapped) continue;
      while (block->next != nullptr && block->next->state != BlockState::Unmapped) joinNext(*block);
      if (hostVisible) unpoison(block->data, block->size);
      raw.unmap(block->data, block->size);
    }
    raw.unreserve(base, segment->size);
  }
}

bool AllocatorState::mayRelease(const Lane& lane) const {
  return !lane.isPrivate() || releasedPools.count({lane.key.kind, lane.key.index}) != 0;
}

void AllocatorState::releaseAll() {
  ++counters.allStreamsWaits;
  flushAll();
  for (auto& [key, lane] : lanes) {
    if (!mayRelease(*lane)) continue;
    releaseUnused(lane->small);
    releaseUnused(lane->large);
  }
}

void AllocatorState::dropReleasedLanes() {
  std::set<const Lane*> used;
  for (const auto& [base, segment] : segments) used.insert(segment->pool->lane);
  for (auto pool = releasedPools.begin(); pool != releasedPools.end();) {
    bool gone = true;
    auto lane = lanes.lower_bound({pool->first, pool->second, 0});
    while (lane != lanes.end() && lane->first.kind == pool->first &&
           lane->first.index == pool->second) {
      const bool isUsed = used.count(lane->second.get()) != 0;
      gone = gone && !isUsed;
      lane = isUsed ? std::next(lane) : lanes.erase(lane);
    }
    pool = gone ? releasedPools.erase(pool) : std::next(pool);
  }
  lastLane = nullptr;
}

void AllocatorState::releaseUnused(SizePool& pool) {
  const std::vector<BlockImpl*> blocks(pool.free.begin(), pool.free.end());
  for (BlockImpl* block : blocks) {
    if (block->segment->expandable)
      unmapPages(*block);
    else if (!block->isSplit())
      releaseSegment(*block);
  }
}

bool AllocatorState::releaseOversize(SizePool& pool, size_t size) {
  if (options.maxSplitBytes == SIZE_MAX || pool.isSmall()) return false;
  const size_t wanted = std::max(size, options.maxSplitBytes);
  auto plain = [](const BlockImpl* block) { return !block->segment->expandable; };
  auto it = pool.free.lower_bound(wanted);
  if (it != pool.free.end() && plain(*it)) {
    releaseSegment(**it);
    return true;
  }
  // No single block is enough: the largest ones together.
  size_t released = 0;
  while (released < wanted && it != pool.free.begin()) {
    BlockImpl* block = *--it;
    if (block->size < options.maxSplitBytes) break;
    if (!plain(block)) continue;
    released += block->size;
    ++it;  // survives the erasure of the block before it
    releaseSegment(*block);
  }
  return released >= wanted;
}

void AllocatorState::releaseSegment(BlockImpl& whole) {
  Segment& segment = *whole.segment;
  SizePool& pool = *segment.pool;
  std::byte* base = segment.base;
  const size_t bytes = segment.size;
  pool.free.erase(&whole);
  dropBlock(whole);
  segments.erase(base);
  if (hostVisible) unpoison(base, bytes);
  raw.freeSegment(base, bytes);
  changeReserved(pool, -static_cast<int64_t>(bytes));
  counters.segments.subtract(pool.kind, 1);
  if (bytes >= options.maxSplitBytes) counters.oversizeSegments.subtract(1);
  if (history.recording()) recordRange(EventKind::SegmentUnmap, pool, base, bytes);
}

void AllocatorState::unmapLargest(SizePool& pool, size_t bytes) {
  const size_t before = reservedBytes.load(std::memory_order_relaxed);
  const size_t wanted = before - std::min(bytes, before);
  const std::vector<BlockImpl*> blocks(pool.free.rbegin(), pool.free.rend());
  for (BlockImpl* block : blocks) {
    const size_t reserved = reservedBytes.load(std::memory_order_relaxed);
    if (reserved <= wanted || block->size < pool.pageBytes()) return;
    if (block->segment->expandable) unmapPages(*block, reserved - wanted);
  }
}

void AllocatorState::unmapPages(BlockImpl& block, size_t most) {
  Segment& segment = *block.segment;
  SizePool& pool = *segment.pool;
  const size_t page = pool.pageBytes();
  const size_t begin = static_cast<size_t>(block.begin() - segment.base);
  size_t from = (begin + page - 1) / page * page;
  const size_t to = (begin + block.size) / page * page;
  if (from >= to) return;
  if (most < to - from) from = to - (most + page - 1) / page * page;

  pool.free.erase(&block);
  BlockImpl* middle = &block;
  if (from > begin) {
    middle = cut(block, from - begin);
    pool.free.insert(&block);
  }
  if (middle->size > to - from) pool.free.insert(cut(*middle, to - from));
  if (hostVisible) unpoison(middle->data, middle->size);
  raw.unmap(middle->data, middle->size);
  changeReserved(pool, -static_cast<int64_t>(middle->size));
  if (history.recording()) recordRange(EventKind::SegmentUnmap, pool, middle->data, middle->size);

  middle->state = BlockState::Unmapped;
  if (middle->next != nullptr && middle->next->state == BlockState::Unmapped) {
    pool.unmapped.erase(middle->next);
    joinNext(*middle);
  }
  if (middle->prev != nullptr && middle->prev->state == BlockState::Unmapped) {
    middle = middle->prev;
    joinNext(*middle);
  } else {
    pool.unmapped.insert(middle);
  }
  if (middle->isSplit()) return;
  pool.unmapped.erase(middle);
  dropBlock(*middle);
  std::byte* base = segment.base;
  const size_t bytes = segment.size;
  segments.erase(base);
  raw.unreserve(base, bytes);
}

}  // namespace tenon::memory
