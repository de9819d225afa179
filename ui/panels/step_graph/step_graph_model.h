// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded graph as what a canvas shows: collapsed by layer and phase, or node by node.
#pragma once

#include <QHash>
#include <QList>
#include <QSet>
#include <QString>

#include "engine/observe/graph_recording.h"
#include "ui/graphview/graph_data.h"
#include "ui/session/step_links.h"

namespace tenon::ui {

struct StepData;

/// What of a recording is wanted.
struct StepGraphWish {
  bool forward = true;  ///< with the loss
  bool backward = true;
  bool optimizer = false;
  bool expandAll = false;
  QSet<QString> expanded;  ///< ids of groups shown node by node
  bool operator==(const StepGraphWish&) const = default;
};

/**
 * The graph to show. Forward runs down the canvas. Where both passes are shown, backward stands
 * beside it and runs up, so that a layer's two nodes are near each other: its wires are written
 * from below to above (GraphEdge::from is then who receives the gradient).
 */
struct StepGraph {
  GraphData data;
  QHash<QString, QList<int>> members;  ///< recorded nodes behind a shown one
  QList<QString> shownAs;              ///< by recorded node; empty: not shown
  QList<QString> groups;               ///< by recorded node: its layer and phase
  /// The groups of several nodes.
  QSet<QString> expandable;
};

/// Layers stay collapsed in recordings of this many nodes and more.
inline constexpr size_t kMostExpandedNodes = 10'000;

[[nodiscard]] StepGraph stepGraph(const StepData& step, const StepGraphWish& wish);

/// The layout does not care which pass stands left; people read forward first. Turns the drawing
/// round where it is the other way.
void putForwardLeft(GraphData& data, double nodeWidth);

}  // namespace tenon::ui
