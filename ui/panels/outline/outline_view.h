// SPDX-License-Identifier: GPL-3.0-or-later
// The model as a tree, with the canvas's selection: the way to it without a mouse and by ear.
#pragma once

#include <QSet>
#include <QString>
#include <QStringList>
#include <QWidget>

#include "ui/session/panel_def.h"

class QAction;
class QStackedLayout;

namespace tenon::ui {

struct PanelContext;
class EmptyState;
class OutlineModel;
class TableActions;
class TreeView;

/// Layers can be found, renamed and deleted here as on the canvas.
class OutlineView final : public QWidget, public PanelMemory {
  Q_OBJECT
 public:
  explicit OutlineView(PanelContext& context, QWidget* parent = nullptr);

  [[nodiscard]] QByteArray savePanel() const override;
  bool restorePanel(const QByteArray& state) override;

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  [[nodiscard]] QWidget* newContent();
  void buildActions();
  void follow();
  void refresh();
  void expandFrames();
  void filter(const QString& text);
  [[nodiscard]] QStringList chosenInSight() const;
  void takeSelection();
  void tellSelection();
  void goTo(const QString& node);
  void showMenu(const QPoint& place);
  void rename();
  void remove();
  [[nodiscard]] QString neighbourOf(const QStringList& nodes) const;

  PanelContext& context_;
  OutlineModel* model_;
  TreeView* tree_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  QAction* rename_ = nullptr;
  QAction* remove_ = nullptr;
  TableActions* tableActions_ = nullptr;
  QSet<QString> collapsed_;  ///< frames that a person closed
  bool filtered_ = false;
  bool taking_ = false;
};

}  // namespace tenon::ui
