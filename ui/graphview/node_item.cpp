// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of nodes (node_item.h): box, family bar, icon, name, parameters, ports, state.
#include "ui/graphview/node_item.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyleOptionGraphicsItem>
#include <cmath>

#include "ui/graphview/graph_scene.h"
#include "ui/graphview/wire_path.h"

namespace tenon::ui {
namespace {

constexpr double kMargin = 8;  // ports, selection and focus frames around the box
constexpr double kIcon = 16;
constexpr double kLeft = 12;
constexpr double kRight = canvas::kNodeWidth - 10;
constexpr double kFirstLine = 17;   // middle of the name
constexpr double kSecondLine = 34;  // middle of the parameters
const QRectF kBox(0, 0, canvas::kNodeWidth, canvas::kNodeHeight);

QColor blended(const QColor& top, const QColor& bottom, double share) {
  const auto channel = [share](int a, int b) { return static_cast<int>(b + (a - b) * share); };
  return {channel(top.red(), bottom.red()), channel(top.green(), bottom.green()),
          channel(top.blue(), bottom.blue())};
}

/// A text in one line around `middle`, cut with "…".
void drawLine(QPainter& painter, const QString& text, double left, double right, double middle,
              Qt::Alignment side) {
  const QFontMetricsF metrics(painter.font());
  const QRectF room(left, middle - 10, right - left, 20);
  painter.drawText(room, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine,
                   metrics.elidedText(text, Qt::ElideRight, room.width()));
}

void drawErrorMark(QPainter& painter, const QPointF& center, const QColor& color) {
  painter.setPen(QPen(color, 1.25, Qt::SolidLine, Qt::RoundCap));
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(center, 6, 6);
  painter.drawLine(center + QPointF(-2.2, -2.2), center + QPointF(2.2, 2.2));
  painter.drawLine(center + QPointF(2.2, -2.2), center + QPointF(-2.2, 2.2));
}

}  // namespace

NodeItem::NodeItem(const GraphScene& scene, const GraphNode& node) : scene_(scene), node_(node) {
  setFlag(ItemIsSelectable);
  setPos(node.position);
}

void NodeItem::setNode(const GraphNode& node) {
  node_ = node;
  update();
}

void NodeItem::setCurrent(bool current) {
  current_ = current;
  update();
}

void NodeItem::setHovered(bool hovered) {
  hovered_ = hovered;
  update();
}

void NodeItem::setDimmed(bool dimmed) {
  dimmed_ = dimmed;
  update();
}

QRectF NodeItem::frame() const { return nodeRect(pos()); }

QPointF NodeItem::port(bool output, int index) const {
  const auto& ports = output ? node_.outputs : node_.inputs;
  return portPoint(frame(), scene_.flow(), output, index, static_cast<int>(ports.size()));
}

QRectF NodeItem::boundingRect() const {
  return kBox.adjusted(-kMargin, -kMargin, kMargin, kMargin);
}

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const double zoom =
      QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
  painter->setOpacity(dimmed_ ? 0.3 : 1.0);
  if (zoom < canvas::kNamesOnly) {
    paintBlock(*painter);
  } else {
    painter->setRenderHint(QPainter::Antialiasing, !scene_.isCoarse());
    paintBox(*painter, zoom);
    paintTexts(*painter, zoom);
  }
  if (isSelected() || current_) paintSelection(*painter, zoom);
  if (zoom > canvas::kFullDetail) paintPorts(*painter);
  painter->setOpacity(1.0);
}

void NodeItem::paintBlock(QPainter& painter) const {
  const GraphStyle& style = scene_.look();
  QColor fill = node_.family >= 0 ? style.families[node_.family % 8] : style.border;
  if (node_.state == NodeState::Error) fill = style.bad;
  if (node_.state == NodeState::Running) fill = style.accent;
  painter.fillRect(kBox, blended(fill, style.node, 0.55));
}

