// SPDX-License-Identifier: Apache-2.0
// Collecting allocator events, and replaying them into live bytes by category.
#include "engine/memory/history.h"

#include <mutex>
#include <unordered_map>
#include <utility>

#include "engine/memory/allocator_state.h"

namespace tenon::memory {

void History::start(size_t maxEvents, std::vector<Event> initial) {
  maxEvents_ = maxEvents;
  initial_ = std::move(initial);
  events_.clear();
  dropped_.store(0, std::memory_order_relaxed);
  recording_.store(true, std::memory_order_relaxed);
}

Trace History::stop() {
  recording_.store(false, std::memory_order_relaxed);
  Trace trace;
  trace.initial = std::exchange(initial_, {});
  trace.events.assign(events_.begin(), events_.end());
  trace.dropped = dropped_.load(std::memory_order_relaxed);
  std::deque<Event>().swap(events_);
  return trace;
}

void History::add(const Event& event) {
  if (events_.size() < maxEvents_)
    events_.push_back(event);
  else
    dropped_.fetch_add(1, std::memory_order_relaxed);
}

void startHistory(CachingAllocator& allocator, size_t maxEvents) {
  const std::lock_guard lock(allocator.state_->mutex);
  allocator.state_->startHistory(maxEvents);
}

Trace stopHistory(CachingAllocator& allocator) {
  const std::lock_guard lock(allocator.state_->mutex);
  return allocator.state_->stopHistory();
}

std::vector<std::array<uint64_t, kCategoryCount>> replayCategories(const Trace& trace) {
  std::unordered_map<uint64_t, std::pair<Category, uint64_t>> live;  // by block
  std::array<uint64_t, kCategoryCount> sums = {};
  auto sum = [&sums](Category category) -> uint64_t& {
    return sums[static_cast<size_t>(category)];
  };
  auto apply = [&](const Event& event) {
    if (event.kind == EventKind::Alloc) {
      live[event.block] = {event.category, event.bytes};
      sum(event.category) += event.bytes;
      return;
    }
    const auto known = live.find(event.block);
    if (known == live.end()) return;
    auto& [category, bytes] = known->second;
    sum(category) -= bytes;
    if (event.kind == EventKind::Retag)
      sum(category = event.category) += bytes;
    else
      live.erase(known);
  };
  for (const Event& event : trace.initial) apply(event);
  std::vector<std::array<uint64_t, kCategoryCount>> states;
  states.reserve(trace.events.size() + 1);
  states.push_back(sums);
  for (const Event& event : trace.events) {
    apply(event);
    states.push_back(sums);
  }
  return states;
}

}  // namespace tenon::memory
