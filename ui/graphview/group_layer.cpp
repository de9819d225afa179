// SPDX-License-Identifier: GPL-3.0-or-later
// Measuring and painting of group frames (group_layer.h).
#include "ui/graphview/group_layer.h"

#include <QPainter>
#include <QStyleOptionGraphicsItem>
#include <algorithm>

#include "ui/graphview/graph_scene.h"
#include "ui/graphview/node_item.h"

namespace tenon::ui {
namespace {

constexpr double kPad = 12;
constexpr double kTop = 36;     // a title, and room for a wire that turns aside
constexpr double kBottom = 20;  // the same without title
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
    frames_.append({group.title, rects[group.id].adjusted(-kPad, -kTop, kPad, kBottom)});
    bounds_ |= frames_.last().rect;
  }
  update();
}

bool GroupLayer::covers(const QPointF& point) const {
  return std::any_of(frames_.cbegin(), frames_.cend(),
                     [&](const Frame& frame) { return frame.rect.contains(point); });
}

QColor GroupLayer::fill() const {
  const QColor top = scene_.look().text;
  const QColor ground = scene_.look().ground;
  const auto channel = [](int a, int b) { return b + (a - b) * 9 / 256; };
  return {channel(top.red(), ground.red()), channel(top.green(), ground.green()),
          channel(top.blue(), ground.blue())};
}

void GroupLayer::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const double zoom =
      QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
  const GraphStyle& style = scene_.look();
  painter->setRenderHint(QPainter::Antialiasing, !scene_.isCoarse());
  QPen pen(style.grid, 1);
  pen.setCosmetic(true);
  for (const Frame& frame : std::as_const(frames_)) {
    painter->setPen(pen);
    painter->setBrush(fill());
    painter->drawRoundedRect(frame.rect, canvas::kCorner + 2, canvas::kCorner + 2);
    if (zoom < canvas::kNamesOnly) continue;
    QFont font = scene_.smallFont();
    // As names of nodes do, titles grow where only names are left.
    if (zoom <= canvas::kFullDetail) font.setPointSizeF(14);
    painter->setFont(font);
    painter->setPen(style.secondary);
    const QRectF line(frame.rect.left() + kPad, frame.rect.top() + 4, frame.rect.width() - 2 * kPad,
                      kTitle);
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, frame.title);
  }
}

}  // namespace tenon::ui