void NodeItem::paintBox(QPainter& painter, double zoom) const {
  const GraphStyle& style = scene_.look();
  const bool error = node_.state == NodeState::Error;
  QColor border = error ? style.bad : blended(style.border, style.node, 0.6);
  if (hovered_ && !error) border = style.border;
  const double thickness = error ? std::max(1.5, 1 / zoom) : 1;
  painter.setPen(QPen(border, thickness));
  painter.setBrush(style.node);
  const double inset = thickness / 2;
  painter.drawRoundedRect(kBox.adjusted(inset, inset, -inset, -inset), canvas::kCorner,
                          canvas::kCorner);
  painter.setPen(Qt::NoPen);
  if (node_.family >= 0) {
    painter.setBrush(style.families[node_.family % 8]);
    painter.drawRoundedRect(QRectF(4, 8, canvas::kFamilyBar, kBox.height() - 16), 1.5, 1.5);
  }
  if (node_.state == NodeState::Running) {
    painter.setBrush(style.accent);
    painter.drawRoundedRect(QRectF(6, kBox.height() - 4, kBox.width() - 12, 3), 1.5, 1.5);
  }
}

void NodeItem::paintTexts(QPainter& painter, double zoom) const {
  const GraphStyle& style = scene_.look();
  const bool full = zoom > canvas::kFullDetail;
  const bool oneLine = node_.subtitle.isEmpty() && node_.note.isEmpty();
  const double first = oneLine ? kBox.center().y() : kFirstLine;
  double left = kLeft;
  double right = kRight;
  if (full) paintMarks(painter, first, right);
  if (full && !node_.icon.isNull()) {
    // At rest a picture of just the size shown; in motion one of a few sizes from the cache.
    const double exact = zoom * painter.device()->devicePixelRatioF();
    const double ratio = scene_.isCoarse() ? std::ceil(exact) : exact;
    painter.setRenderHint(QPainter::SmoothPixmapTransform, !scene_.isCoarse());
    const QPixmap icon = node_.icon.pixmap(QSize(16, 16), ratio);
    painter.drawPixmap(QRectF(left, first - kIcon / 2, kIcon, kIcon), icon, QRectF(icon.rect()));
    left += kIcon + 6;
  }
  painter.setPen(style.text);
  if (!full) {
    // Only the name is left: it takes the whole box and stays readable.
    QFont large = scene_.titleFont();
    large.setPointSizeF(15);
    painter.setFont(large);
    drawLine(painter, node_.title, left, kRight, kBox.center().y(), Qt::AlignLeft);
    return;
  }
  painter.setFont(scene_.titleFont());
  drawLine(painter, node_.title, left, right, first, Qt::AlignLeft);
  if (oneLine) return;
  painter.setFont(scene_.smallFont());
  painter.setPen(style.secondary);
  double end = kRight;
  if (!node_.note.isEmpty()) {
    drawLine(painter, node_.note, kLeft, kRight, kSecondLine, Qt::AlignRight);
    end -= QFontMetricsF(scene_.smallFont()).horizontalAdvance(node_.note) + 8;
  }
  drawLine(painter, node_.subtitle, kLeft, end, kSecondLine, Qt::AlignLeft);
}

void NodeItem::paintMarks(QPainter& painter, double middle, double& right) const {
  const GraphStyle& style = scene_.look();
  if (node_.state == NodeState::Error) {
    drawErrorMark(painter, QPointF(right - 6, middle), style.bad);
    right -= 18;
  }
}

void NodeItem::paintPorts(QPainter& painter) const {
  const GraphStyle& style = scene_.look();
  painter.setPen(QPen(style.ground, 1));
  painter.setBrush(style.border);
  for (const bool output : {false, true}) {
    const auto& ports = output ? node_.outputs : node_.inputs;
    for (int i = 0; i < static_cast<int>(ports.size()); ++i) {
      painter.drawEllipse(mapFromScene(port(output, i)), canvas::kPort / 2, canvas::kPort / 2);
    }
  }
}

void NodeItem::paintSelection(QPainter& painter, double zoom) const {
  const GraphStyle& style = scene_.look();
  painter.setBrush(Qt::NoBrush);
  if (isSelected()) {
    QPen pen(style.accent, 2);
    pen.setCosmetic(zoom < 1);
    painter.setPen(pen);
    painter.drawRoundedRect(kBox, canvas::kCorner, canvas::kCorner);
  }
  if (current_ && scene_.showsFocus()) {
    QPen pen(style.accent, 1);
    pen.setCosmetic(true);
    painter.setPen(pen);
    painter.drawRoundedRect(kBox.adjusted(-4, -4, 4, 4), canvas::kCorner + 3, canvas::kCorner + 3);
  }
}

}  // namespace tenon::ui
