// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of ports and wires (wire_path.h).
#include "ui/graphview/wire_path.h"

#include <algorithm>
#include <cmath>

#include "ui/graphview/graph_style.h"

namespace tenon::ui {
namespace {

/// A curve that leaves and arrives along the flow; for a wire that runs back it swings out.
void curveTo(QPainterPath& path, const QPointF& to, Flow flow) {
  const QPointF from = path.currentPosition();
  const bool down = flow == Flow::TopDown;
  const double along = down ? to.y() - from.y() : to.x() - from.x();
  const double across = down ? to.x() - from.x() : to.y() - from.y();
  const double reach = along >= 0 ? std::max(along / 2, std::min(24.0, std::fabs(across) / 2))
                                  : std::min(120.0, 40 - along / 4);
  const QPointF step = down ? QPointF(0, reach) : QPointF(reach, 0);
  path.cubicTo(from + step, to - step, to);
}

/// Three straight pieces with the turn half way.
void stepTo(QPainterPath& path, const QPointF& to, Flow flow) {
  const QPointF from = path.currentPosition();
  if (flow == Flow::TopDown) {
    const double half = (from.y() + to.y()) / 2;
    path.lineTo(from.x(), half);
    path.lineTo(to.x(), half);
  } else {
    const double half = (from.x() + to.x()) / 2;
    path.lineTo(half, from.y());
    path.lineTo(half, to.y());
  }
  path.lineTo(to);
}

/// Straight pieces through the points with round corners.
void roundedTo(QPainterPath& path, const QList<QPointF>& points) {
  for (qsizetype i = 0; i + 1 < points.size(); ++i) {
    const QPointF corner = points[i];
    const QLineF in(corner, path.currentPosition());
    const QLineF out(corner, points[i + 1]);
    const double radius = std::min({canvas::kCorner * 1.0, in.length() / 2, out.length() / 2});
    path.lineTo(in.length() > 0 ? in.pointAt(radius / in.length()) : corner);
    path.quadTo(corner, out.length() > 0 ? out.pointAt(radius / out.length()) : corner);
  }
  path.lineTo(points.last());
}

/// From the end of one column to the head of the one beside it: through the gap between them.
void besideTo(QPainterPath& path, const QPointF& to, Flow flow) {
  const QPointF from = path.currentPosition();
  if (flow == Flow::TopDown) {
    const double gap = (from.x() + to.x()) / 2;
    const double low = from.y() + kColumnTurn;
    const double high = to.y() - kColumnTurn;
    roundedTo(path, {{from.x(), low}, {gap, low}, {gap, high}, {to.x(), high}, to});
  } else {
    const double gap = (from.y() + to.y()) / 2;
    const double far = from.x() + kColumnTurn;
    const double near = to.x() - kColumnTurn;
    roundedTo(path, {{far, from.y()}, {far, gap}, {near, gap}, {near, to.y()}, to});
  }
}

double distanceToPiece(const QPointF& a, const QPointF& b, const QPointF& p) {
  const QPointF d = b - a;
  const double length = QPointF::dotProduct(d, d);
  const double t = length > 0 ? std::clamp(QPointF::dotProduct(p - a, d) / length, 0.0, 1.0) : 0.0;
  const QPointF off = p - (a + t * d);
  return std::hypot(off.x(), off.y());
}

}  // namespace

QRectF nodeRect(const QPointF& position) {
  return {position.x(), position.y(), canvas::kNodeWidth, canvas::kNodeHeight};
}

QPointF portPoint(const QRectF& node, Flow flow, bool output, int index, int count) {
  const double share = (index + 0.5) / std::max(1, std::max(count, index + 1));
  if (flow == Flow::TopDown) {
    return {node.left() + share * node.width(), output ? node.bottom() : node.top()};
  }
  return {output ? node.right() : node.left(), node.top() + share * node.height()};
}

bool runsBeside(const QPointF& from, const QPointF& to, Flow flow) {
  const bool down = flow == Flow::TopDown;
  const double along = down ? to.y() - from.y() : to.x() - from.x();
  const double across = std::fabs(down ? to.x() - from.x() : to.y() - from.y());
  return along < 0 && across > (down ? canvas::kNodeWidth : canvas::kNodeHeight);
}

QPainterPath wirePath(const QPointF& from, const QPointF& to, const QList<QPointF>& via, Flow flow,
                      WireShape shape) {
  QPainterPath path(from);
  const auto advance = [&](const QPointF& next) {
    const QPointF here = path.currentPosition();
    const bool straight = flow == Flow::TopDown ? here.x() == next.x() : here.y() == next.y();
    if (straight) {
      path.lineTo(next);
    } else if (via.isEmpty() && runsBeside(from, to, flow)) {
      besideTo(path, next, flow);
    } else if (shape == WireShape::Bezier) {
      curveTo(path, next, flow);
    } else {
      stepTo(path, next, flow);
    }
  };
  for (const QPointF& bend : via) advance(bend);
  advance(to);
  return path;
}

double distanceTo(const QPolygonF& line, const QPointF& point) {
  double least = INFINITY;
  for (qsizetype i = 1; i < line.size(); ++i) {
    least = std::min(least, distanceToPiece(line[i - 1], line[i], point));
  }
  return least;
}

}  // namespace tenon::ui
