// SPDX-License-Identifier: GPL-3.0-or-later
// The issues of the project; choosing one goes where it can be mended.
#pragma once

#include <QWidget>

#include "ui/session/panel_def.h"

class QStackedLayout;

namespace tenon::ui {

struct PanelContext;
class EmptyState;
class IssuesModel;
class TableActions;
class TableView;

class IssuesView final : public QWidget, public PanelMemory {
  Q_OBJECT
 public:
  explicit IssuesView(PanelContext& context, QWidget* parent = nullptr);

  [[nodiscard]] QByteArray savePanel() const override;
  bool restorePanel(const QByteArray& state) override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  void goTo(int row);
  void refresh();
  void showMenu(const QPoint& place);

  PanelContext& context_;
  IssuesModel* model_;
  TableView* table_;
  TableActions* actions_ = nullptr;
  QStackedLayout* stack_;
  EmptyState* empty_;
};

}  // namespace tenon::ui
