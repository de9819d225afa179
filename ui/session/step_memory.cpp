// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks, ticks and peak from a memory recording.
#include "ui/session/step_memory.h"

#include <QCoreApplication>
#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace tenon::ui {

StepMemory::StepMemory(std::shared_ptr<const MemoryRecording> recording, qint64 originNs)
    : recording_(std::move(recording)) {
  makeTicks(originNs);
  makeBlocks();
  followCategories();
  findPeak();
}

QString StepMemory::op(size_t index) const {
  const QString asked = name(birth(index).op);
  // The engine's words for requests that are no operator's; ids of operators stay as they are.
  for (const char* word :
       {QT_TRANSLATE_NOOP("StepMemory", "initialize"), QT_TRANSLATE_NOOP("StepMemory", "batch"),
        QT_TRANSLATE_NOOP("StepMemory", "backward")})
    if (asked == QLatin1String(word)) return QCoreApplication::translate("StepMemory", word);
  return asked;
}

void StepMemory::makeTicks(qint64 origin) {
  const std::vector<memory::Event>& events = recording_->trace.events;
  if (!events.empty()) origin = std::min<qint64>(origin, events.front().timeNs);
  ticks_.reserve(events.size());
  qint64 last = 0;  // what lived before stands at 0
  for (const memory::Event& event : events) {
    last = std::max<qint64>(event.timeNs - origin, last + 1);
    ticks_.push_back(last);
  }
  end_ = last;
}

void StepMemory::makeBlocks() {
  const std::vector<BlockLife> lives = blockLives(*recording_);
  blocks_.reserve(lives.size());
  births_.reserve(lives.size());
  int before = 0;
  for (const BlockLife& life : lives) {
    const auto tickOf = [&](int32_t event) { return ticks_[static_cast<size_t>(event)]; };
    StepBlock block;
    block.id = life.block;
    block.bytes = static_cast<qint64>(life.bytes);
    block.made = life.allocEvent >= 0;
    block.begin = block.made ? tickOf(life.allocEvent) : 0;
    block.end = life.freeEvent >= 0 ? tickOf(life.freeEvent) : kForever;
    byId_.insert(block.id, static_cast<int>(blocks_.size()));
    births_.push_back(block.made ? life.allocEvent : -1 - before++);
    blocks_.push_back(block);
  }
}

/// An allocator gives an id once, but what was live before the step may be named by any event.
void StepMemory::followCategories() {
  categories_.reserve(blocks_.size());
  for (size_t i = 0; i < blocks_.size(); ++i)
    categories_.push_back({{blocks_[i].begin, birth(i).category}});
  const std::vector<memory::Event>& events = recording_->trace.events;
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i].kind != memory::EventKind::Retag) continue;
    const int block = find(events[i].block);
    if (block < 0 || ticks_[i] >= blocks_[static_cast<size_t>(block)].end) continue;
    std::vector<CategoryChange>& known = categories_[static_cast<size_t>(block)];
    if (known.back().category != events[i].category)
      known.push_back({ticks_[i], events[i].category});
  }
}

void StepMemory::findPeak() {
  qint64 total = 0;
  std::unordered_map<uint64_t, uint64_t> living;
  for (const memory::Event& event : recording_->trace.initial) {
    living[event.block] = event.bytes;
    total += static_cast<qint64>(event.bytes);
  }
  peakBytes_ = total;
  const std::vector<memory::Event>& events = recording_->trace.events;
  for (size_t i = 0; i < events.size(); ++i) {
    const memory::Event& event = events[i];
    if (event.kind == memory::EventKind::Alloc) {
      living[event.block] = event.bytes;
      total += static_cast<qint64>(event.bytes);
    } else if (event.kind == memory::EventKind::Free) {
      const auto found = living.find(event.block);
      if (found == living.end()) continue;
      total -= static_cast<qint64>(found->second);
      living.erase(found);
    }
    if (total <= peakBytes_) continue;
    peakBytes_ = total;
    peakTick_ = ticks_[i];
  }
}

const memory::Event& StepMemory::birth(size_t index) const {
  const int at = births_.at(index);
  const memory::Trace& trace = recording_->trace;
  return at >= 0 ? trace.events[static_cast<size_t>(at)]
                 : trace.initial[static_cast<size_t>(-1 - at)];
}

QString StepMemory::name(memory::NameId id) const {
  return id < recording_->names.size() ? QString::fromStdString(recording_->names[id]) : QString();
}

bool StepMemory::agrees() const {
  return recording_->trace.dropped == 0 &&
         static_cast<uint64_t>(peakBytes_) == recording_->peakBytes;
}

std::vector<int> StepMemory::liveAt(qint64 tick) const {
  std::vector<int> live;
  for (size_t i = 0; i < blocks_.size(); ++i)
    if (blocks_[i].begin <= tick && tick < blocks_[i].end) live.push_back(static_cast<int>(i));
  return live;
}

StepMemory::Sums StepMemory::sumsAt(qint64 tick) const {
  Sums sums{};
  for (size_t i = 0; i < blocks_.size(); ++i)
    if (blocks_[i].begin <= tick && tick < blocks_[i].end)
      sums[static_cast<size_t>(categoryAt(i, tick))] += blocks_[i].bytes;
  return sums;
}

memory::Category StepMemory::categoryAt(size_t index, qint64 tick) const {
  const std::vector<CategoryChange>& known = categories_.at(index);
  const auto later =
      std::upper_bound(known.begin() + 1, known.end(), tick,
                       [](qint64 at, const CategoryChange& change) { return at < change.tick; });
  return std::prev(later)->category;
}

qint64 stepOrigin(const GraphRecording* graph, const MemoryRecording& recording) {
  const std::vector<memory::Event>& events = recording.trace.events;
  qint64 origin = events.empty() ? 0 : events.front().timeNs;
  if (!graph) return origin;
  using Call = std::pair<std::string, std::string>;  // layer and operator
  constexpr qint64 kTwice = -1;
  std::map<Call, qint64> begins;
  for (const RecordedNode& node : graph->nodes) {
    for (const RecordedKernel& kernel : node.kernels) {
      const auto [found, fresh] = begins.try_emplace({node.layer, kernel.op}, kernel.startNs);
      if (!fresh) found->second = kTwice;
    }
  }
  // A kernel begins before its memory is asked for, so each call made once bounds the origin.
  for (const memory::Event& event : events) {
    if (event.kind != memory::EventKind::Alloc || event.op == 0) continue;
    const auto found = begins.find({recording.names[event.layer], recording.names[event.op]});
    if (found != begins.end() && found->second != kTwice)
      origin = std::min<qint64>(origin, event.timeNs - found->second);
  }
  return origin;
}

}  // namespace tenon::ui
