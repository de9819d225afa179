// SPDX-License-Identifier: GPL-3.0-or-later
// Measuring and painting of group frames (group_layer.h).
#include "ui/graphview/group_layer.h"

#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include "ui/graphview/graph_scene.h"
#include "ui/graphview/node_item.h"

namespace tenon::ui {
namespace {

constexpr double kPad = 12;
constexpr double kTitle = 18;

}  // namespace

GroupLayer::GroupLayer(const GraphScene& scene) : scene_(scene) { setZValue(-2); }

void GroupLayer::refresh() {
  prepareGeometryChange();
  QHash<QString, QRectF> rects;
  if (!scene_.graph().groups.isEmpty()) {
    for (const GraphNode& node : scene_.graph().nodes) {
      const NodeItem* item = node.group.isEmpty() ? nullptr : scene_.item(node.id);
      if (item) rects[node.group] |= item->frame();
    }
  }
  frames_.clear();
  bounds_ = QRectF();
  for (const GraphGroup& group : scene_.graph().groups) {
    if (!rects.contains(group.id)) continue;
    frames_.append({group.title, rects[group.id].adjusted(-kPad, -kPad - kTitle, kPad, kPad)});
    bounds_ |= frames_.last().rect;
  }
  update();
}

void GroupLayer::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const double zoom =
      QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
  const GraphStyle& style = scene_.look();
  painter->setRenderHint(QPainter::Antialiasing, !scene_.isCoarse());
  QColor fill = style.text;
  fill.setAlphaF(0.035F);
  QPen pen(style.grid, 1);
  pen.setCosmetic(true);
  for (const Frame& frame : std::as_const(frames_)) {
    painter->setPen(pen);
    painter->setBrush(fill);
    painter->drawRoundedRect(frame.rect, canvas::kCorner + 2, canvas::kCorner + 2);
    if (zoom < canvas::kNamesOnly) continue;
    painter->setFont(scene_.smallFont());
    painter->setPen(style.secondary);
    const QRectF line(frame.rect.left() + kPad, frame.rect.top() + 4, frame.rect.width() - 2 * kPad,
                      kTitle);
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, frame.title);
  }
}

}  // namespace tenon::ui
