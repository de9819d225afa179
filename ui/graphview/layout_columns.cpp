// SPDX-License-Identifier: GPL-3.0-or-later
// Where to cut, and where the pieces go (layout_columns.h).
#include "ui/graphview/layout_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::ui::layout {
namespace {

constexpr double kColumnGap = 72;  // a wire turns up through it
constexpr double kAspect = 1.6;    // width to height of what comes out

struct Band {
  double top = std::numeric_limits<double>::infinity();
  double bottom = 0;
};

std::vector<Band> bandsOf(const LayoutGraph& graph, const LayoutResult& result) {
  const auto last = std::max_element(result.layers.begin(), result.layers.end());
  std::vector<Band> bands(static_cast<std::size_t>(*last + 1));
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    Band& band = bands[static_cast<std::size_t>(result.layers[i])];
    band.top = std::min(band.top, result.positions[i].y());
    band.bottom = std::max(band.bottom, result.positions[i].y() + graph.nodes[i].height());
  }
  return bands;
}

/// Per layer: whether at most one wire leaves it downwards and none passes it.
std::vector<char> cutsOf(const LayoutGraph& graph, const LayoutResult& result, std::size_t layers) {
  std::vector<int> across(layers + 1, 0);  // differences: wires over the gap below a layer
  std::vector<int> passing(layers + 1, 0);
  const int count = static_cast<int>(graph.nodes.size());
  for (const LayoutEdge& edge : graph.edges) {
    if (edge.from < 0 || edge.to < 0 || edge.from >= count || edge.to >= count) continue;
    const auto [upper, lower] = std::minmax(result.layers[static_cast<std::size_t>(edge.from)],
                                            result.layers[static_cast<std::size_t>(edge.to)]);
    std::vector<int>& which = lower - upper > 1 ? passing : across;
    ++which[static_cast<std::size_t>(upper)];
    --which[static_cast<std::size_t>(lower)];
  }
  std::vector<char> cuts(layers, 0);
  int wires = 0;
  int longOnes = 0;
  for (std::size_t layer = 0; layer + 1 < layers; ++layer) {
    wires += across[layer];
    longOnes += passing[layer];
    cuts[layer] = wires <= 1 && longOnes == 0;
  }
  return cuts;
}

/// The layer above each cut, as evenly as the allowed ones lie.
std::vector<std::size_t> chosenCuts(const std::vector<Band>& bands, const std::vector<char>& cuts,
                                    double columns) {
  const double height = bands.back().bottom / columns;
  std::vector<std::size_t> chosen;
  double top = 0;
  std::size_t from = 0;
  for (;;) {
    std::size_t best = bands.size();
    double least = height * 0.75;
    for (std::size_t layer = from; layer + 1 < bands.size(); ++layer) {
      const double off = std::fabs(bands[layer].bottom - top - height);
      if (bands[layer].bottom - top > 2 * height) break;
      if (!cuts[layer] || off > least) continue;
      least = off;
      best = layer;
    }
    // The rest is no column of its own if it is short.
    if (best == bands.size() || bands.back().bottom - bands[best].bottom < height / 4)
      return chosen;
    chosen.push_back(best);
    from = best + 1;
    top = bands[from].top;
  }
}

}  // namespace

void foldIntoColumns(const LayoutGraph& graph, LayoutResult& result) {
  if (result.positions.empty()) return;
  const std::vector<Band> bands = bandsOf(graph, result);
  const double pitch = result.size.width() + kColumnGap;
  const double columns = std::round(std::sqrt(kAspect * result.size.height() / pitch));
  if (columns < 2) return;
  const auto chosen = chosenCuts(bands, cutsOf(graph, result, bands.size()), columns);
  std::vector<QPointF> shifts(bands.size());
  std::size_t column = 0;
  double top = 0;
  double height = 0;
  for (std::size_t layer = 0; layer < bands.size(); ++layer) {
    if (column < chosen.size() && layer == chosen[column] + 1) {
      ++column;
      top = bands[layer].top;
    }
    shifts[layer] = QPointF(static_cast<double>(column) * pitch, -top);
    height = std::max(height, bands[layer].bottom - top);
  }
  const auto shiftOf = [&](int node) {
    return shifts[static_cast<std::size_t>(result.layers[static_cast<std::size_t>(node)])];
  };
  for (std::size_t i = 0; i < result.positions.size(); ++i)
    result.positions[i] += shiftOf(static_cast<int>(i));
  // A wire with bends stays within a column.
  for (std::size_t i = 0; i < result.bends.size(); ++i)
    for (QPointF& bend : result.bends[i]) bend += shiftOf(graph.edges[i].from);
  result.size = QSizeF(static_cast<double>(column) * pitch + result.size.width(), height);
}

}  // namespace tenon::ui::layout
