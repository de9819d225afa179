// SPDX-License-Identifier: GPL-3.0-or-later
// The blocks of a recorded step as a stacked track wants them.
#pragma once

#include <QList>
#include <QStringList>
#include <memory>

#include "ui/session/recorded_step.h"
#include "ui/tracks/tile_source.h"
#include "ui/tracks/track_theme.h"

namespace tenon::ui {

struct Theme;

/// Blocks by their index in StepMemory::blocks(), categories by their place in the stack: each
/// block lies in the category that it has at the time. The track's total is the sum of live bytes
/// after the event of that tick. @thread any
[[nodiscard]] std::shared_ptr<const TileSource> memoryStack(const StepMemory& memory);
/// Names and colours of all categories in the order of the stack.
[[nodiscard]] QList<TrackCategory> stackCategories(const Theme& theme);
/// Who asked for a block: "conv1, conv2d, forward". Nothing for an index that is none of a block.
[[nodiscard]] QStringList blockLines(const StepData& step, qint64 block);
/// What the track must say about its figures; empty if they are the allocator's own.
[[nodiscard]] QString memoryDoubt(const StepMemory& memory);

}  // namespace tenon::ui
