// SPDX-License-Identifier: GPL-3.0-or-later
// The allocator's history of the recorded step, under the graph.
#pragma once

#include <QWidget>
#include <memory>

#include "ui/session/background.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {

struct PanelContext;
struct StepData;
class InlineMessage;
class RecordedStep;
class StackTrack;
class TileSource;

/// Hidden while no step is selected, so that the graph's place can say what belongs here. Its upper
/// edge can be dragged.
class MemoryTrackView final : public QWidget, public PanelMemory {
  Q_OBJECT
 public:
  explicit MemoryTrackView(PanelContext& context, QWidget* parent = nullptr);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QByteArray savePanel() const override;
  bool restorePanel(const QByteArray& state) override;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  [[nodiscard]] bool isCurrent() const;
  void stepChanged();
  void showSource(std::shared_ptr<const StepData> data, std::shared_ptr<const TileSource> source);
  void takeTheme();
  void takeBlock();
  void takeInstant();
  void takeTime(qint64 time);
  void tellBlock(qint64 index);
  void setTrackHeight(int height);

  PanelContext& context_;
  RecordedStep& step_;
  StackTrack* track_;
  InlineMessage* doubt_;
  std::shared_ptr<const StepData> shown_;  ///< whose blocks the track shows; null: of none
  int height_;
  quint64 generation_ = 0;
  bool choosing_ = false;                     ///< the track itself changes the selection
  Background background_{1, "tenon-memory"};  ///< builds the stack; last, so it is joined first
};

}  // namespace tenon::ui
