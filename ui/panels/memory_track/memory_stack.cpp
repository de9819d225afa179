// SPDX-License-Identifier: GPL-3.0-or-later
// From a recorded step's memory to a track.
#include "ui/panels/memory_track/memory_stack.h"

#include <QCoreApplication>
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

}  // namespace

/// A block that changes its category comes in pieces, the last of which stands for it.
std::shared_ptr<const TileSource> memoryStack(const StepMemory& memory) {
  std::vector<TrackBlock> blocks;
  blocks.reserve(memory.blocks().size());
  for (size_t i = 0; i < memory.blocks().size(); ++i) {
    const StepBlock& block = memory.blocks()[i];
    const std::int64_t end = block.end == StepMemory::kForever ? kNeverFreed : block.end;
    const std::vector<CategoryChange>& categories = memory.categories(i);
    for (size_t piece = 0; piece < categories.size(); ++piece) {
      const bool last = piece + 1 == categories.size();
      blocks.push_back({static_cast<std::int64_t>(i), categories[piece].tick,
                        last ? end : categories[piece + 1].tick, block.bytes,
                        stackedPlace(categories[piece].category)});
    }
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
