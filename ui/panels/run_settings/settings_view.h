// SPDX-License-Identifier: GPL-3.0-or-later
// What the selected runs were trained with, and in what they differ.
#pragma once

#include <QWidget>

class QLabel;
class QStackedLayout;

namespace tenon::ui {

struct PanelContext;
class EmptyState;
class ProblemFrame;
class SettingsDiffModel;
class TableActions;
class TableView;

class SettingsView final : public QWidget {
  Q_OBJECT
 public:
  explicit SettingsView(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  void refresh();
  void showMenu(const QPoint& place);

  PanelContext& context_;
  SettingsDiffModel* model_;
  TableView* table_;
  TableActions* actions_ = nullptr;
  ProblemFrame* frame_ = nullptr;
  QStackedLayout* stack_ = nullptr;
  EmptyState* empty_;
  QLabel* note_ = nullptr;
};

}  // namespace tenon::ui
