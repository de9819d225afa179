// SPDX-License-Identifier: GPL-3.0-or-later
// Looks a place up among the frames.
#include "ui/session/frames.h"

#include <QRectF>

namespace tenon::ui {

QString frameAt(const LayoutSpec& layout, const QPointF& corner, const QSizeF& node) {
  const QPointF middle = QRectF(corner, node).center();
  for (const LayoutSpec::Frame& frame : layout.frames) {
    const QRectF box(frame.box.x, frame.box.y, frame.box.width, frame.box.height);
    if (box.contains(middle)) return QString::fromStdString(frame.id);
  }
  return {};
}

}  // namespace tenon::ui
