// SPDX-License-Identifier: Apache-2.0
// What the allocator tells: history events, snapshots, and the text of an out-of-memory error.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <tuple>

#include "engine/base/error.h"
#include "engine/memory/allocator_state.h"

namespace tenon::memory {

namespace {

constexpr size_t kLargestListed = 5;

int64_t nowNs() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1000000000} + now.tv_nsec;
}

std::string bytesText(size_t bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", value, kUnits[unit]);
}

/// Live blocks of one layer and category.
struct LiveGroup {
  NameId layer = 0;
  Category category = Category::Temporary;
  size_t bytes = 0;
  size_t blocks = 0;
};

template <typename Visit>
void forEachLive(const AllocatorState& state, Visit visit) {
  for (const auto& [base, segment] : state.segments)
    for (const BlockImpl* block = segment->first; block != nullptr; block = block->next)
      if (block->state == BlockState::Active) visit(*block);
}

std::vector<LiveGroup> largestGroups(const AllocatorState& state) {
  std::map<std::pair<NameId, Category>, LiveGroup> groups;
  forEachLive(state, [&](const BlockImpl& block) {
    LiveGroup& group = groups[{block.layer, block.category}];
    group.layer = block.layer;
    group.category = block.category;
    group.bytes += block.size;
    ++group.blocks;
  });
  std::vector<LiveGroup> sorted;
  sorted.reserve(groups.size());
  for (const auto& [key, group] : groups) sorted.push_back(group);
  std::sort(sorted.begin(), sorted.end(), [](const LiveGroup& a, const LiveGroup& b) {
    return std::tie(b.bytes, a.layer, a.category) < std::tie(a.bytes, b.layer, b.category);
  });
  if (sorted.size() > kLargestListed) sorted.resize(kLargestListed);
  return sorted;
}

std::string groupText(const LiveGroup& group) {
  const std::string layer =
      group.layer == 0 ? std::string("no layer") : fmt::format("layer '{}'", nameText(group.layer));
  return fmt::format("{} ({}) {} in {} block{}", layer, categoryName(group.category),
                     bytesText(group.bytes), group.blocks, group.blocks == 1 ? "" : "s");
}

/// "; asked for by operator 'conv2d', layer 'stem', phase forward, step 3" with what is known.
std::string askerText(const Scope& scope) {
  std::string text;
  const auto add = [&text](const std::string& part) {
    text += (text.empty() ? "; asked for by " : ", ") + part;
  };
  if (scope.op != 0) add(fmt::format("operator '{}'", nameText(scope.op)));
  if (scope.layer != 0) add(fmt::format("layer '{}'", nameText(scope.layer)));
  if (scope.phase != Phase::None) add(fmt::format("phase {}", phaseName(scope.phase)));
  if (scope.step >= 0) add(fmt::format("step {}", scope.step));
  return text;
}

BlockInfo blockInfo(const BlockImpl& block) {
  BlockInfo info;
  info.address = reinterpret_cast<uint64_t>(block.data);
  info.size = block.size;
  info.active = block.state == BlockState::Active;
  if (!info.active) return info;
  info.requested = block.requested;
  info.category = block.category;
  info.phase = block.phase;
  info.id = block.id;
  info.layer = block.layer;
  info.op = block.op;
  info.step = block.step;
  info.timeNs = block.timeNs;
  return info;
}

void appendRanges(const Segment& segment, std::vector<SegmentInfo>& out) {
  bool open = false;
  for (const BlockImpl* block = segment.first; block != nullptr; block = block->next) {
    if (block->state == BlockState::Unmapped) {
      open = false;
      continue;
    }
    if (!open) {
      const Lane& lane = *segment.pool->lane;
      out.push_back({reinterpret_cast<uint64_t>(block->data),
                     0,
                     lane.key.stream,
                     lane.poolId(),
                     segment.pool->isSmall(),
                     segment.expandable,
                     {}});
      open = true;
    }
    out.back().size += block->size;
    out.back().blocks.push_back(blockInfo(*block));
  }
}

}  // namespace

void AllocatorState::apply(const InactiveChange& change, StatPool pool) {
  if (change.blocks != 0) counters.inactiveSplit.change(pool, change.blocks);
  if (change.bytes != 0) counters.inactiveSplitBytes.change(pool, change.bytes);
}

Event AllocatorState::blockEvent(EventKind kind, const BlockImpl& block) const {
  const Lane& lane = *block.segment->pool->lane;
  Event event;
  event.kind = kind;
  event.category = block.category;
  event.phase = block.phase;
  event.block = block.id;
  event.address = reinterpret_cast<uint64_t>(block.data);
  event.bytes = block.size;
  event.requested = block.requested;
  event.stream = lane.key.stream;
  event.pool = lane.poolId();
  event.layer = block.layer;
  event.op = block.op;
  event.step = block.step;
  event.timeNs = block.timeNs;
  return event;
}

