// SPDX-License-Identifier: GPL-3.0-or-later
// The thread of a layout and the way of its result to the GUI (layout_job.h).
#include "ui/graphview/layout_job.h"

#include <algorithm>

#include "ui/graphview/graph_style.h"

namespace tenon::ui {
namespace {

constexpr double kLabelDigit = 7.5;  // mean width of a sign at 9 pt

}  // namespace

LayoutGraph layoutGraphOf(const GraphData& data) {
  LayoutGraph graph;
  graph.nodes.assign(static_cast<std::size_t>(data.nodes.size()),
                     QSizeF(canvas::kNodeWidth, canvas::kNodeHeight));
  const auto index = data.indexOfIds();
  for (const GraphEdge& edge : data.edges) {
    graph.edges.push_back(
        {index.value(edge.from, -1), index.value(edge.to, -1), edge.fromPort, edge.toPort});
  }
  return graph;
}

LayoutOptions layoutOptionsOf(const GraphData& data, Flow flow) {
  LayoutOptions options;
  options.flow = flow;
  if (flow == Flow::TopDown) return options;
  qsizetype longest = 0;
  for (const GraphEdge& edge : data.edges) longest = std::max(longest, edge.label.size());
  options.layerGap = std::max(options.layerGap, static_cast<double>(longest) * kLabelDigit + 32);
  return options;
}

void applyLayout(GraphData& data, const LayoutResult& result) {
  for (qsizetype i = 0; i < data.nodes.size(); ++i) {
    data.nodes[i].position = result.positions[static_cast<std::size_t>(i)];
  }
  for (qsizetype i = 0; i < data.edges.size(); ++i) {
    data.edges[i].via = result.bends[static_cast<std::size_t>(i)];
  }
}

LayoutJob::LayoutJob(QObject* parent) : QObject(parent) {}

LayoutJob::~LayoutJob() { cancel(); }

int LayoutJob::start(const LayoutGraph& graph, const LayoutOptions& options) {
  cancel();
  const int generation = ++generation_;
  running_ = true;
  thread_ = std::jthread([this, graph, options, generation](const std::stop_token& stop) {
    auto result = layeredLayout(graph, options, stop);
    if (!result) return;
    // The destructor joins this thread, so `this` lives here; Qt drops the call if it dies before.
    QMetaObject::invokeMethod(
        this,
        [this, result = std::move(*result), generation] {
          if (generation != generation_ || !running_) return;
          running_ = false;
          Q_EMIT finished(result, generation);
        },
        Qt::QueuedConnection);
  });
  return generation;
}

void LayoutJob::cancel() {
  running_ = false;
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

}  // namespace tenon::ui
