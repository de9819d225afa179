// SPDX-License-Identifier: GPL-3.0-or-later
// The graph of a recorded step made by hand: collapsed, expanded, by pass.
#include <QTest>

#include "tests/ui/panels/inspect_recording.h"
#include "ui/panels/step_graph/step_graph_model.h"
#include "ui/session/recorded_step.h"
#include "ui/session/step_texts.h"
#include "ui/widgets/format.h"

using namespace tenon;
using namespace tenon::ui;

namespace {

using tenon::testing::handGraph;
using tenon::testing::handMemory;

std::shared_ptr<const StepData> handStep() {
  return readStep(encode(handGraph()), encode(handMemory()));
}

QStringList wires(const StepGraph& graph) {
  QStringList lines;
  for (const GraphEdge& edge : graph.data.edges)
    lines.append(edge.from + QLatin1String(" > ") + edge.to +
                 (edge.dashed ? QStringLiteral(" -") : QString()));
  return lines;
}

QStringList nodes(const StepGraph& graph) {
  QStringList lines;
  for (const GraphNode& node : graph.data.nodes)
    lines.append(node.id + u'|' + node.title + u'|' + node.subtitle + u'|' + node.note);
  return lines;
}

}  // namespace

class InspectGraphTest final : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void collapsesByLayerAndPhase();
  void wiresOfTheCollapsedGraph();
  void expandsOneLayer();
  void expandsEverything();
  void showsOnePassOnly();
  void optimizerReadsGradients();
  void portsFitTheWires();
  void forwardStandsLeft();
  void hugeStaysCollapsed();
};

void InspectGraphTest::collapsesByLayerAndPhase() {
  const StepGraph graph = stepGraph(*handStep(), {});
  const auto saved = [](qint64 bytes) { return QStringLiteral("saved ") + formatBytes(bytes); };
  QCOMPARE(
      nodes(graph),
      QStringList({QStringLiteral("forward/conv|conv|conv2d|") + kernelTime(50),
                   QStringLiteral("forward/act|act|relu|") + kernelTime(50),
                   QStringLiteral("loss/|cross_entropy|cross_entropy|") + kernelTime(20),
                   QStringLiteral("backward/|cross_entropy|") + saved(4096) + u'|' + kernelTime(10),
                   QStringLiteral("backward/act|act|") + saved(4096) + u'|' + kernelTime(10),
                   QStringLiteral("backward/conv|conv|") + saved(1536) + u'|' + kernelTime(60)}));
  QCOMPARE(graph.members.value(QStringLiteral("backward/conv")), QList<int>({5, 6}));
  QCOMPARE(graph.shownAs[6], QStringLiteral("backward/conv"));
  QVERIFY(graph.shownAs[7].isEmpty());  // the optimizer is off at first
  QCOMPARE(graph.expandable, QSet<QString>{QStringLiteral("backward/conv")});
  QVERIFY(graph.data.groups.isEmpty());
}

void InspectGraphTest::wiresOfTheCollapsedGraph() {
  const StepGraph graph = stepGraph(*handStep(), {});
  // Gradients run up beside the forward pass: written from who receives them.
  QCOMPARE(wires(graph), QStringList({QStringLiteral("forward/conv > forward/act"),
                                      QStringLiteral("forward/act > loss/"),
                                      QStringLiteral("backward/act > backward/ -"),
                                      QStringLiteral("backward/conv > backward/act -"),
                                      QStringLiteral("loss/ > backward/ -")}));
  QCOMPARE(graph.data.edges[0].label, QStringLiteral("1024"));
  QVERIFY(graph.data.edges[2].label.endsWith(QStringLiteral("1024")));
  QVERIFY(graph.data.edges[2].label != QStringLiteral("1024"));  // it says which way
}

void InspectGraphTest::expandsOneLayer() {
  StepGraphWish wish;
  wish.expanded = {QStringLiteral("backward/conv"), QStringLiteral("forward/conv")};
  const StepGraph graph = stepGraph(*handStep(), wish);
  QCOMPARE(graph.data.nodes.size(), 7);
  QCOMPARE(graph.shownAs[5], QStringLiteral("#5"));
  QCOMPARE(graph.shownAs[0], QStringLiteral("forward/conv"));  // one node has nothing to show
  QCOMPARE(graph.data.groups.size(), 1);
  QCOMPARE(graph.data.node(QStringLiteral("#6"))->group, graph.data.groups[0].id);
  QCOMPARE(graph.data.node(QStringLiteral("#6"))->subtitle, QStringLiteral("conv.weight"));
  QVERIFY(wires(graph).contains(QStringLiteral("#6 > #5 -")));
}

