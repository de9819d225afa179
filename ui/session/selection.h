// SPDX-License-Identifier: GPL-3.0-or-later
// Selection: what is selected in the window. One selection drives canvas, form, tables, graph and
// memory track.
#pragma once

#include <QList>
#include <QObject>
#include <QStringList>

namespace tenon::ui {

/// A recorded step: graph and memory of one step of one run.
struct RecordingKey {
  qint64 run = 0;
  qint64 step = -1;
  [[nodiscard]] bool isValid() const { return run > 0 && step >= 0; }
  friend bool operator==(const RecordingKey&, const RecordingKey&) = default;
};

/// Setting what is selected already says nothing; each signal comes once a change.
class Selection final : public QObject {
  Q_OBJECT
 public:
  explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

  /// Ids of graph nodes (layers), the current one first.
  [[nodiscard]] const QStringList& nodes() const { return nodes_; }
  [[nodiscard]] QString currentNode() const { return nodes_.value(0); }
  void setNodes(const QStringList& ids);

  /// Runs shown together, in the order chosen; the current one first.
  [[nodiscard]] const QList<qint64>& runs() const { return runs_; }
  [[nodiscard]] qint64 currentRun() const { return runs_.value(0); }
  void setRuns(const QList<qint64>& runs);

  [[nodiscard]] RecordingKey recording() const { return recording_; }
  /// Also forgets the recorded node and the block.
  void setRecording(const RecordingKey& recording);
  /// RecordedNode::id in the current recording, -1: none.
  [[nodiscard]] int recordedNode() const { return recordedNode_; }
  void setRecordedNode(int id);
  /// Block id of the current recording, 0: none.
  [[nodiscard]] quint64 block() const { return block_; }
  void setBlock(quint64 block);

  /// Index of a training sample, -1: none.
  [[nodiscard]] qint64 sample() const { return sample_; }
  void setSample(qint64 index);

  /// Nothing selected (another project).
  void clear();

 Q_SIGNALS:
  void nodesChanged(const QStringList& ids);
  void runsChanged(const QList<qint64>& runs);
  void recordingChanged(const tenon::ui::RecordingKey& recording);
  void recordedNodeChanged(int id);
  void blockChanged(quint64 block);
  void sampleChanged(qint64 index);

 private:
  QStringList nodes_;
  QList<qint64> runs_;
  RecordingKey recording_;
  int recordedNode_ = -1;
  quint64 block_ = 0;
  qint64 sample_ = -1;
};

}  // namespace tenon::ui
