// SPDX-License-Identifier: GPL-3.0-or-later
// Runs layeredLayout off the GUI thread; the newest request wins.
#pragma once

#include <QObject>
#include <thread>

#include "ui/graphview/graph_data.h"
#include "ui/graphview/layered_layout.h"

namespace tenon::ui {

/// The graph of a canvas as the layout wants it (indexes by position in the lists).
[[nodiscard]] LayoutGraph layoutGraphOf(const GraphData& data);
/// Gaps for this graph: sideways a layer must leave room for the labels on the wires.
[[nodiscard]] LayoutOptions layoutOptionsOf(const GraphData& data, Flow flow);
/// Writes positions and bends of a result into the data it was made from.
void applyLayout(GraphData& data, const LayoutResult& result);

class LayoutJob final : public QObject {
  Q_OBJECT
 public:
  explicit LayoutJob(QObject* parent = nullptr);
  ~LayoutJob() override;

  /// Cancels what runs and lays out this graph; returns its generation.
  int start(const LayoutGraph& graph, const LayoutOptions& options = {});
  /// No finished signal comes after it.
  void cancel();
  [[nodiscard]] bool isRunning() const { return running_; }

 Q_SIGNALS:
  void finished(const tenon::ui::LayoutResult& result, int generation);

 private:
  std::jthread thread_;
  int generation_ = 0;
  bool running_ = false;
};

}  // namespace tenon::ui
