// SPDX-License-Identifier: Apache-2.0
// Best fit, splitting and coalescing (reference/engine-facts.md 1.1).
#include <algorithm>

#include "engine/memory/allocator_state.h"

namespace tenon::memory {

namespace {

constexpr size_t kSmallestRemainder = kGrain;  // where splitting is free of loss
constexpr size_t kLargeRemainder = 1u << 20;   // plain large segments keep smaller remainders whole
constexpr size_t kOversizeWaste = 20u
                                  << 20;  // an oversize request takes a block less than this larger

/// Size a free block could reach by mapping the pages behind it.
size_t growableSize(const BlockImpl& block) {
  const bool grows = block.next != nullptr && block.next->state == BlockState::Unmapped;
  return block.size + (grows ? block.next->size : 0);
}

}  // namespace

BlockImpl* AllocatorState::bestFit(SizePool& pool, size_t size) {
  auto it = pool.free.lower_bound(size);
  if (it == pool.free.end()) return nullptr;
  // A block that can still grow is better kept for a larger request.
  for (auto next = std::next(it); (*it)->segment->expandable && next != pool.free.end() &&
                                  growableSize(**next) < growableSize(**it);
       ++next)
    it = next;
  BlockImpl* block = *it;
  if (size < options.maxSplitBytes && block->size >= options.maxSplitBytes) return nullptr;
  if (size >= options.maxSplitBytes && block->size >= size + kOversizeWaste) return nullptr;
  pool.free.erase(it);
  return block;
}

void AllocatorState::split(BlockImpl& block, size_t size) {
  const SizePool& pool = *block.segment->pool;
  const size_t remainder = block.size - size;
  const bool lossless = pool.isSmall() || block.segment->expandable;
  const bool wanted = lossless ? remainder >= kSmallestRemainder
                               : size < options.maxSplitBytes && remainder > kLargeRemainder;
  InactiveChange change;
  change.leave(block);
  block.state = BlockState::Active;  // taken: the remainder must not join it again
  if (wanted) makeFree(*cut(block, size), change);
  apply(change, pool.kind);
}

void AllocatorState::makeFree(BlockImpl& block, InactiveChange& change) {
  SizePool& pool = *block.segment->pool;
  BlockImpl* joined = &block;
  if (BlockImpl* next = block.next; next != nullptr && next->state == BlockState::Free) {
    change.leave(*next);
    pool.free.erase(next);
    joinNext(block);
  }
  if (BlockImpl* prev = block.prev; prev != nullptr && prev->state == BlockState::Free) {
    change.leave(*prev);
    pool.free.erase(prev);
    joinNext(*prev);
    joined = prev;
  }
  joined->state = BlockState::Free;
  change.enter(*joined);
  pool.free.insert(joined);
}

BlockImpl* AllocatorState::newBlock(Segment& segment, std::byte* data, size_t size) {
  BlockImpl* block = spareBlocks;
  if (block != nullptr) {
    spareBlocks = block->link;
    *block = BlockImpl{};
  } else {
    block = &blockStore.emplace_back();
  }
  block->segment = &segment;
  block->data = data;
  block->size = size;
  return block;
}

void AllocatorState::dropBlock(BlockImpl& block) {
  block.state = BlockState::Free;
  block.link = spareBlocks;
  spareBlocks = &block;
}

BlockImpl* AllocatorState::cut(BlockImpl& block, size_t offset) {
  BlockImpl* back = newBlock(*block.segment, block.begin() + offset, block.size - offset);
  back->state = block.state;
  back->prev = &block;
  back->next = block.next;
  if (back->next != nullptr) back->next->prev = back;
  block.next = back;
  block.size = offset;
  return back;
}

void AllocatorState::joinNext(BlockImpl& block) {
  BlockImpl& next = *block.next;
  block.size += next.size;
  block.next = next.next;
  if (block.next != nullptr) block.next->prev = &block;
  dropBlock(next);
}

}  // namespace tenon::memory
