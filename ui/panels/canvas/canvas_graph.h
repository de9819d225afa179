// SPDX-License-Identifier: GPL-3.0-or-later
// The checked graph of a project as what a canvas shows.
#pragma once

#include <QHash>
#include <QPointF>
#include <optional>

#include "engine/graph/check.h"
#include "engine/project/specs.h"
#include "ui/graphview/graph_data.h"

namespace tenon::ui {

/**
 * Nodes with summary, parameter count, ports and what is wrong with them; wires with the shape that
 * runs over them. Positions come from `layout`, then from `placed`, else they are the origin.
 */
[[nodiscard]] GraphData canvasGraph(const CheckedGraph& graph, const Issues& issues,
                                    const LayoutSpec& layout,
                                    const QHash<QString, QPointF>& placed);

/// Marks the layers without error that a run computes with: those that stand in `trained` as they
/// stand in `spec`.
void markRunning(GraphData& data, const GraphSpec& spec, const GraphSpec& trained);

/// True if some node stands neither in `layout` nor in `placed`.
[[nodiscard]] bool needsPlaces(const CheckedGraph& graph, const LayoutSpec& layout,
                               const QHash<QString, QPointF>& placed);

/// The wire of the project that the canvas shows as `edge`; nothing if it is not there (any more).
[[nodiscard]] std::optional<EdgeSpec> specEdge(const CheckedGraph& graph, const GraphSpec& spec,
                                               const GraphEdge& edge);

/// A wire as the project file writes it: the first port of a node needs no name.
[[nodiscard]] EdgeSpec newSpecEdge(const CheckedGraph& graph, const QString& from, int fromPort,
                                   const QString& to, int toPort);

}  // namespace tenon::ui
