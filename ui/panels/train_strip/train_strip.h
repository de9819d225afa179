// SPDX-License-Identifier: GPL-3.0-or-later
// The strip on top of Train: state, progress, the learning rate to change while it trains, the
// buttons of the run.
#pragma once

#include <QWidget>

#include "ui/panels/train_strip/train_strip_model.h"

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QTimer;

namespace tenon::ui {

struct PanelContext;
class ElidedLabel;
class NumberField;
class StatTile;
class TrainBoard;

class TrainStrip final : public QWidget {
  Q_OBJECT
 public:
  TrainStrip(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void addTiles(QHBoxLayout& row);
  void addRate(QHBoxLayout& row);
  void addSettings(QHBoxLayout& row);
  void addButtons(QHBoxLayout& row);
  void follow();
  void refreshSoon();
  void refresh();
  void showRun();
  void showRate();
  void setRate(double rate);
  void finishRate();

  PanelContext& context_;
  TrainBoard& board_;
  QTimer* rest_;
  ElidedLabel* run_ = nullptr;
  QPushButton* back_ = nullptr;
  StatTile* state_ = nullptr;
  StatTile* epoch_ = nullptr;
  StatTile* step_ = nullptr;
  StatTile* eta_ = nullptr;
  StatTile* speed_ = nullptr;
  StatTile* wait_ = nullptr;
  QLabel* rateCaption_ = nullptr;
  NumberField* rate_ = nullptr;
  QProgressBar* progress_ = nullptr;
};

}  // namespace tenon::ui