namespace {

/// Who does it now, which need not be who allocated the block.
void stamp(Event& event, const AllocatorState& state) {
  const Scope& scope = currentScope();
  event.phase = scope.phase;
  event.layer = scope.layer;
  event.op = scope.op;
  event.step = scope.step;
  event.timeNs = nowNs();
  event.live = state.liveBytes.load(std::memory_order_relaxed);
}

}  // namespace

void AllocatorState::record(EventKind kind, const BlockImpl& block) {
  Event event = blockEvent(kind, block);
  const int64_t allocatedAt = event.timeNs;
  stamp(event, *this);
  if (kind == EventKind::Alloc) event.timeNs = allocatedAt;
  history.add(event);
}

void AllocatorState::recordRange(EventKind kind, const SizePool& pool, const void* data,
                                 size_t bytes) {
  Event event;
  event.kind = kind;
  event.address = reinterpret_cast<uint64_t>(data);
  event.bytes = bytes;
  event.stream = pool.lane->key.stream;
  event.pool = pool.lane->poolId();
  stamp(event, *this);
  history.add(event);
}

void AllocatorState::startHistory(size_t maxEvents) {
  std::vector<Event> initial;
  forEachLive(*this, [&](const BlockImpl& block) {
    initial.push_back(blockEvent(EventKind::Alloc, block));
  });
  std::sort(initial.begin(), initial.end(),
            [](const Event& a, const Event& b) { return a.block < b.block; });
  uint64_t live = 0;
  for (Event& event : initial) event.live = live += event.bytes;
  history.start(maxEvents, std::move(initial));
}

Snapshot AllocatorState::takeSnapshot() const {
  Snapshot snapshot;
  for (const auto& [base, segment] : segments) appendRanges(*segment, snapshot.segments);
  return snapshot;
}

std::string AllocatorState::outOfMemoryText(const AllocationRequest& request, size_t wanted) const {
  const size_t allocated = liveBytes.load(std::memory_order_relaxed);
  const size_t reserved = reservedBytes.load(std::memory_order_relaxed);
  size_t inPrivate = 0;
  for (const auto& [key, lane] : lanes)
    if (lane->isPrivate()) inPrivate += lane->reservedBytes;
  std::string text = fmt::format("[memory] no room for {} bytes ({}), a piece of {}", request.bytes,
                                 bytesText(request.bytes), bytesText(wanted));
  text += askerText(currentScope());
  if (raw.totalBytes() != 0)
    text += fmt::format(": device has {} in all, {} free", bytesText(raw.totalBytes()),
                        bytesText(raw.freeBytes()));
  if (limitBytes() != SIZE_MAX) text += fmt::format("; allowed are {}", bytesText(limitBytes()));
  text +=
      fmt::format("; allocated {}, in private pools {}, reserved but unallocated {}, reserved {}",
                  bytesText(allocated), bytesText(inPrivate), bytesText(reserved - allocated),
                  bytesText(reserved));
  std::string largest;
  for (const LiveGroup& group : largestGroups(*this))
    largest += (largest.empty() ? "" : ", ") + groupText(group);
  if (!largest.empty()) text += "; largest live: " + largest;
  if (!options.expandableSegments && reserved - allocated >= wanted)
    text += "; expandable segments would lose less to fragmentation";
  return text;
}

Statistics AllocatorState::takeStatistics() const {
  Statistics s = counters.statistics();
  if (options.maxSplitBytes != SIZE_MAX)
    s.maxSplitBytes = static_cast<int64_t>(options.maxSplitBytes);
  for (const auto& [key, lane] : lanes) {  // the streams of a pool stand side by side
    if (!lane->isPrivate() || lane->reservedBytes == 0) continue;
    if (s.privatePools.empty() || s.privatePools.back().pool != lane->poolId())
      s.privatePools.push_back({lane->poolId(), 0});
    s.privatePools.back().bytes += static_cast<int64_t>(lane->reservedBytes);
  }
  return s;
}

void AllocatorState::failOutOfMemory(const AllocationRequest& request, size_t wanted,
                                     Refusal refusal) {
  ++counters.outOfMemory;
  if (refusal == Refusal::Early) ++counters.outOfMemoryRejections;
  if (history.recording()) {
    Event event;
    event.kind = EventKind::OutOfMemory;
    event.category = request.category;
    event.bytes = wanted;
    event.requested = request.bytes;
    event.stream = request.stream;
    event.pool = request.pool;
    stamp(event, *this);
    history.add(event);
  }
  std::string text = outOfMemoryText(request, wanted);
  if (refusal == Refusal::Test) text += " (failure asked for by a test)";
  throw Error(Code::Memory, std::move(text));
}

}  // namespace tenon::memory
