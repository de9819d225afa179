// SPDX-License-Identifier: GPL-3.0-or-later
// The issues of the project; choosing one goes where it can be mended.
#pragma once

#include <QWidget>

class QModelIndex;
class QStackedLayout;

namespace tenon::ui {

struct PanelContext;
class EmptyState;
class IssuesModel;
class TableView;

class IssuesView final : public QWidget {
  Q_OBJECT
 public:
  explicit IssuesView(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();

  PanelContext& context_;
  IssuesModel* model_;
  TableView* table_;
  QStackedLayout* stack_;
  EmptyState* empty_;
};

}  // namespace tenon::ui
