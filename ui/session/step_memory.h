// SPDX-License-Identifier: GPL-3.0-or-later
// StepMemory: the allocator's history of a recorded step as blocks over time.
#pragma once

#include <QHash>
#include <QString>
#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "engine/observe/graph_recording.h"
#include "engine/observe/memory_recording.h"

namespace tenon::ui {

/// A block's life in ticks: nanoseconds since the step began, stretched where needed so that no two
/// events of the allocator share one. What it is used for may change meanwhile: see categoryAt().
struct StepBlock {
  quint64 id = 0;     ///< of the allocator
  qint64 bytes = 0;   ///< rounded as the allocator counts
  qint64 begin = 0;   ///< 0: lived before the step
  qint64 end = 0;     ///< kForever: still live at the end of the recording
  bool made = false;  ///< asked for in this step
};

/// From `tick` on a block is of this category.
struct CategoryChange {
  qint64 tick = 0;
  memory::Category category = memory::Category::Temporary;
  friend bool operator==(const CategoryChange&, const CategoryChange&) = default;
};

/// Immutable, safe on any thread. What stands at a tick is what is live right after the event of
/// that tick.
class StepMemory final {
 public:
  static constexpr qint64 kForever = std::numeric_limits<qint64>::max();
  using Sums = std::array<qint64, memory::kCategoryCount>;

  /// @param originNs the step's beginning on the clock of the events; at most the first event's
  ///   time is taken
  StepMemory(std::shared_ptr<const MemoryRecording> recording, qint64 originNs);

  [[nodiscard]] const MemoryRecording& recording() const { return *recording_; }
  /// Every block that was live at some time: those of before the step, then by allocation.
  [[nodiscard]] const std::vector<StepBlock>& blocks() const { return blocks_; }
  /// The event that made a block: stream, pool, scope, requested bytes.
  /// @throws std::out_of_range if there is no such block
  [[nodiscard]] const memory::Event& birth(size_t index) const;
  [[nodiscard]] QString layer(size_t index) const { return name(birth(index).layer); }
  /// The operator that asked for a block, or what else did, in the person's language.
  [[nodiscard]] QString op(size_t index) const;
  /// Index of the block with an allocator's id, -1 if there is none.
  [[nodiscard]] int find(quint64 id) const { return byId_.value(id, -1); }

  /// Tick of the last event.
  [[nodiscard]] qint64 end() const { return end_; }
  /// Ticks of all events, in order.
  [[nodiscard]] const std::vector<qint64>& ticks() const { return ticks_; }
  /// The largest sum of live bytes, from the events alone, and when it stood first.
  [[nodiscard]] qint64 peakBytes() const { return peakBytes_; }
  [[nodiscard]] qint64 peakTick() const { return peakTick_; }
  /// Whether the events add up to the allocator's own peak and none was lost.
  [[nodiscard]] bool agrees() const;

  /// Indexes of the blocks live at a tick.
  [[nodiscard]] std::vector<int> liveAt(qint64 tick) const;
  /// Their bytes by the category that each has then.
  [[nodiscard]] Sums sumsAt(qint64 tick) const;
  /// The category of a block right after the event of a tick; before its life the first one, after
  /// it the last.
  [[nodiscard]] memory::Category categoryAt(size_t index, qint64 tick) const;
  /// The last one.
  [[nodiscard]] memory::Category lastCategory(size_t index) const {
    return categoryAt(index, kForever);
  }
  /// Every category that a block has, the first from its beginning on; never empty.
  [[nodiscard]] const std::vector<CategoryChange>& categories(size_t index) const {
    return categories_[index];
  }

 private:
  [[nodiscard]] QString name(memory::NameId id) const;
  void makeTicks(qint64 origin);
  void makeBlocks();
  void followCategories();
  void findPeak();

  std::shared_ptr<const MemoryRecording> recording_;
  std::vector<qint64> ticks_;
  std::vector<StepBlock> blocks_;
  std::vector<std::vector<CategoryChange>> categories_;  ///< of each block
  std::vector<int> births_;  ///< event of each block; of initial ones -1 - position there
  QHash<quint64, int> byId_;
  qint64 end_ = 0;
  qint64 peakBytes_ = 0;
  qint64 peakTick_ = 0;
};

/// When the step began on the clock of the allocator's events, found from blocks that the kernels
/// of the graph asked for, to a few microseconds; the first event's time if the graph says nothing.
[[nodiscard]] qint64 stepOrigin(const GraphRecording* graph, const MemoryRecording& recording);

}  // namespace tenon::ui
