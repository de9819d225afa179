// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas for screen readers: a child per node, then a child per wire.
#pragma once

#include <QString>

#include "ui/graphview/graph_data.h"

namespace tenon::ui {

/// Once per program; later calls do nothing.
void installGraphAccessibility();
/// "conv1, Conv2d, output N×64×28×28, 1 error".
[[nodiscard]] QString spokenNode(const GraphData& graph, const GraphNode& node);
/// "conv1 to relu1, N×64×28×28".
[[nodiscard]] QString spokenEdge(const GraphData& graph, const GraphEdge& edge);

}  // namespace tenon::ui
