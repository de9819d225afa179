// SPDX-License-Identifier: GPL-3.0-or-later
// Controls: named for screen readers, large enough to hit, icons to be made out.
#include <QAbstractButton>
#include <QAccessible>
#include <QHeaderView>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>
#include <QTableView>
#include <QTreeView>
#include <algorithm>

#include "tests/screens/drawn_text.h"
#include "tests/screens/fault.h"
#include "ui/widgets/theme.h"

namespace tenon::screens {
namespace {

constexpr int kLeastTarget = 24;
constexpr double kIconContrast = 3.0;

QString accessibleNameOf(QWidget& widget) {
  QAccessibleInterface* face = QAccessible::queryAccessibleInterface(&widget);
  return face ? face->text(QAccessible::Name).trimmed() : QString();
}

/// The strongest contrast of a part of the picture with its ground.
double contrastIn(const View& view, const QRect& part) {
  const QColor ground = groundOf(view, part);
  if (!ground.isValid()) return 21;
  const double ratio = view.picture.devicePixelRatio();
  const QRect seen(part.topLeft() * ratio, part.size() * ratio);
  double best = 1;
  for (int y = seen.top(); y <= seen.bottom(); ++y)
    for (int x = seen.left(); x <= seen.right(); ++x)
      if (view.picture.valid(x, y))
        best = std::max(best, ui::contrastRatio(view.picture.pixelColor(x, y), ground));
  return best;
}

class ControlCheck {
 public:
  explicit ControlCheck(const View& view) : view_(view) {}

  QList<Fault> run() {
    for (QWidget* widget : visibleWidgets(view_.root)) {
      checkParts(*widget);
      if (!isControl(*widget)) continue;
      if (accessibleNameOf(*widget).isEmpty())
        add(QStringLiteral("no name"), *widget, QStringLiteral("screen readers say nothing"));
      checkSize(*widget, QString(), widget->size());
      checkWhole(*widget);
      checkIcon(*widget);
    }
    return faults_;
  }

 private:
  void checkSize(const QWidget& widget, const QString& part, QSize size) {
    if (size.width() >= kLeastTarget && size.height() >= kLeastTarget) return;
    // An edge between panels is thin and long, as those between docks are; arrows move it too.
    const Qt::CursorShape shape = widget.cursor().shape();
    if (shape == Qt::SplitVCursor || shape == Qt::SplitHCursor) return;
    add(QStringLiteral("small target"), widget,
        QStringLiteral("%1%2x%3 px, wanted %4x%4")
            .arg(part.isEmpty() ? QString() : part + QLatin1String(": "))
            .arg(size.width())
            .arg(size.height())
            .arg(kLeastTarget));
  }

  /// A border lost behind its neighbour or out of the panel.
  void checkWhole(const QWidget& widget) {
    const QRect seen = reachableRect(widget);
    if (seen == widget.rect()) return;
    add(QStringLiteral("cut control"), widget,
        QStringLiteral("%1x%2 px of %3x%4 can be seen")
            .arg(seen.width())
            .arg(seen.height())
            .arg(widget.width())
            .arg(widget.height()));
  }

  /// Tabs, menu entries and table headers are targets without being widgets.
  void checkParts(const QWidget& widget) {
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget)) {
      for (int i = 0; i < tabs->count(); ++i)
        checkSize(widget, tabs->tabText(i), tabs->tabRect(i).size());
    }
    if (const auto* menu = qobject_cast<const QMenu*>(&widget)) {
      for (QAction* action : menu->actions())
        if (!action->isSeparator() && action->isVisible())
          checkSize(widget, action->text(), menu->actionGeometry(action).size());
    }
    if (const auto* bar = qobject_cast<const QMenuBar*>(&widget)) {
      for (QAction* action : bar->actions())
        checkSize(widget, action->text(), bar->actionGeometry(action).size());
    }
    if (const auto* header = qobject_cast<const QHeaderView*>(&widget)) checkHeader(*header);
  }

  void checkHeader(const QHeaderView& header) {
    if (!header.sectionsClickable()) return;
    for (int i = 0; i < header.count(); ++i) {
      if (header.isSectionHidden(i)) continue;
      const QString text = header.model()->headerData(i, header.orientation()).toString();
      const bool flat = header.orientation() == Qt::Horizontal;
      checkSize(header, text,
                flat ? QSize(header.sectionSize(i), header.height())
                     : QSize(header.width(), header.sectionSize(i)));
    }
  }

  void checkIcon(QWidget& widget) {
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    if (!button || !button->isEnabled() || button->icon().isNull()) return;
    if (!drawnTexts(widget).isEmpty()) return;
    // The frame is no icon: look inside of it.
    const QRect inside = widget.rect().adjusted(3, 3, -3, -3);
    const double contrast =
        contrastIn(view_, inside.translated(widget.mapTo(&view_.root, QPoint())));
    if (contrast < kIconContrast)
      add(QStringLiteral("contrast"), widget,
          QStringLiteral("icon: %1, wanted %2").arg(contrast, 0, 'f', 2).arg(kIconContrast));
  }

  void add(const QString& kind, const QWidget& widget, const QString& what) {
    faults_.append({kind, pathOf(widget), what});
  }

  const View& view_;
  QList<Fault> faults_;
};

}  // namespace

QList<Fault> controlFaults(const View& view) { return ControlCheck(view).run(); }

}  // namespace tenon::screens
