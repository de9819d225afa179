// SPDX-License-Identifier: Apache-2.0
// The stored form of memory recordings, and the lives of blocks read from one.
#include "engine/observe/memory_recording.h"

#include <unordered_map>

#include "engine/observe/bytes.h"

namespace tenon {
namespace {

constexpr const char* kMagic = "TNMR";
constexpr int kEventKinds = 6;
constexpr int kPhases = 8;

/// Times and ids are written as differences from the event before, which keeps most of them in two
/// bytes.
struct Deltas {
  int64_t time = 0;
  int64_t block = 0;
  int64_t address = 0;
};

void write(ByteWriter& out, const memory::Event& event, Deltas& last) {
  out.number(static_cast<uint64_t>(event.kind));
  out.number(static_cast<uint64_t>(event.category));
  out.number(static_cast<uint64_t>(event.phase));
  out.signedNumber(static_cast<int64_t>(event.block - static_cast<uint64_t>(last.block)));
  out.signedNumber(static_cast<int64_t>(event.address - static_cast<uint64_t>(last.address)));
  out.number(event.bytes);
  out.number(event.requested);
  out.number(event.stream);
  out.number(event.pool.kind);
  out.number(event.pool.index);
  out.number(event.layer);
  out.number(event.op);
  out.signedNumber(event.step);
  out.signedNumber(event.timeNs - last.time);
  last = {event.timeNs, static_cast<int64_t>(event.block), static_cast<int64_t>(event.address)};
}

memory::Event readEvent(ByteReader& in, Deltas& last, size_t names) {
  memory::Event event;
  event.kind = in.enumeration<memory::EventKind>(kEventKinds);
  event.category = in.enumeration<memory::Category>(memory::kCategoryCount);
  event.phase = in.enumeration<memory::Phase>(kPhases);
  // Unsigned sums: a damaged difference wraps instead of overflowing.
  event.block = static_cast<uint64_t>(last.block) + static_cast<uint64_t>(in.signedNumber());
  event.address = static_cast<uint64_t>(last.address) + static_cast<uint64_t>(in.signedNumber());
  event.bytes = in.number();
  event.requested = in.number();
  event.stream = in.number();
  event.pool.kind = static_cast<uint32_t>(in.number());
  event.pool.index = static_cast<uint32_t>(in.number());
  event.layer = in.enumeration<memory::NameId>(static_cast<int>(names));
  event.op = in.enumeration<memory::NameId>(static_cast<int>(names));
  event.step = in.signedNumber();
  if (__builtin_add_overflow(last.time, in.signedNumber(), &event.timeNs))
    in.fail("a time is out of range");
  last = {event.timeNs, static_cast<int64_t>(event.block), static_cast<int64_t>(event.address)};
  return event;
}

void write(ByteWriter& out, const std::vector<memory::Event>& events) {
  out.number(events.size());
  Deltas last;
  for (const memory::Event& event : events) write(out, event, last);
}

std::vector<memory::Event> readEvents(ByteReader& in, size_t names) {
  constexpr size_t kLeastEventBytes = 14;
  std::vector<memory::Event> events(in.count(kLeastEventBytes));
  Deltas last;
  for (memory::Event& event : events) event = readEvent(in, last, names);
  return events;
}

BlockLife born(const memory::Event& event, int32_t position) {
  BlockLife life;
  life.block = event.block;
  life.bytes = event.bytes;
  life.allocEvent = position;
  life.startNs = event.timeNs;
  life.category = event.category;
  life.layer = event.layer;
  life.op = event.op;
  life.phase = event.phase;
  return life;
}

}  // namespace

std::vector<std::byte> encode(const MemoryRecording& recording) {
  ByteWriter out(kMagic, kMemoryRecordingVersion);
  out.signedNumber(recording.step);
  out.number(recording.peakBytes);
  out.number(recording.reservedBytes);
  out.number(recording.names.size());
  for (const std::string& name : recording.names) out.text(name);
  out.number(recording.trace.dropped);
  write(out, recording.trace.initial);
  write(out, recording.trace.events);
  return out.take();
}

MemoryRecording decodeMemory(std::span<const std::byte> bytes) {
  ByteReader in(bytes, kMagic, kMemoryRecordingVersion);
  MemoryRecording recording;
  recording.step = in.signedNumber();
  recording.peakBytes = in.number();
  recording.reservedBytes = in.number();
  const size_t names = in.count(1);
  for (size_t i = 0; i < names; ++i) recording.names.push_back(in.text());
  recording.trace.dropped = in.number();
  recording.trace.initial = readEvents(in, names);
  recording.trace.events = readEvents(in, names);
  in.end();
  return recording;
}

std::vector<BlockLife> blockLives(const MemoryRecording& recording) {
  std::vector<BlockLife> lives;
  std::unordered_map<uint64_t, size_t> living;  // block -> index into lives
  const std::vector<memory::Event>& events = recording.trace.events;
  const int64_t begin = events.empty() ? 0 : events.front().timeNs;
  const int64_t end = events.empty() ? 0 : events.back().timeNs;
  for (const memory::Event& event : recording.trace.initial) {
    living[event.block] = lives.size();
    lives.push_back(born(event, -1));
    lives.back().startNs = begin;
  }
  for (size_t i = 0; i < events.size(); ++i) {
    const memory::Event& event = events[i];
    if (event.kind == memory::EventKind::Alloc) {
      living[event.block] = lives.size();
      lives.push_back(born(event, static_cast<int32_t>(i)));
      continue;
    }
    const auto found = living.find(event.block);
    if (found == living.end()) continue;
    BlockLife& life = lives[found->second];
    if (event.kind == memory::EventKind::Retag) life.category = event.category;
    if (event.kind != memory::EventKind::Free) continue;
    life.freeEvent = static_cast<int32_t>(i);
    life.endNs = event.timeNs;
    living.erase(found);
  }
  for (const auto& [block, index] : living) lives[index].endNs = end;
  return lives;
}

}  // namespace tenon
