// SPDX-License-Identifier: GPL-3.0-or-later
// What the steps of the layered layout hand on to each other. Depth runs along the flow, breadth
// across it.
#pragma once

#include <stop_token>
#include <vector>

#include "ui/graphview/layered_layout.h"

namespace tenon::ui::layout {

/// One piece of an edge between two neighbouring layers.
struct Segment {
  int upper = 0;
  int lower = 0;
  float upperShift = 0;  ///< place of the port on its vertex, -0.5..0.5
  float lowerShift = 0;
};

/// Segments by vertex, packed.
struct Incidence {
  std::vector<int> begin;  ///< vertex -> first entry; one more at the end
  std::vector<int> segment;
};

/// Vertices 0..realCount-1 are the nodes; the others are bends of long edges.
struct Work {
  int realCount = 0;
  std::vector<int> layer;
  std::vector<double> breadth;
  std::vector<Segment> segments;
  Incidence above;  ///< segments whose lower end is the vertex
  Incidence below;
  std::vector<std::vector<int>> rows;    ///< vertices of each layer in order
  std::vector<int> place;                ///< of a vertex within its row
  std::vector<std::vector<int>> chains;  ///< per edge: its bends from top to bottom
  std::vector<char> reversed;
  long long crossings = 0;

  [[nodiscard]] int vertexCount() const { return static_cast<int>(layer.size()); }
  [[nodiscard]] bool isBend(int vertex) const { return vertex >= realCount; }
  void notePlaces();
};

/// Breaks cycles, gives layers, cuts long edges into segments.
[[nodiscard]] bool assignLayers(const LayoutGraph& graph, const LayoutOptions& options, Work& work,
                                const std::stop_token& stop);
/// Orders the rows for few crossings.
[[nodiscard]] bool orderRows(const LayoutOptions& options, Work& work, const std::stop_token& stop);
/// Least distance of the centres of two neighbours of a row.
[[nodiscard]] double distanceBetween(const LayoutOptions& options, const Work& work, int left,
                                     int right);
/// Centres of all vertices across the flow (Brandes and Köpf 2001), least is 0 after subtracting
/// half a breadth.
[[nodiscard]] bool placeAcross(const LayoutOptions& options, const Work& work,
                               const std::stop_token& stop, std::vector<double>& centers);

/// The same by averaging, never much wider than the widest row; edges are less straight.
[[nodiscard]] bool relaxAcross(const LayoutOptions& options, const Work& work,
                               const std::stop_token& stop, std::vector<double>& centers);

}  // namespace tenon::ui::layout
