// SPDX-License-Identifier: GPL-3.0-or-later
// What was recorded of the selected node.
#pragma once

#include <QWidget>

class QLabel;
class QStackedLayout;
class QToolButton;

namespace tenon::ui {

struct PanelContext;
class ElidedLabel;
class EmptyState;
class NodeDetailsModel;
class RecordedStep;
class TreeView;

/// Follows the selection; without a node it tells of the whole step.
class NodeDetailsView final : public QWidget {
  Q_OBJECT
 public:
  explicit NodeDetailsView(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  [[nodiscard]] QWidget* newHeader();
  void buildTree();
  void refresh();
  void showHeader();
  void showEmpty();
  void openRow(const QModelIndex& index);

  PanelContext& context_;
  RecordedStep& step_;
  NodeDetailsModel* model_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  TreeView* tree_;
  QLabel* icon_ = nullptr;
  ElidedLabel* title_ = nullptr;
  ElidedLabel* place_ = nullptr;
  QToolButton* canvas_ = nullptr;
  QToolButton* partner_ = nullptr;
};

}  // namespace tenon::ui
