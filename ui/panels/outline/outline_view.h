// SPDX-License-Identifier: GPL-3.0-or-later
// The model as a tree, with the canvas's selection: the way to it without a mouse and by ear.
#pragma once

#include <QSet>
#include <QString>
#include <QWidget>

class QStackedLayout;

namespace tenon::ui {

struct PanelContext;
class EmptyState;
class OutlineModel;
class TreeView;

class OutlineView final : public QWidget {
  Q_OBJECT
 public:
  explicit OutlineView(PanelContext& context, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  [[nodiscard]] QSet<QString> collapsedFrames() const;
  void takeSelection();
  void tellSelection();
  void goTo(const QString& node);

  PanelContext& context_;
  OutlineModel* model_;
  TreeView* tree_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  bool taking_ = false;
};

}  // namespace tenon::ui
