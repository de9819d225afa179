// SPDX-License-Identifier: GPL-3.0-or-later
// What a run leaves behind besides curves, as the panels see it.
#pragma once

#include <QMetaType>

#include "engine/observe/graph_recording.h"
#include "engine/observe/memory_recording.h"
#include "engine/train/predictions.h"
#include "ui/session/selection.h"

namespace tenon::ui {

/// A recorded step without its bytes.
struct RecordingInfo {
  RecordingKey key;
  qint64 epoch = 0;
  qint64 createdUs = 0;      ///< microseconds since 1970 UTC
  qint64 graphArtifact = 0;  ///< 0: not stored
  qint64 memoryArtifact = 0;
  qint64 bytes = 0;
};

}  // namespace tenon::ui