void InspectGraphTest::expandsEverything() {
  StepGraphWish wish;
  wish.expandAll = true;
  wish.optimizer = true;
  const StepGraph graph = stepGraph(*handStep(), wish);
  QCOMPARE(graph.data.nodes.size(), static_cast<qsizetype>(handGraph().nodes.size()));
  // What was recorded, the turn at the loss, and the gradient that the update reads.
  QCOMPARE(graph.data.edges.size(), static_cast<qsizetype>(handGraph().edges.size()) + 2);
  for (const QString& id : graph.shownAs) QCOMPARE(graph.members.value(id).size(), 1);
}

void InspectGraphTest::showsOnePassOnly() {
  StepGraphWish forward;
  forward.backward = false;
  QCOMPARE(stepGraph(*handStep(), forward).data.nodes.size(), 3);
  StepGraphWish backward;
  backward.forward = false;
  const StepGraph graph = stepGraph(*handStep(), backward);
  // Alone it runs down, from the loss to the first layer.
  QCOMPARE(wires(graph), QStringList({QStringLiteral("backward/ > backward/act -"),
                                      QStringLiteral("backward/act > backward/conv -")}));
  QCOMPARE(graph.data.edges[0].label, QStringLiteral("1024"));
  QVERIFY(stepGraph(StepData(), {}).data.nodes.isEmpty());
}

void InspectGraphTest::optimizerReadsGradients() {
  StepGraphWish wish;
  wish.optimizer = true;
  const StepGraph graph = stepGraph(*handStep(), wish);
  QVERIFY(graph.data.node(QStringLiteral("optimizer/")));
  QVERIFY(wires(graph).contains(QStringLiteral("optimizer/ > backward/conv -")));
  for (const GraphEdge& edge : graph.data.edges)
    QCOMPARE(edge.label.contains(QStringLiteral("1 gradient")),
             edge.from == QLatin1String("optimizer/"));
}

void InspectGraphTest::portsFitTheWires() {
  for (const bool all : {false, true}) {
    StepGraphWish wish;
    wish.expandAll = all;
    wish.optimizer = true;
    const StepGraph graph = stepGraph(*handStep(), wish);
    for (const GraphEdge& edge : graph.data.edges) {
      const GraphNode* from = graph.data.node(edge.from);
      const GraphNode* to = graph.data.node(edge.to);
      QVERIFY(from && to);
      QVERIFY(edge.fromPort >= 0 && edge.fromPort < from->outputs.size());
      QVERIFY(edge.toPort >= 0 && edge.toPort < to->inputs.size());
    }
  }
}

void InspectGraphTest::forwardStandsLeft() {
  StepGraph graph = stepGraph(*handStep(), {});
  for (GraphNode& node : graph.data.nodes)
    node.position.setX(node.id.startsWith(QLatin1String("backward")) ? 0 : 300);
  graph.data.edges[0].via = {{320, 10}};
  putForwardLeft(graph.data, 180);
  QCOMPARE(graph.data.node(QStringLiteral("forward/conv"))->position.x(), 0.0);
  QCOMPARE(graph.data.node(QStringLiteral("backward/conv"))->position.x(), 300.0);
  QCOMPARE(graph.data.edges[0].via.first(), QPointF(160, 10));
  const GraphData before = graph.data;
  putForwardLeft(graph.data, 180);  // it stands right already
  QCOMPARE(graph.data, before);
}

void InspectGraphTest::hugeStaysCollapsed() {
  StepData step;
  GraphRecording graph;
  for (int32_t i = 0; i < 30'000; ++i) {
    RecordedNode node;
    node.id = i;
    node.op = "add";
    node.layer = "layer" + std::to_string(i / 100);
    node.phase = "forward";
    node.outputs = {tenon::testing::tensor("", {8}, 0)};
    graph.nodes.push_back(node);
    if (i > 0) graph.edges.push_back({i - 1, 0, i, 0});
  }
  step.graph = std::make_shared<const GraphRecording>(std::move(graph));
  StepGraphWish wish;
  wish.expandAll = true;
  const StepGraph all = stepGraph(step, wish);
  QCOMPARE(all.data.nodes.size(), 300);
  QCOMPARE(all.data.edges.size(), 299);
  wish.expanded = {QStringLiteral("forward/layer7")};
  QCOMPARE(stepGraph(step, wish).data.nodes.size(), 299 + 100);  // single ones open
}

QTEST_MAIN(InspectGraphTest)
#include "inspect_graph_test.moc"
