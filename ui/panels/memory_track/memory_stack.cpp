// SPDX-License-Identifier: GPL-3.0-or-later
// From a recorded step's memory to a track.
#include "ui/panels/memory_track/memory_stack.h"

#include <QCoreApplication>
#include <unordered_map>
#include <vector>

#include "ui/session/step_texts.h"
#include "ui/tracks/block_stack.h"
#include "ui/widgets/format.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

/// Texts of this file for the translators.
struct MemoryTexts {
  Q_DECLARE_TR_FUNCTIONS(MemoryTrack)
};

struct CategoryChange {
  std::int64_t tick = 0;
  int place = 0;  // in the stack, from then on
};

/// By the allocator's id, in order of time.
std::unordered_map<quint64, std::vector<CategoryChange>> categoryChanges(const StepMemory& memory) {
  std::unordered_map<quint64, std::vector<CategoryChange>> changes;
  const std::vector<memory::Event>& events = memory.recording().trace.events;
  for (size_t i = 0; i < events.size(); ++i)
    if (events[i].kind == memory::EventKind::Retag)
      changes[events[i].block].push_back({memory.ticks()[i], stackedPlace(events[i].category)});
  return changes;
}

/// Puts what comes before the last change of category into `blocks`; `piece` becomes the rest.
void addPieces(std::vector<TrackBlock>& blocks, TrackBlock& piece,
               const std::vector<CategoryChange>& changes) {
  for (const CategoryChange& change : changes) {
    if (change.tick >= piece.end || change.place == piece.category) continue;
    if (change.tick > piece.start) {
      TrackBlock before = piece;
      before.end = piece.start = change.tick;
      blocks.push_back(before);
    }
    piece.category = change.place;
  }
}

}  // namespace

std::shared_ptr<const TileSource> memoryStack(const StepMemory& memory) {
  std::vector<TrackBlock> blocks;
  blocks.reserve(memory.blocks().size());
  const auto changes = categoryChanges(memory);
  std::int64_t index = 0;
  for (const StepBlock& block : memory.blocks()) {
    const std::int64_t end = block.end == StepMemory::kForever ? kNeverFreed : block.end;
    const auto place = static_cast<size_t>(index);
    TrackBlock piece{index++, block.begin, end, block.bytes,
                     stackedPlace(memory.birth(place).category)};
    const auto found = changes.find(block.id);
    if (found != changes.end()) addPieces(blocks, piece, found->second);
    blocks.push_back(piece);
  }
  return std::make_shared<const BlockStack>(std::move(blocks));
}

QList<TrackCategory> stackCategories(const Theme& theme) {
  QList<TrackCategory> categories;
  for (const memory::Category category : kStackedCategories)
    categories.append({categoryTitle(category), theme.seriesColor(categoryHue(category))});
  return categories;
}

QStringList blockLines(const StepData& step, qint64 block) {
  const qint64 count = step.memory ? static_cast<qint64>(step.memory->blocks().size()) : 0;
  if (block < 0 || block >= count) return {};
  const StepMemory& memory = *step.memory;
  const auto at = static_cast<size_t>(block);
  QStringList parts;
  if (!memory.layer(at).isEmpty()) parts.append(memory.layer(at));
  if (!memory.op(at).isEmpty()) parts.append(memory.op(at));
  const QString phase = memoryPhase(memory.birth(at).phase);
  if (!phase.isEmpty()) parts.append(phase.toLower());
  QStringList lines;
  if (!parts.isEmpty()) lines.append(parts.join(QLatin1String(", ")));
  if (!memory.blocks()[at].made) lines.append(MemoryTexts::tr("lived before the step"));
  return lines;
}

QString memoryDoubt(const StepMemory& memory) {
  const MemoryRecording& recording = memory.recording();
  if (recording.trace.dropped > 0)
    return MemoryTexts::tr(
               "%1 events were not kept: the recording reached its limit, so later "
               "blocks are missing.")
        .arg(formatCount(static_cast<qint64>(recording.trace.dropped)));
  if (!memory.agrees())
    return MemoryTexts::tr("The blocks add up to a peak of %1, the allocator's own count says %2.")
        .arg(formatBytes(memory.peakBytes()),
             formatBytes(static_cast<qint64>(recording.peakBytes)));
  return {};
}

}  // namespace tenon::ui
