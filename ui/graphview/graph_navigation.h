// SPDX-License-Identifier: GPL-3.0-or-later
// Ways through a graph by keys: the topological order and the neighbour in a direction. Pure
// functions.
#pragma once

#include <QString>
#include <QStringList>

#include "ui/graphview/graph_data.h"

namespace tenon::ui {

/// Sources first, each node after its inputs, equals from top left to bottom right; nodes of cycles
/// at the end.
[[nodiscard]] QStringList topologicalOrder(const GraphData& graph);

/// Nearest node in a direction (dx, dy one of -1, 0, 1), wired ones before others; empty when there
/// is none.
[[nodiscard]] QString neighbourTowards(const GraphData& graph, const QString& from, int dx, int dy);

}  // namespace tenon::ui
