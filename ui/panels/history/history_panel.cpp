// SPDX-License-Identifier: GPL-3.0-or-later
// Panel History: the edits of the project; choosing one goes back, or forward, to it.
#include <QUndoView>

#include "ui/session/document.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/row_delegate.h"

namespace tenon::ui {
namespace {

/// Going back shows the place of each edit; who walks through the list stays in it.
class HistoryView final : public QUndoView {
 public:
  using QUndoView::QUndoView;

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    QUndoView::keyPressEvent(event);
    stay();
  }
  void mousePressEvent(QMouseEvent* event) override {
    QUndoView::mousePressEvent(event);
    stay();
  }

 private:
  void stay() {
    if (isVisible()) setFocus();
  }
};

QWidget* make(PanelContext& context, QWidget* parent) {
  auto* view = new HistoryView(&context.document.undoStack(), parent);
  view->setFrameShape(QFrame::NoFrame);
  view->setItemDelegate(new RowDelegate(view));
  view->setEmptyLabel(QCoreApplication::translate("History", "As opened"));
  view->setCleanIcon(icon(QStringLiteral("save"), Tint::Secondary));
  view->setAccessibleName(QCoreApplication::translate("History", "Edits of the project"));
  view->setToolTip(QCoreApplication::translate(
      "History", "Choose an edit to go back or forward to it; the disk marks what is saved"));
  return view;
}

}  // namespace

const PanelDef& panelDef_history() {
  static const PanelDef def = [] {
    Placement place{Mode::Model, Area::Bottom, 2, {0, 140}};
    place.tabbed = true;
    return PanelDef{
        QStringLiteral("history"),
        QT_TRANSLATE_NOOP("Panel", "History"),
        QT_TRANSLATE_NOOP("Panel", "The edits of the project, to go back to any of them"),
        QStringLiteral("history"),
        {place},
        &make};
  }();
  return def;
}

}  // namespace tenon::ui
