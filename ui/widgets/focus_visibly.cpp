// SPDX-License-Identifier: GPL-3.0-or-later
// The focus, its ring, and the scroll area around it.
#include "ui/widgets/focus_visibly.h"

#include <QScrollArea>
#include <QTimer>

namespace tenon::ui {
namespace {

QScrollArea* areaAround(const QWidget& target) {
  for (QWidget* above = target.parentWidget(); above; above = above->parentWidget())
    if (auto* area = qobject_cast<QScrollArea*>(above)) return area;
  return nullptr;
}

}  // namespace

void focusVisibly(QWidget& target) {
  if (QScrollArea* area = areaAround(target)) {
    area->ensureWidgetVisible(&target);
    // A panel shown for this moment has its room only after the layout.
    QTimer::singleShot(0, &target, [area, &target] { area->ensureWidgetVisible(&target); });
  }
  target.window()->setAttribute(Qt::WA_KeyboardFocusChange);
  target.setFocus(Qt::OtherFocusReason);
}

}  // namespace tenon::ui
