// SPDX-License-Identifier: GPL-3.0-or-later
// Small graphs and a canvas in a window, for tests of the canvas.
#pragma once

#include "ui/graphview/graph_view.h"

#include <QAccessible>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPainter>
#include <QSignalSpy>
#include <QVBoxLayout>
#include <QtTest>
#include <ctime>

#include "ui/graphview/graph_accessible.h"
#include "ui/graphview/graph_navigation.h"
#include "ui/graphview/layout_job.h"
#include "ui/graphview/minimap.h"
#include "ui/graphview/wire_path.h"

namespace tenon::ui {

inline GraphNode node(const QString& id, double x, double y, int inputs = 1, int outputs = 1) {
  GraphNode n;
  n.id = id;
  n.title = id;
  n.kind = "Conv2d";
  n.subtitle = "3x3, 64, s1";
  n.note = "18.5 k";
  n.family = 0;
  n.position = QPointF(x, y);
  for (int i = 0; i < inputs; ++i) n.inputs.append({QStringLiteral("in%1").arg(i), {}});
  for (int i = 0; i < outputs; ++i) n.outputs.append({QStringLiteral("out%1").arg(i), {}});
  return n;
}

inline GraphEdge edge(const QString& from, const QString& to) {
  return {from, 0, to, 0, QStringLiteral("N×64×28×28"), false, {}};
}

/// a over b and c, both over d.
inline GraphData diamond() {
  GraphData data;
  data.nodes = {node("a", 0, 0, 0), node("b", -120, 120), node("c", 120, 120), node("d", 0, 240)};
  data.edges = {edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d")};
  return data;
}

inline GraphData big(int count) {
  GraphData data;
  for (int i = 0; i < count; ++i) {
    data.nodes.append(node(QString::number(i), 0, 0));
    data.nodes.last().family = i % 8;
    if (i > 0) data.edges.append(edge(QString::number(i - 1), QString::number(i)));
    if (i > 6) data.edges.append(edge(QString::number(i - 7), QString::number(i)));
  }
  applyLayout(data, *layeredLayout(layoutGraphOf(data)));
  return data;
}

struct Window {
  explicit Window(const GraphData& data = diamond()) {
    view.resize(800, 600);
    view.setGraph(data);
    view.show();
    view.activateWindow();
    (void)QTest::qWaitForWindowActive(&view);
    view.setFocus();
    view.fitAll();
    QTest::mouseMove(view.viewport(), QPoint(5, 5));
  }
  [[nodiscard]] QPoint at(const QString& id) const { return view.nodeArea(id).center(); }
  [[nodiscard]] QPoint scene(const QPointF& point) const { return view.mapFromScene(point); }

  void move(const QPoint& to, Qt::MouseButton button = Qt::LeftButton) {
    QMouseEvent event(QEvent::MouseMove, to, view.viewport()->mapToGlobal(to), Qt::NoButton, button,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(view.viewport(), &event);
  }
  void drag(const QPoint& from, const QPoint& to, Qt::MouseButton button = Qt::LeftButton,
            Qt::KeyboardModifiers keys = {}) {
    QTest::mousePress(view.viewport(), button, keys, from);
    for (int step = 1; step <= 10; ++step) move(from + (to - from) * step / 10, button);
    QTest::mouseRelease(view.viewport(), button, keys, to);
  }
  void click(const QPoint& at, Qt::KeyboardModifiers keys = {}) {
    QTest::mouseClick(view.viewport(), Qt::LeftButton, keys, at);
  }
  void wheel(const QPoint& at, int delta, Qt::KeyboardModifiers keys = {}) {
    QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, QPoint(0, delta), Qt::NoButton,
                      keys, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(view.viewport(), &event);
  }

  GraphView view;
  QSignalSpy selected{&view, &GraphView::selectionChanged};
  QSignalSpy moved{&view, &GraphView::nodesMoved};
  QSignalSpy connected{&view, &GraphView::connectRequested};
  QSignalSpy deleted{&view, &GraphView::deleteRequested};
  QSignalSpy activated{&view, &GraphView::activated};
};

}  // namespace tenon::ui
