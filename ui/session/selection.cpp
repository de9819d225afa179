// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected in the window.
#include "ui/session/selection.h"

#include <utility>

namespace tenon::ui {

void Selection::setNodes(const QStringList& ids) {
  if (ids == nodes_) return;
  nodes_ = ids;
  Q_EMIT nodesChanged(nodes_);
}

void Selection::setRuns(const QList<qint64>& runs) {
  if (runs == runs_) return;
  runs_ = runs;
  Q_EMIT runsChanged(runs_);
}

void Selection::setRecording(const RecordingKey& recording) {
  if (recording == recording_) return;
  setRecordedNode(-1);
  setBlock(0);
  recording_ = recording;
  Q_EMIT recordingChanged(recording_);
}

void Selection::setRecordedNode(int id) {
  if (std::exchange(recordedNode_, id) != id) Q_EMIT recordedNodeChanged(id);
}

void Selection::setBlock(quint64 block) {
  if (std::exchange(block_, block) != block) Q_EMIT blockChanged(block);
}

void Selection::setSample(qint64 index) {
  if (std::exchange(sample_, index) != index) Q_EMIT sampleChanged(index);
}

void Selection::clear() {
  setNodes({});
  setRuns({});
  setRecording({});
  setSample(-1);
}

}  // namespace tenon::ui
