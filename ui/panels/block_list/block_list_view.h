// SPDX-License-Identifier: GPL-3.0-or-later
// The table of blocks live at the marked instant.
#pragma once

#include <QWidget>

#include "ui/session/panel_def.h"

class QAction;
class QLabel;
class QStackedLayout;

namespace tenon::ui {

struct PanelContext;
class BlockListModel;
class EmptyState;
class RecordedStep;
class TableActions;
class TableView;

/// The current row is the selection's block.
class BlockListView final : public QWidget, public PanelMemory {
  Q_OBJECT
 public:
  explicit BlockListView(PanelContext& context, QWidget* parent = nullptr);

  [[nodiscard]] QByteArray savePanel() const override;
  bool restorePanel(const QByteArray& state) override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void buildTable();
  [[nodiscard]] QWidget* newHeader();
  [[nodiscard]] QWidget* newSum();
  void refresh();
  void showEmpty();
  void showSum();
  void takeBlock();
  void tellBlock(int row);
  void showMenu(int row, const QPoint& place);

  PanelContext& context_;
  RecordedStep& step_;
  BlockListModel* model_;
  TableView* table_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  QLabel* instant_ = nullptr;
  QLabel* count_ = nullptr;
  QLabel* sum_ = nullptr;
  QAction* peak_ = nullptr;
  TableActions* actions_ = nullptr;
  bool stale_ = true;
  bool taking_ = false;
};

}  // namespace tenon::ui
