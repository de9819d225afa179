// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of the project: which are compared, and what can be done with one.
#pragma once

#include <QWidget>

#include "ui/session/panel_def.h"

class QAction;
class QLabel;
class QStackedLayout;

namespace tenon::ui {

struct PanelContext;
class EmptyState;
class ProblemFrame;
class RunTableModel;
class TableActions;
class TableView;

/// The rows selected are the selection's runs, the current row first.
class RunTable final : public QWidget, public PanelMemory {
  Q_OBJECT
 public:
  explicit RunTable(PanelContext& context, QWidget* parent = nullptr);

  [[nodiscard]] QByteArray savePanel() const override;
  bool restorePanel(const QByteArray& state) override;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QWidget* buildHeader();
  void buildTable();
  void addActions();
  void refresh();
  void showLive();
  void keepSelectionValid();
  void tellSelection();
  void takeSelection();
  void refreshActions();
  void resume();
  void rename();
  void remove();
  void openInTrain();
  void showMenu(const QPoint& place);
  [[nodiscard]] QList<qint64> selectedRuns() const;

  PanelContext& context_;
  RunTableModel* model_;
  TableView* table_;
  QStackedLayout* stack_;
  EmptyState* empty_ = nullptr;
  ProblemFrame* frame_;
  TableActions* tableActions_ = nullptr;
  QLabel* count_ = nullptr;
  QAction* open_ = nullptr;
  QAction* resume_ = nullptr;
  QAction* rename_ = nullptr;
  QAction* remove_ = nullptr;
  bool taking_ = false;  ///< the table is being brought to the selection
};

}  // namespace tenon::ui
