// SPDX-License-Identifier: GPL-3.0-or-later
// Ground, overlays and pictures of the canvas; what it does when its surroundings change.
#include <QPainter>
#include <QResizeEvent>
#include <cmath>

#include "ui/graphview/graph_drag.h"
#include "ui/graphview/graph_scene.h"
#include "ui/graphview/graph_view.h"
#include "ui/graphview/minimap.h"
#include "ui/graphview/wire_path.h"

namespace tenon::ui {
namespace {

constexpr double kGrid = 24;
constexpr double kGridZoom = 0.6;
constexpr double kLargestPicture = 12'000;  // pixels of an edge

void drawGrid(QPainter& painter, const QRectF& rect, const QColor& color) {
  QList<QPointF> dots;
  for (double x = std::ceil(rect.left() / kGrid) * kGrid; x < rect.right(); x += kGrid) {
    for (double y = std::ceil(rect.top() / kGrid) * kGrid; y < rect.bottom(); y += kGrid) {
      dots.append(QPointF(x, y));
    }
  }
  QPen pen(color, 1.5);
  pen.setCosmetic(true);
  painter.setPen(pen);
  painter.drawPoints(dots.constData(), static_cast<int>(dots.size()));
}

}  // namespace

void GraphView::drawBackground(QPainter* painter, const QRectF& rect) {
  painter->fillRect(rect, scene_->look().ground);
  if (zoom() < kGridZoom || moving_) return;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing, false);
  drawGrid(*painter, rect, scene_->look().grid);
  painter->restore();
}

void GraphView::drawForeground(QPainter* painter, const QRectF&) {
  const GraphStyle& look = scene_->look();
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  if (drag_->kind == GraphDrag::Kind::Wire && drag_->started) {
    const QPointF end = drag_->target.isValid() ? drag_->target.point : drag_->end;
    const bool forward = drag_->from.output;
    const QPainterPath path =
        wirePath(forward ? drag_->from.point : end, forward ? end : drag_->from.point, {},
                 scene_->flow(), scene_->wireShape());
    QPen pen(look.accent, 2, drag_->target.isValid() ? Qt::SolidLine : Qt::DashLine);
    pen.setCosmetic(true);
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(path);
    painter->setBrush(look.accent);
    painter->drawEllipse(end, canvas::kPort / 2, canvas::kPort / 2);
  }
  painter->resetTransform();
  if (drag_->kind == GraphDrag::Kind::Band && drag_->started) {
    QColor veil = look.accent;
    veil.setAlphaF(0.1F);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(look.accent);
    painter->setBrush(veil);
    painter->drawRect(QRect(drag_->origin, drag_->last).normalized());
  }
  if (graph().nodes.isEmpty() && !placeholder_.isEmpty()) {
    painter->setFont(scene_->titleFont());
    painter->setPen(look.secondary);
    painter->drawText(viewport()->rect().adjusted(24, 24, -24, -24),
                      Qt::AlignCenter | Qt::TextWordWrap, placeholder_);
  }
  painter->restore();
}

QImage GraphView::toImage(double scale) const {
  const QRectF all = scene_->contents().adjusted(-24, -24, 24, 24);
  if (graph().nodes.isEmpty()) return {};
  const double fitted = std::min(scale, kLargestPicture / std::max(all.width(), all.height()));
  QImage image((all.size() * fitted).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.fill(scene_->look().ground);
  QPainter painter(&image);
  paintAll(painter, QRectF(QPointF(0, 0), QSizeF(image.size())));
  return image;
}

void GraphView::paintAll(QPainter& painter, const QRectF& target) const {
  const bool coarse = scene_->isCoarse();
  scene_->setCoarse(false);
  painter.setRenderHint(QPainter::Antialiasing);
  scene_->render(&painter, target, scene_->contents().adjusted(-24, -24, 24, 24));
  scene_->setCoarse(coarse);
}

void GraphView::resizeEvent(QResizeEvent* event) {
  QGraphicsView::resizeEvent(event);
  placeMinimap();
  // A bar that comes or goes below is no reason to show everything in another size.
  constexpr int kBar = 64;
  const QSize change = size() - fittedFor_;
  const bool bar = change.width() == 0 && std::abs(change.height()) <= kBar;
  if (keeps_ != Keeps::Place && !bar) fitAgain();
}

void GraphView::changeEvent(QEvent* event) {
  QGraphicsView::changeEvent(event);
  const bool look = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange;
  if (look && minimap_) takeStyle();
}

void GraphView::focusInEvent(QFocusEvent* event) {
  QGraphicsView::focusInEvent(event);
  const bool byKey = event->reason() == Qt::TabFocusReason ||
                     event->reason() == Qt::BacktabFocusReason ||
                     event->reason() == Qt::ShortcutFocusReason;
  scene_->setShowsFocus(true);
  if (byKey && current_.isEmpty()) walk(event->reason() == Qt::BacktabFocusReason ? -1 : 1);
}

void GraphView::focusOutEvent(QFocusEvent* event) {
  QGraphicsView::focusOutEvent(event);
  scene_->setShowsFocus(false);
  spaceHeld_ = false;
  viewport()->unsetCursor();
}

void GraphView::scrollContentsBy(int dx, int dy) {
  QGraphicsView::scrollContentsBy(dx, dy);
  if (minimap_) minimap_->update();
}

}  // namespace tenon::ui
