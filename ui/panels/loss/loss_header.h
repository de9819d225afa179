// SPDX-License-Identifier: GPL-3.0-or-later
// The row above the loss plot: smoothing of its curve and the x-axis of all plots of Train.
#pragma once

#include <QWidget>

class QAction;
class QComboBox;
class QLabel;
class QSlider;

namespace tenon::ui {

class TrainCurves;

class LossHeader final : public QWidget {
  Q_OBJECT
 public:
  explicit LossHeader(TrainCurves& curves, QWidget* parent = nullptr);

 private:
  void addSmoothing();
  void addAxis();
  void addActionButtons();
  void addSwitch(QAction& action);
  void showState();

  TrainCurves& curves_;
  QSlider* smoothing_ = nullptr;
  QLabel* smoothingValue_ = nullptr;
  QComboBox* axis_ = nullptr;
};

}  // namespace tenon::ui
