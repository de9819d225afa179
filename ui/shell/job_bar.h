// SPDX-License-Identifier: GPL-3.0-or-later
// The bar at the bottom while a training lives: progress, loss, time left, pause, stop.
#pragma once

#include <QWidget>

class QToolButton;

namespace tenon {
struct TrainProgress;
}

namespace tenon::ui {

class CommandSet;
class ElidedLabel;
class NumberLabel;
class RunController;
enum class RunState;

/// What a state is called on strips and bars.
[[nodiscard]] QString runStateText(RunState state);

class JobBar final : public QWidget {
  Q_OBJECT
 public:
  JobBar(RunController& run, const CommandSet& commands, QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  class Track;
  QToolButton* addButton(const CommandSet& commands, const char* id);
  [[nodiscard]] QString stateWord() const;
  void showState();
  void showButtons();
  void showProgress(const TrainProgress& progress);

  RunController& run_;
  ElidedLabel* state_;
  Track* track_;
  NumberLabel* step_;
  NumberLabel* loss_;
  NumberLabel* speed_;
  NumberLabel* left_;
  QToolButton* continue_ = nullptr;
  QToolButton* pause_ = nullptr;
};

}  // namespace tenon::ui
