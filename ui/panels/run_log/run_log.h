// SPDX-License-Identifier: GPL-3.0-or-later
// The log of the run that Train shows.
#pragma once

#include <QWidget>

#include "ui/session/panel_def.h"

namespace tenon::ui {

struct EventGrowth;
struct PanelContext;
class ProblemFrame;
class RunLogModel;
class TableActions;
class TableView;
class TrainBoard;

/// Reads while visible; stays at the newest event unless a person scrolled up.
class RunLog final : public QWidget, public PanelMemory {
  Q_OBJECT
 public:
  explicit RunLog(PanelContext& context, QWidget* parent = nullptr);

  [[nodiscard]] QByteArray savePanel() const override;
  bool restorePanel(const QByteArray& state) override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void startOver();
  void read();
  void take(const EventGrowth& growth);
  void showMenu(const QPoint& place);

  PanelContext& context_;
  TrainBoard& board_;
  RunLogModel* model_;
  TableView* table_;
  ProblemFrame* frame_ = nullptr;
  TableActions* actions_;
  qint64 run_ = 0;          ///< whose events the model holds
  quint64 generation_ = 0;  ///< counts runs and projects; answers about one before are dropped
  bool reading_ = false;
  bool again_ = false;
};

}  // namespace tenon::ui
