// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the steps of the layered layout together (layered_layout.h).
#include "ui/graphview/layered_layout.h"

#include <algorithm>
#include <cmath>

#include "ui/graphview/layout_columns.h"
#include "ui/graphview/layout_work.h"

namespace tenon::ui {
namespace {

/// Where a layer lies along the flow.
struct Band {
  double begin = 0;
  double size = 0;
};

double depthOf(const QSizeF& size, Flow flow) {
  return flow == Flow::TopDown ? size.height() : size.width();
}

QPointF point(double across, double along, Flow flow) {
  return flow == Flow::TopDown ? QPointF(across, along) : QPointF(along, across);
}

std::vector<Band> bandsOf(const LayoutGraph& graph, const LayoutOptions& options,
                          const layout::Work& work) {
  std::vector<Band> bands(work.rows.size());
  for (int node = 0; node < work.realCount; ++node) {
    Band& band = bands[work.layer[node]];
    band.size = std::max(band.size, depthOf(graph.nodes[node], options.flow));
  }
  double begin = 0;
  for (Band& band : bands) {
    band.begin = begin;
    begin += band.size + options.layerGap;
  }
  return bands;
}

/// Bends of an edge: where a straight run enters its first layer and leaves its last.
QList<QPointF> bendsOf(const std::vector<int>& chain, const layout::Work& work,
                       const std::vector<Band>& bands, const std::vector<double>& centers,
                       Flow flow) {
  QList<QPointF> bends;
  for (std::size_t first = 0; first < chain.size();) {
    std::size_t last = first;
    const double here = centers[chain[first]];
    while (last + 1 < chain.size() && std::fabs(centers[chain[last + 1]] - here) < 0.5) ++last;
    const Band& top = bands[work.layer[chain[first]]];
    const Band& bottom = bands[work.layer[chain[last]]];
    bends.append(point(here, top.begin, flow));
    bends.append(point(here, bottom.begin + bottom.size, flow));
    first = last + 1;
  }
  return bends;
}

LayoutResult resultOf(const LayoutGraph& graph, const LayoutOptions& options,
                      const layout::Work& work, const std::vector<double>& centers) {
  LayoutResult result;
  const std::vector<Band> bands = bandsOf(graph, options, work);
  QPointF far(0, 0);
  for (int node = 0; node < work.realCount; ++node) {
    const QSizeF& size = graph.nodes[node];
    const Band& band = bands[work.layer[node]];
    const double across = centers[node] - work.breadth[node] / 2;
    const double along = band.begin + (band.size - depthOf(size, options.flow)) / 2;
    const QPointF corner = point(across, along, options.flow);
    result.positions.push_back(corner);
    far.setX(std::max(far.x(), corner.x() + size.width()));
    far.setY(std::max(far.y(), corner.y() + size.height()));
  }
  result.layers.assign(work.layer.begin(), work.layer.begin() + work.realCount);
  for (std::size_t edge = 0; edge < graph.edges.size(); ++edge) {
    QList<QPointF> bends = bendsOf(work.chains[edge], work, bands, centers, options.flow);
    if (work.reversed[edge]) std::reverse(bends.begin(), bends.end());
    result.bends.push_back(std::move(bends));
  }
  result.reversed = work.reversed;
  result.crossings = work.crossings;
  result.size = QSizeF(far.x(), far.y());
  return result;
}

}  // namespace

std::optional<LayoutResult> layeredLayout(const LayoutGraph& graph, const LayoutOptions& options,
                                          std::stop_token stop) {
  layout::Work work;
  if (stop.stop_requested()) return std::nullopt;
  if (graph.nodes.empty()) {
    LayoutResult nothing;
    nothing.bends.resize(graph.edges.size());
    nothing.reversed.assign(graph.edges.size(), 0);
    return nothing;
  }
  std::vector<double> centers;
  if (!layout::assignLayers(graph, options, work, stop)) return std::nullopt;
  if (!layout::orderRows(options, work, stop)) return std::nullopt;
  if (!layout::placeAcross(options, work, stop, centers)) return std::nullopt;
  LayoutResult result = resultOf(graph, options, work, centers);
  const bool high = options.foldAbove > 0 && result.size.height() > options.foldAbove;
  if (high && options.flow == Flow::TopDown) layout::foldIntoColumns(graph, result);
  return result;
}

}  // namespace tenon::ui
