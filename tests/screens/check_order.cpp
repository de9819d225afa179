// SPDX-License-Identifier: GPL-3.0-or-later
// Keys: Tab goes on as one reads, and no two mnemonics are the same letter.
#include <QAbstractButton>
#include <QGroupBox>
#include <QHash>
#include <QKeySequence>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QTabBar>

#include "tests/screens/fault.h"

namespace tenon::screens {
namespace {

constexpr int kSlack = 2;  // neighbours of one line may stand a little higher or lower

/// True if nobody who reads would come from `before` to `after`: that lies above, or on the same
/// lines to the left. What begins right of `before` is the next column.
bool readsBackwards(const QRect& before, const QRect& after) {
  const bool above = after.bottom() <= before.top() + kSlack;
  const bool below = after.top() >= before.bottom() - kSlack;
  const bool right = after.left() >= before.right() - kSlack;
  const bool left = after.right() <= before.left() + kSlack;
  if (above) return !right;
  return !below && left;
}

class OrderCheck {
 public:
  explicit OrderCheck(const View& view) : view_(view) {}

  QList<Fault> run() {
    checkFocus();
    if (const auto* menu = qobject_cast<const QMenu*>(&view_.root)) {
      for (const QAction* action : menu->actions())
        if (action->isVisible() && !action->isSeparator())
          note(action->text(), view_.root, action->text());
    } else {
      for (const QWidget* widget : visibleWidgets(view_.root)) noteMnemonics(*widget);
    }
    return faults_;
  }

 private:
  [[nodiscard]] QList<QWidget*> stops() const {
    const QList<QWidget*> visible = visibleWidgets(view_.root);
    const QSet<QWidget*> seen(visible.begin(), visible.end());
    QList<QWidget*> stops;
    QWidget* at = &view_.root;
    do {
      const bool takesTab = (at->focusPolicy() & Qt::TabFocus) && !at->focusProxy();
      if (takesTab && at->isEnabled() && seen.contains(at)) stops.append(at);
      at = at->nextInFocusChain();
    } while (at && at != &view_.root);
    return stops;
  }

  [[nodiscard]] const QWidget* regionOf(const QWidget* widget) const {
    for (; widget && widget != &view_.root; widget = widget->parentWidget())
      if (view_.regions.contains(widget)) return widget;
    return &view_.root;
  }

  [[nodiscard]] QRect placeOf(const QWidget& widget) const {
    return {widget.mapTo(&view_.root, QPoint()), widget.size()};
  }

  void checkFocus() {
    QSet<const QWidget*> left;  // regions the focus has been through
    const QWidget* before = nullptr;
    const QWidget* region = nullptr;
    for (const QWidget* stop : stops()) {
      const QWidget* now = regionOf(stop);
      if (before && now != region) {
        left.insert(region);
        if (left.contains(now))
          add(QStringLiteral("order"), *stop,
              QStringLiteral("Tab comes back to this panel from %1").arg(pathOf(*before)));
        if (readsBackwards(placeOf(*region), placeOf(*now)))
          add(QStringLiteral("order"), *stop,
              QStringLiteral("Tab comes from a panel further on: %1").arg(pathOf(*before)));
      } else if (before && readsBackwards(placeOf(*before), placeOf(*stop))) {
        add(QStringLiteral("order"), *stop,
            QStringLiteral("Tab comes from further on: %1").arg(pathOf(*before)));
      }
      before = stop;
      region = now;
    }
  }

  void noteMnemonics(const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
      if (label->buddy()) note(label->text(), widget, label->text());
    } else if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
      note(button->shortcut(), widget, button->text());
    } else if (const auto* group = qobject_cast<const QGroupBox*>(&widget)) {
      note(group->title(), widget, group->title());
    } else if (const auto* tabs = qobject_cast<const QTabBar*>(&widget)) {
      for (int i = 0; i < tabs->count(); ++i) note(tabs->tabText(i), widget, tabs->tabText(i));
    } else if (const auto* bar = qobject_cast<const QMenuBar*>(&widget)) {
      for (const QAction* action : bar->actions()) note(action->text(), widget, action->text());
    }
  }

  void note(const QString& text, const QWidget& widget, const QString& name) {
    note(QKeySequence::mnemonic(text), widget, name);
  }

  void note(const QKeySequence& keys, const QWidget& widget, const QString& name) {
    if (keys.isEmpty()) return;
    const QString letter = keys.toString(QKeySequence::PortableText);
    if (taken_.contains(letter)) {
      add(QStringLiteral("mnemonic"), widget,
          QStringLiteral("%1 of \"%2\" is also that of \"%3\"")
              .arg(letter, name, taken_.value(letter)));
    }
    taken_.insert(letter, name);
  }

  void add(const QString& kind, const QWidget& widget, const QString& what) {
    faults_.append({kind, pathOf(widget), what});
  }

  const View& view_;
  QHash<QString, QString> taken_;
  QList<Fault> faults_;
};

}  // namespace

QList<Fault> orderFaults(const View& view) { return OrderCheck(view).run(); }

}  // namespace tenon::screens
