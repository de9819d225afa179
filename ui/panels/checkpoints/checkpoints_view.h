// SPDX-License-Identifier: GPL-3.0-or-later
// The checkpoints of the selected run.
#pragma once

#include <QWidget>

#include "ui/session/panel_def.h"

class QAction;
class QStackedLayout;

namespace tenon::ui {

struct PanelContext;
class CheckpointsModel;
class EmptyState;
class ProblemFrame;
class TableActions;
class TableView;

/// Reads while visible.
class CheckpointsView final : public QWidget, public PanelMemory {
  Q_OBJECT
 public:
  explicit CheckpointsView(PanelContext& context, QWidget* parent = nullptr);

  [[nodiscard]] QByteArray savePanel() const override;
  bool restorePanel(const QByteArray& state) override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  void refresh();
  void showState();
  void showMenu(const QPoint& place);

  PanelContext& context_;
  CheckpointsModel* model_;
  TableView* table_;
  TableActions* actions_ = nullptr;
  QAction* resume_ = nullptr;
  ProblemFrame* frame_ = nullptr;
  QStackedLayout* stack_ = nullptr;
  EmptyState* empty_;
  QString problem_;
  qint64 run_ = 0;
};

}  // namespace tenon::ui
