// SPDX-License-Identifier: GPL-3.0-or-later
// What a canvas shows, as plain values: nodes with ports, wires, groups; and what differs between
// two of them.
#pragma once

#include <QHash>
#include <QIcon>
#include <QList>
#include <QPointF>
#include <QString>
#include <QStringList>

namespace tenon::ui {

struct GraphPort {
  QString name;  ///< "x", "skip"
  QString tip;   ///< "N×64×28×28 f32"

  bool operator==(const GraphPort&) const = default;
};

enum class NodeState { Normal, Error, Running };

/// One box of the canvas. Equality compares icons by name or cache key.
struct GraphNode {
  QString id;        ///< stable, unique
  QString title;     ///< "conv1", 10 pt
  QString subtitle;  ///< "3x3, 64, s1", 9 pt secondary
  QString note;      ///< right of the subtitle: parameter count "18.5 k"
  QString kind;      ///< spoken to screen readers: "Conv2d"
  QIcon icon;        ///< 16 px, painted before the title
  int family = -1;   ///< index of the family colour of GraphStyle; -1 neutral
  NodeState state = NodeState::Normal;
  int problems = 0;  ///< number of errors, spoken and in the tooltip
  QString tip;       ///< tooltip; what is wrong when state is Error
  QString group;     ///< id of a GraphGroup, or empty
  QList<GraphPort> inputs;
  QList<GraphPort> outputs;
  QPointF position;  ///< top left, scene units (logical pixels at zoom 1)
};
[[nodiscard]] bool operator==(const GraphNode& a, const GraphNode& b);

/// One wire from an output to an input.
struct GraphEdge {
  QString from;
  int fromPort = 0;
  QString to;
  int toPort = 0;
  QString label;        ///< "N×64×28×28"
  bool dashed = false;  ///< a second kind of edge (gradients)
  QList<QPointF> via;   ///< bends of the layout in scene units; drop them when an end moves

  bool operator==(const GraphEdge&) const = default;
  /// Same ends, whatever the label.
  [[nodiscard]] bool sameEnds(const GraphEdge& other) const;
};

/// A titled frame around the nodes that name it.
struct GraphGroup {
  QString id;
  QString title;

  bool operator==(const GraphGroup&) const = default;
};

struct GraphData {
  QList<GraphNode> nodes;
  QList<GraphEdge> edges;
  QList<GraphGroup> groups;

  bool operator==(const GraphData&) const = default;
  [[nodiscard]] const GraphNode* node(const QString& id) const;
  [[nodiscard]] QHash<QString, int> indexOfIds() const;
};

/// What must be touched to make a shown `before` into `after`.
struct GraphDiff {
  QStringList addedNodes;
  QStringList removedNodes;
  QStringList changedNodes;  ///< anything but the position
  QStringList movedNodes;    ///< the position (may also be in changedNodes)
  bool edgesChanged = false;
  bool groupsChanged = false;

  [[nodiscard]] bool isEmpty() const;
};
[[nodiscard]] GraphDiff diff(const GraphData& before, const GraphData& after);

/// A node that a person dragged.
struct NodeMove {
  QString id;
  QPointF before;
  QPointF after;

  bool operator==(const NodeMove&) const = default;
};

}  // namespace tenon::ui
