// SPDX-License-Identifier: GPL-3.0-or-later
// Painting and steering of the minimap.
#include "ui/graphview/minimap.h"

#include <QMouseEvent>
#include <QPainter>

#include "ui/graphview/graph_scene.h"
#include "ui/graphview/graph_view.h"
#include "ui/graphview/node_item.h"

namespace tenon::ui {
namespace {

constexpr double kPad = 6;

}  // namespace

Minimap::Minimap(GraphView& view, const GraphScene& scene)
    : QWidget(&view), view_(view), scene_(scene) {
  setFixedSize(kSize);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setCursor(Qt::PointingHandCursor);
  setAccessibleName(tr("Overview of the graph"));
  setToolTip(tr("Overview: click or drag to go there"));
}

void Minimap::invalidate() {
  stale_ = true;
  update();
}

void Minimap::redraw() {
  stale_ = false;
  const qreal ratio = devicePixelRatioF();
  picture_ = QPixmap(size() * ratio);
  picture_.setDevicePixelRatio(ratio);
  const GraphStyle& look = scene_.look();
  picture_.fill(look.node);
  QPainter painter(&picture_);
  const QRectF all = scene_.contents().adjusted(-40, -40, 40, 40);
  const double scale =
      std::min((width() - 2 * kPad) / all.width(), (height() - 2 * kPad) / all.height());
  QTransform toMap;
  toMap.translate(width() / 2.0, height() / 2.0);
  toMap.scale(scale, scale);
  toMap.translate(-all.center().x(), -all.center().y());
  toScene_ = toMap.inverted();
  for (const GraphNode& node : scene_.graph().nodes) {
    const NodeItem* item = scene_.item(node.id);
    QRectF box = toMap.mapRect(item->frame());
    if (box.width() < 2) box.setWidth(2);
    if (box.height() < 1) box.setHeight(1);
    QColor color = node.family >= 0 ? look.families[node.family % 8] : look.border;
    if (node.state == NodeState::Error) color = look.bad;
    if (item->isSelected()) color = look.accent;
    painter.fillRect(box, color);
  }
}

void Minimap::paintEvent(QPaintEvent*) {
  if (stale_ || picture_.devicePixelRatio() != devicePixelRatioF()) redraw();
  const GraphStyle& look = scene_.look();
  QPainter painter(this);
  painter.drawPixmap(0, 0, picture_);
  const QRectF shown =
      view_.viewportTransform().inverted().mapRect(QRectF(view_.viewport()->rect()));
  const QRectF frame = toScene_.inverted().mapRect(shown).intersected(QRectF(rect()));
  QColor veil = look.accent;
  veil.setAlphaF(0.12F);
  painter.setBrush(veil);
  painter.setPen(QPen(look.accent, 1));
  if (!frame.isEmpty()) painter.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5));
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(look.grid, 1));
  painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void Minimap::goTo(const QPointF& at) {
  view_.keeps_ = GraphView::Keeps::Place;
  view_.centerOn(toScene_.map(at));
  view_.noteMovement();
}

void Minimap::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) goTo(event->position());
}

void Minimap::mouseReleaseEvent(QMouseEvent* event) { event->accept(); }

void Minimap::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons().testFlag(Qt::LeftButton)) goTo(event->position());
}

}  // namespace tenon::ui
