// SPDX-License-Identifier: Apache-2.0
// Interned names (append-only table, read without a lock) and the thread's scope.
#include "engine/memory/scope.h"

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>

#include "engine/base/error.h"

namespace tenon::memory {

constinit thread_local Scope threadScope;

namespace {

constexpr NameId kChunkBits = 10;
constexpr NameId kChunkSize = 1u << kChunkBits;
constexpr NameId kChunks = 1u << 12;

/// Entries never move and are written before their number is given out, so readers need no lock.
struct NameTable {
  using Chunk = std::array<std::string_view, kChunkSize>;
  std::array<std::atomic<Chunk*>, kChunks> chunks = {};
  std::mutex mutex;
  std::unordered_map<std::string_view, NameId> numbers;
  std::deque<std::string> texts;
  NameId count = 1;  // 0 is the empty name
};

NameTable& nameTable() {
  static NameTable& table = *new NameTable;  // outlives every other static object
  return table;
}

}  // namespace

NameId internName(std::string_view name) {
  if (name.empty()) return 0;
  NameTable& table = nameTable();
  const std::lock_guard lock(table.mutex);
  if (auto known = table.numbers.find(name); known != table.numbers.end()) return known->second;
  const NameId id = table.count;
  if (id >= kChunks * kChunkSize)
    throw Error(Code::Internal, "[memory] more than 4194303 different names");
  auto& slot = table.chunks[id >> kChunkBits];
  if (slot.load(std::memory_order_relaxed) == nullptr)
    slot.store(new NameTable::Chunk{}, std::memory_order_release);
  const std::string_view text = table.texts.emplace_back(name);
  (*slot.load(std::memory_order_relaxed))[id & (kChunkSize - 1)] = text;
  table.numbers.emplace(text, id);
  ++table.count;
  return id;
}

std::string_view nameText(NameId id) {
  if (id == 0 || id >= kChunks * kChunkSize) return {};
  const NameTable::Chunk* chunk =
      nameTable().chunks[id >> kChunkBits].load(std::memory_order_acquire);
  return chunk == nullptr ? std::string_view{} : (*chunk)[id & (kChunkSize - 1)];
}

std::string_view phaseName(Phase phase) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "none", "data", "forward", "loss", "backward", "optimizer", "validation", "inspect"};
  return kNames[static_cast<size_t>(phase)];
}

}  // namespace tenon::memory
