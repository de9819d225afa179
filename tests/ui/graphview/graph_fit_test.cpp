// SPDX-License-Identifier: GPL-3.0-or-later
// Fitting that lasts until a person zooms, and wires between columns.
#include "tests/ui/graphview/graph_window.h"

using namespace tenon::ui;

namespace {

bool allSeen(const GraphView& view) {
  const QRect seen = view.viewport()->rect();
  const auto& nodes = view.graph().nodes;
  return std::all_of(nodes.cbegin(), nodes.cend(),
                     [&](const GraphNode& node) { return seen.contains(view.nodeArea(node.id)); });
}

/// Two columns of two nodes: the second begins where the first ends.
GraphData columns() {
  GraphData data;
  data.nodes = {node("a", 0, 0, 0), node("b", 0, 72), node("c", 220, 0), node("d", 220, 72)};
  data.edges = {edge("a", "b"), edge("b", "c"), edge("c", "d")};
  return data;
}

}  // namespace

class GraphFitTest final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aFitGrowsWithTheView() {
    GraphView view;
    view.setGraph(big(60));
    view.resize(300, 200);
    view.show();
    view.fitAll();
    const double small = view.zoom();
    view.resize(900, 700);
    QTRY_VERIFY(view.zoom() > 3 * small);
    QVERIFY(allSeen(view));
  }

  void aZoomOfOnesOwnStays() {
    Window w(big(60));
    w.wheel(w.view.viewport()->rect().center(), 240);
    const double own = w.view.zoom();
    w.view.resize(500, 400);
    QCOMPARE(w.view.zoom(), own);
    QTest::keyClick(&w.view, Qt::Key_F);
    QVERIFY(allSeen(w.view));
    w.view.resize(700, 600);
    QVERIFY(allSeen(w.view));
  }

  void aPannedViewIsNotFittedAgain() {
    Window w(columns());
    const QPoint before = w.at("a");
    w.drag(QPoint(10, 10), QPoint(60, 40), Qt::MiddleButton);
    const QPoint panned = w.at("a");
    QCOMPARE(panned - before, QPoint(50, 30));
    w.view.resize(w.view.width() + 200, w.view.height());
    // Resizing keeps the middle; a fit would have brought the graph back there.
    QVERIFY((w.at("a") - panned - QPoint(100, 0)).manhattanLength() <= 2);
  }

  void groupsAreFittedToo() {
    GraphData data = columns();
    for (GraphNode& each : data.nodes) each.group = QStringLiteral("g");
    data.groups = {{QStringLiteral("g"), QStringLiteral("Block")}};
    Window w(data);
    w.view.resize(300, 160);
    QVERIFY(w.view.nodeArea("a").top() > 15);  // a title stands above
  }

  void wiresBetweenColumnsKeepOffTheNodes() {
    const QRectF b = nodeRect({0, 72});
    const QRectF c = nodeRect({220, 0});
    const QPointF from = portPoint(b, Flow::TopDown, true, 0, 1);
    const QPointF to = portPoint(c, Flow::TopDown, false, 0, 1);
    QVERIFY(runsBeside(from, to, Flow::TopDown));
    QVERIFY(!runsBeside(from, from + QPointF(0, -80), Flow::TopDown));   // straight back
    QVERIFY(!runsBeside(from, from + QPointF(220, 40), Flow::TopDown));  // onwards
    const QPainterPath path = wirePath(from, to, {}, Flow::TopDown, WireShape::Bezier);
    for (int i = 0; i <= 200; ++i) {
      const QPointF point = path.pointAtPercent(i / 200.0);
      for (const QRectF& box : {b, c, nodeRect({0, 0}), nodeRect({220, 72})})
        QVERIFY(!box.adjusted(1, 1, -1, -1).contains(point));
    }
    QCOMPARE(path.currentPosition(), to);
  }
};

QTEST_MAIN(GraphFitTest)
#include "graph_fit_test.moc"
