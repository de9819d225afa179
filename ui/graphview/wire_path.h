// SPDX-License-Identifier: GPL-3.0-or-later
// Where ports sit on a node and which way a wire runs between two of them.
#pragma once

#include <QPainterPath>
#include <QPointF>
#include <QRectF>

#include "ui/graphview/graph_data.h"
#include "ui/graphview/layered_layout.h"

namespace tenon::ui {

enum class WireShape { Bezier, Orthogonal };

/// Frame of a node at its position.
[[nodiscard]] QRectF nodeRect(const QPointF& position);
/// Centre of port `index` of `count` on the edge of the node that the flow gives it.
[[nodiscard]] QPointF portPoint(const QRectF& node, Flow flow, bool output, int index, int count);

inline constexpr double kColumnTurn = 10;  ///< how far from a node a wire turns aside
/// Whether a wire runs back to a node that stands beside: it then goes through the gap between.
[[nodiscard]] bool runsBeside(const QPointF& from, const QPointF& to, Flow flow);
/// A wire from an output to an input through the bends of the layout.
[[nodiscard]] QPainterPath wirePath(const QPointF& from, const QPointF& to,
                                    const QList<QPointF>& via, Flow flow, WireShape shape);
/// Distance of a point from a polyline.
[[nodiscard]] double distanceTo(const QPolygonF& line, const QPointF& point);

}  // namespace tenon::ui
