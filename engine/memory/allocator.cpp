// SPDX-License-Identifier: Apache-2.0
// The calls of CachingAllocator: rounding, front cache, bookkeeping of live blocks.
#include "engine/memory/allocator.h"

#include <time.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "engine/base/environment.h"
#include "engine/base/error.h"
#include "engine/memory/allocator_state.h"
#include "engine/memory/poison.h"

namespace tenon::memory {

namespace {

constexpr size_t kFrontCacheBytes = 16u << 20;  // a lane's limit
constexpr size_t kLargestRequest = size_t{1}
                                   << 47;  // the address space; keeps sums from overflowing

int64_t clockNs(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return now.tv_sec * int64_t{1000000000} + now.tv_nsec;
}

const FlagVariable kFillNan("TENON_FILL_NAN");

[[noreturn]] void dieOfMisuse(const BlockImpl& block) {
  std::fprintf(stderr,
               "[memory] free of a block that is not live: %p, %zu bytes, last allocation %llu\n",
               block.data, block.size, static_cast<unsigned long long>(block.id));
  std::abort();
}

}  // namespace

std::string_view categoryName(Category category) {
  static constexpr std::array<std::string_view, kCategoryCount> kNames = {
      "temporary", "parameter", "gradient", "optimizer state", "activation", "input", "buffer"};
  return kNames[static_cast<size_t>(category)];
}

AllocatorState::AllocatorState(RawMemory& rawMemory, const AllocatorOptions& allocatorOptions)
    : raw(rawMemory),
      options(allocatorOptions),
      hostVisible(rawMemory.hostVisible()),
      fillWithNan(hostVisible && (allocatorOptions.fillWithNan || kFillNan.value())),
      redZone(hostVisible ? kRedZoneBytes : 0) {}

Lane& AllocatorState::laneOf(PoolId pool, StreamId stream) {
  const LaneKey key{pool.kind, pool.index, stream};
  if (lastLane != nullptr && lastLane->key == key) return *lastLane;
  std::unique_ptr<Lane>& lane = lanes[key];
  if (!lane) lane = std::make_unique<Lane>(key, options.expandableSegments);
  return *(lastLane = lane.get());
}

size_t AllocatorState::roundedSize(size_t bytes) const {
  const size_t wanted = bytes + redZone;
  return wanted <= kGrain ? kGrain : (wanted + kGrain - 1) / kGrain * kGrain;
}

BlockImpl* AllocatorState::takeCached(Lane& lane, size_t size) {
  if (size > kSmallLimit) return nullptr;
  BlockImpl*& bin = lane.bins[size / kGrain];
  BlockImpl* block = bin;
  if (block == nullptr) return nullptr;
  bin = block->link;
  block->state = BlockState::Active;
  lane.cachedBytes -= size;
  if (!block->segment->expandable) {
    InactiveChange change;
    change.leave(*block);
    apply(change, StatPool::Small);
  }
  return block;
}

bool AllocatorState::putCached(BlockImpl& block) {
  Lane& lane = *block.segment->pool->lane;
  if (!options.frontCache || block.size > kSmallLimit || !block.segment->pool->isSmall() ||
      lane.cachedBytes + block.size > kFrontCacheBytes)
    return false;
  BlockImpl*& bin = lane.bins[block.size / kGrain];
  block.state = BlockState::Cached;
  block.link = bin;
  bin = &block;
  lane.cachedBytes += block.size;
  if (!block.segment->expandable) {
    InactiveChange change;
    change.enter(block);
    apply(change, StatPool::Small);
  }
  return true;
}

bool AllocatorState::flush(Lane& lane) {
  if (lane.cachedBytes == 0) return false;
  for (BlockImpl*& bin : lane.bins) {
    while (BlockImpl* block = bin) {
      bin = block->link;
      InactiveChange change;
      change.leave(*block);
      makeFree(*block, change);
      apply(change, StatPool::Small);
    }
  }
  lane.cachedBytes = 0;
  return true;
}

void AllocatorState::flushAll() {
  for (auto& [key, lane] : lanes) flush(*lane);
}

void AllocatorState::markActive(BlockImpl& block, const AllocationRequest& request) {
  const Scope& scope = currentScope();
  const bool recording = history.recording();
  block.requested = request.bytes;
  block.category = request.category;
  block.id = ++lastId;
  block.phase = scope.phase;
  block.layer = scope.layer;
  block.op = scope.op;
  block.step = scope.step;
  block.timeNs = clockNs(recording ? CLOCK_MONOTONIC : CLOCK_MONOTONIC_COARSE);
  const StatPool kind = block.segment->pool->kind;
  counters.allocations.add(kind, 1);
  counters.allocatedBytes.add(kind, static_cast<int64_t>(block.size));
  counters.requestedBytes.add(kind, static_cast<int64_t>(block.requested));
  if (block.size >= options.maxSplitBytes) counters.oversizeAllocations.add(1);
  const auto live = static_cast<size_t>(counters.allocatedBytes.current());
  liveBytes.store(live, std::memory_order_relaxed);
  highWaterBytes = std::max(highWaterBytes, live);
  if (recording) record(EventKind::Alloc, block);
}

CachingAllocator::CachingAllocator(RawMemory& raw, AllocatorOptions options)
    : state_(std::make_unique<AllocatorState>(raw, options)) {}
CachingAllocator::~CachingAllocator() = default;

Block* CachingAllocator::allocate(const AllocationRequest& request) {
  AllocatorState& s = *state_;
  BlockImpl* block = nullptr;
  {
    const std::lock_guard lock(s.mutex);
    if (s.failCountdown != 0 && --s.failCountdown == 0)
      s.failOutOfMemory(request, request.bytes, AllocatorState::Refusal::Test);
    if (request.bytes > kLargestRequest)
      s.failOutOfMemory(request, request.bytes, AllocatorState::Refusal::Early);
    const size_t size = s.roundedSize(request.bytes);
    Lane& lane = s.laneOf(request.pool, request.stream);
    block = s.takeCached(lane, size);
    if (block == nullptr) {
      SizePool& pool = lane.poolFor(size);
      block = s.bestFit(pool, size);
      // Growing is the dear way, so what waits in the front cache is coalesced first.
      if (block == nullptr && s.flush(lane)) block = s.bestFit(pool, size);
      if (block == nullptr) block = s.grow(pool, size);
      if (block == nullptr)
        s.failOutOfMemory(
            request, AllocatorState::segmentBytes(size),
            s.refusedByLimit ? AllocatorState::Refusal::Early : AllocatorState::Refusal::Device);
      s.split(*block, size);
    }
    s.markActive(*block, request);
  }
  if (s.hostVisible) {
    unpoison(block->data, block->requested);
    if (s.fillWithNan) std::memset(block->data, 0xff, block->requested);  // NaN in every float type
  }
  return block;
}

void CachingAllocator::free(Block* freed) noexcept {
  if (freed == nullptr) return;
  AllocatorState& s = *state_;
  BlockImpl& block = static_cast<BlockImpl&>(*freed);
  const std::lock_guard lock(s.mutex);
  if (block.state != BlockState::Active) dieOfMisuse(block);
  if (s.hostVisible) poison(block.data, block.size);
  const StatPool kind = block.segment->pool->kind;
  s.counters.allocations.subtract(kind, 1);
  s.counters.allocatedBytes.subtract(kind, static_cast<int64_t>(block.size));
  s.counters.requestedBytes.subtract(kind, static_cast<int64_t>(block.requested));
  if (block.size >= s.options.maxSplitBytes) s.counters.oversizeAllocations.subtract(1);
  s.liveBytes.store(static_cast<size_t>(s.counters.allocatedBytes.current()),
                    std::memory_order_relaxed);
  if (s.history.recording()) s.record(EventKind::Free, block);
  if (s.putCached(block)) return;
  AllocatorState::InactiveChange change;
  s.makeFree(block, change);
  s.apply(change, kind);
}

void CachingAllocator::retag(Block* tagged, Category category) noexcept {
  AllocatorState& s = *state_;
  const std::lock_guard lock(s.mutex);
  if (tagged->category == category) return;
  tagged->category = category;
  if (s.history.recording()) s.record(EventKind::Retag, static_cast<BlockImpl&>(*tagged));
}

Statistics CachingAllocator::statistics() const {
  const std::lock_guard lock(state_->mutex);
  return state_->takeStatistics();
}

void CachingAllocator::resetPeaks() {
  const std::lock_guard lock(state_->mutex);
  state_->counters.resetPeaks();
}

void CachingAllocator::emptyCache() {
  const std::lock_guard lock(state_->mutex);
  state_->releaseAll();
  state_->dropReleasedLanes();
}

void CachingAllocator::releasePool(PoolId pool) {
  const std::lock_guard lock(state_->mutex);
  state_->releasedPools.emplace(pool.kind, pool.index);
}

size_t CachingAllocator::allocatedBytes() const noexcept {
  return state_->liveBytes.load(std::memory_order_relaxed);
}

size_t CachingAllocator::reservedBytes() const noexcept {
  return state_->reservedBytes.load(std::memory_order_relaxed);
}

History& CachingAllocator::history() { return state_->history; }

Snapshot CachingAllocator::snapshot() const {
  const std::lock_guard lock(state_->mutex);
  return state_->takeSnapshot();
}

void CachingAllocator::failAllocation(uint64_t n) noexcept {
  const std::lock_guard lock(state_->mutex);
  state_->failCountdown = n;
}

}  // namespace tenon::memory
