// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas: differences, selection, drags as one intent, wiring, keys, zoom, detail,
// accessibility, speed.
#include "tests/ui/graphview/graph_window.h"

using namespace tenon::ui;

class GraphViewTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void differences() {
    const GraphData before = diamond();
    QVERIFY(diff(before, before).isEmpty());
    GraphData after = before;
    after.nodes[0].title = "stem";
    after.nodes[1].position += QPointF(4, 0);
    after.nodes.removeLast();
    after.nodes.append(node("e", 0, 0));
    const GraphDiff changes = diff(before, after);
    QCOMPARE(changes.changedNodes, QStringList{"a"});
    QCOMPARE(changes.movedNodes, QStringList{"b"});
    QCOMPARE(changes.removedNodes, QStringList{"d"});
    QCOMPARE(changes.addedNodes, QStringList{"e"});
    QVERIFY(!changes.edgesChanged);
    after.edges[0].label = "N×10";
    QVERIFY(diff(before, after).edgesChanged);
    QVERIFY(before.edges[0].sameEnds(after.edges[0]));
    after.groups.append(GraphGroup{"g", "block"});
    QVERIFY(diff(before, after).groupsChanged);
    QVERIFY(!before.node("x"));
    QCOMPARE(before.node("c")->position, QPointF(120, 120));
    GraphData icons = before;
    icons.nodes[0].icon = QIcon(QPixmap(4, 4));
    QCOMPARE(diff(before, icons).changedNodes, QStringList{"a"});
    QVERIFY(diff(icons, GraphData(icons)).isEmpty());
  }

  void clickSelects() {
    Window w;
    w.click(w.at("b"));
    QCOMPARE(w.view.selectedNodes(), QStringList{"b"});
    QCOMPARE(w.view.currentNode(), "b");
    w.click(w.at("c"), Qt::ControlModifier);
    QCOMPARE(w.view.selectedNodes(), (QStringList{"b", "c"}));
    w.click(w.at("c"), Qt::ShiftModifier);
    QCOMPARE(w.view.selectedNodes(), QStringList{"b"});
    w.click(w.at("c"), Qt::ControlModifier);
    w.click(w.at("b"));
    QCOMPARE(w.view.selectedNodes(), QStringList{"b"});
    QCOMPARE(w.selected.size(), 5);
    w.click(QPoint(5, 5));
    QVERIFY(w.view.selectedNodes().isEmpty());
    QCOMPARE(w.moved.size(), 0);
    w.view.setSelectedNodes({"a", "nobody"});
    QCOMPARE(w.view.selectedNodes(), QStringList{"a"});
    QCOMPARE(w.selected.size(), 6);
  }

  void bandSelects() {
    Window w;
    w.drag(w.scene({-140, 100}), w.scene({260, 200}));
    QCOMPARE(w.view.selectedNodes(), (QStringList{"b", "c"}));
    w.drag(w.scene({-20, -20}), w.scene({200, 60}), Qt::LeftButton, Qt::ShiftModifier);
    QCOMPARE(w.view.selectedNodes(), (QStringList{"a", "b", "c"}));
  }

  void dragIsOneIntent() {
    Window w;
    w.view.setSelectedNodes({"b", "c"});
    const double zoom = w.view.zoom();
    w.drag(w.at("b"), w.at("b") + QPoint(40, 20));
    QCOMPARE(w.moved.size(), 1);
    const auto moves = w.moved[0][0].value<QList<NodeMove>>();
    QCOMPARE(moves.size(), 2);
    QCOMPARE(moves[0].id, "b");
    QCOMPARE(moves[0].before, QPointF(-120, 120));
    const QPointF way = moves[0].after - moves[0].before;
    QCOMPARE(moves[1].after - moves[1].before, way);
    QVERIFY(qAbs(way.x() - 40 / zoom) <= 3);
    QCOMPARE(std::fmod(way.x(), 4.0), 0.0);
    // The view changed no graph; what the owner says holds.
    QCOMPARE(w.view.graph(), diamond());
    QVERIFY(w.view.nodeArea("b").left() != w.scene({-120, 120}).x());
    w.view.setGraph(diamond());
    QCOMPARE(w.view.nodeArea("b").topLeft(), w.scene({-120, 120}));
    QCOMPARE(w.view.selectedNodes(), (QStringList{"b", "c"}));
  }

  void escapeCancelsADrag() {
    Window w;
    const QRect before = w.view.nodeArea("a");
    QTest::mousePress(w.view.viewport(), Qt::LeftButton, {}, w.at("a"));
    w.move(w.at("a") + QPoint(60, 60));
    QVERIFY(w.view.nodeArea("a") != before);
    QTest::keyClick(&w.view, Qt::Key_Escape);
    QCOMPARE(w.view.nodeArea("a"), before);
    QTest::mouseRelease(w.view.viewport(), Qt::LeftButton, {}, w.at("a"));
    QCOMPARE(w.moved.size(), 0);
  }

  void notEditableOnlyLooks() {
    Window w;
    w.view.setEditable(false);
    w.drag(w.at("a"), w.at("a") + QPoint(50, 50));
    w.drag(w.scene({90, 48}), w.scene({300, 300}));
    QTest::keyClick(&w.view, Qt::Key_Delete);
    QTest::mouseDClick(w.view.viewport(), Qt::LeftButton, {}, QPoint(5, 5));
    QCOMPARE(w.moved.size() + w.connected.size() + w.deleted.size(), 0);
    QTest::mouseDClick(w.view.viewport(), Qt::LeftButton, {}, w.at("a"));
    QCOMPARE(w.activated[0][0].toString(), "a");
  }

  void wiring() {
    Window w;
    const QPointF out = portPoint(nodeRect({0, 0}), Flow::TopDown, true, 0, 1);
    const QPointF in = portPoint(nodeRect({0, 240}), Flow::TopDown, false, 0, 1);
    QCOMPARE(out, QPointF(90, 48));
    w.drag(w.scene(out), w.scene(in) + QPoint(6, -6));
    QCOMPARE(w.connected.size(), 1);
    QCOMPARE(w.connected[0], (QVariantList{"a", 0, "d", 0}));
    // From the input side, onto the body of the node.
    w.drag(w.scene(in), w.scene({90, 30}));
    QCOMPARE(w.connected.size(), 2);
    QCOMPARE(w.connected[1], (QVariantList{"a", 0, "d", 0}));
    // Into the void: nothing.
    w.drag(w.scene(out), w.scene({300, 10}));
    QTest::mouseDClick(w.view.viewport(), Qt::LeftButton, {}, w.scene({300, 10}));
    QCOMPARE(w.connected.size(), 2);
    QCOMPARE(w.activated.size(), 0);
    // A click on a port selects its node.
    w.view.clearSelection();
    w.click(w.scene(out));
    QCOMPARE(w.view.selectedNodes(), QStringList{"a"});
    QCOMPARE(w.moved.size(), 0);
  }

  void wiresAreSelectedAndDeleted() {
    Window w;
    const QPointF middle = (QPointF(90, 48) + QPointF(-30, 120)) / 2;
    w.click(w.scene(middle));
    QCOMPARE(w.view.selectedEdges(), QList<GraphEdge>{diamond().edges[0]});
    QVERIFY(w.view.selectedNodes().isEmpty());
    QTest::keyClick(&w.view, Qt::Key_Delete);
    QCOMPARE(w.deleted.size(), 1);
    QCOMPARE(w.deleted[0][0].toStringList(), QStringList());
    QCOMPARE(w.deleted[0][1].value<QList<GraphEdge>>().size(), 1);
    GraphData next = diamond();
    next.edges[0].label = "N×128";
    w.view.setGraph(next);
    QCOMPARE(w.view.selectedEdges().value(0).label, "N×128");
    next.edges.removeFirst();
    w.view.setGraph(next);
    QVERIFY(w.view.selectedEdges().isEmpty());
  }

  void zoomStaysAtThePointer() {
    Window w;
    const QPoint at(250, 180);
    const QPointF fixed = w.view.mapToScene(at);
    const double before = w.view.zoom();
    for (int i = 0; i < 5; ++i) w.wheel(at, 120);
    QVERIFY(qAbs(w.view.zoom() - before * std::pow(1.2, 5)) < 1e-9);
    QVERIFY((w.view.mapToScene(at) - fixed).manhattanLength() < 2);
    QVERIFY(w.view.isMoving());
    QTRY_VERIFY(!w.view.isMoving());
    for (int i = 0; i < 80; ++i) w.wheel(at, -120);
    QCOMPARE(w.view.zoom(), canvas::kMinZoom);
    for (int i = 0; i < 80; ++i) w.wheel(at, 120);
    QCOMPARE(w.view.zoom(), canvas::kMaxZoom);
    w.view.setZoom(std::nan(""), QPointF(1, 1));
    QCOMPARE(w.view.zoom(), canvas::kMaxZoom);
    const QPointF corner = w.view.mapToScene(0, 0);
    w.wheel(at, -120, Qt::ControlModifier);  // the other way round: it scrolls
    QCOMPARE(w.view.zoom(), canvas::kMaxZoom);
    QVERIFY(w.view.mapToScene(0, 0).y() > corner.y());
    w.view.setWheelZooms(false);
    const QPointF origin = w.view.mapToScene(0, 0);
    w.wheel(at, -120);
    QCOMPARE(w.view.zoom(), canvas::kMaxZoom);
    QVERIFY(w.view.mapToScene(0, 0).y() > origin.y());
    w.wheel(at, -120, Qt::ControlModifier);
    QVERIFY(w.view.zoom() < canvas::kMaxZoom);
  }

  void panning() {
    Window w;
    const QPointF before = w.view.mapToScene(0, 0);
    w.drag(QPoint(400, 300), QPoint(460, 340), Qt::MiddleButton);
    const QPointF way = (before - w.view.mapToScene(0, 0)) * w.view.zoom();
    QVERIFY((way - QPointF(60, 40)).manhattanLength() < 2);
    QTest::keyPress(&w.view, Qt::Key_Space);
    w.drag(w.at("a"), w.at("a") + QPoint(-60, -40));
    QTest::keyRelease(&w.view, Qt::Key_Space);
    QVERIFY((w.view.mapToScene(0, 0) - before).manhattanLength() < 3);
    QCOMPARE(w.moved.size(), 0);
    QVERIFY(w.view.selectedNodes().isEmpty());
  }

  void fitsEmptyAndSingleGraphs() {
    Window w(GraphData{});
    QCOMPARE(w.view.zoom(), 1.0);
    QCOMPARE(w.view.find("a"), QStringList());
    QTest::keyClick(&w.view, Qt::Key_F);
    QTest::keyClick(&w.view, Qt::Key_Right);
    QVERIFY(w.view.toImage().isNull());
    w.view.setPlaceholder("Drop a layer here");
    (void)w.view.grab();
    GraphData one;
    one.nodes = {node("a", 5000, -4000)};
    w.view.setGraph(one);
    QTest::keyClick(&w.view, Qt::Key_F);
    QCOMPARE(w.view.zoom(), 1.0);
    QVERIFY((w.at("a") - w.view.viewport()->rect().center()).manhattanLength() <= 3);
    GraphData wide = diamond();
    wide.nodes[0].position = QPointF(-9000, 0);
    w.view.setGraph(wide);
    w.view.fitAll();
    QVERIFY(w.view.zoom() < 0.1);
    for (const char* id : {"a", "b", "c", "d"}) {
      QVERIFY(w.view.viewport()->rect().contains(w.view.nodeArea(id)));
    }
    w.view.fitNodes({"b", "c"});
    QCOMPARE(w.view.zoom(), 1.0);
  }

  void fitBeforeTheFirstShow() {
    GraphView view;
    view.setGraph(big(200));
    view.fitAll();
    view.resize(600, 400);
    view.show();
    QVERIFY(view.viewport()->rect().contains(view.nodeArea("0")));
    QVERIFY(view.viewport()->rect().contains(view.nodeArea("199")));
  }

  void tabWalksInTopologicalOrder() {
    QCOMPARE(topologicalOrder(diamond()), (QStringList{"a", "b", "c", "d"}));
    GraphData turned = diamond();
    std::reverse(turned.nodes.begin(), turned.nodes.end());
    QCOMPARE(topologicalOrder(turned), (QStringList{"a", "b", "c", "d"}));
    GraphData cycle = diamond();
    cycle.edges.append(edge("d", "a"));
    QCOMPARE(topologicalOrder(cycle).size(), 4);
    Window w;
    QStringList walked;
    for (int i = 0; i < 5; ++i) {
      QTest::keyClick(&w.view, Qt::Key_Tab);
      walked.append(w.view.currentNode());
    }
    QCOMPARE(walked, (QStringList{"a", "b", "c", "d", "a"}));
    QTest::keyClick(&w.view, Qt::Key_Backtab);
    QCOMPARE(w.view.currentNode(), "d");
    QCOMPARE(w.view.selectedNodes(), QStringList{"d"});
    QCOMPARE(w.selected.size(), 6);
    QTest::keyClick(&w.view, Qt::Key_Return);
    QCOMPARE(w.activated[0][0].toString(), "d");
    QTest::keyClick(&w.view, Qt::Key_Escape);
    QVERIFY(w.view.selectedNodes().isEmpty());
  }

  void ctrlTabLeaves() {
    QWidget window;
    auto* layout = new QVBoxLayout(&window);
    auto* view = new GraphView;
    auto* field = new QLineEdit;
    view->setGraph(diamond());
    layout->addWidget(view);
    layout->addWidget(field);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Tab);
    QVERIFY(view->hasFocus());
    QTest::keyClick(view, Qt::Key_Tab, Qt::ControlModifier);
    QVERIFY(field->hasFocus());
  }

  void arrowsGoToNeighbours() {
    Window w;
    w.view.setCurrentNode("a");
    QTest::keyClick(&w.view, Qt::Key_Down);
    QVERIFY(w.view.currentNode() == "b" || w.view.currentNode() == "c");
    w.view.setCurrentNode("b");
    QTest::keyClick(&w.view, Qt::Key_Right);
    QCOMPARE(w.view.currentNode(), "c");
    QTest::keyClick(&w.view, Qt::Key_Right);
    QCOMPARE(w.view.currentNode(), "c");
    QTest::keyClick(&w.view, Qt::Key_Down);
    QCOMPARE(w.view.currentNode(), "d");
    QTest::keyClick(&w.view, Qt::Key_Down);
    QCOMPARE(w.view.currentNode(), "d");
    QTest::keyClick(&w.view, Qt::Key_Left);
    QCOMPARE(w.view.currentNode(), "b");
  }

  void keysOfTheCanvas() {
    Window w;
    QSignalSpy find(&w.view, &GraphView::findRequested);
    QTest::keyClick(&w.view, Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(find.size(), 1);
    QTest::keyClick(&w.view, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(w.view.selectedNodes().size(), 4);
    QTest::keyClick(&w.view, Qt::Key_Delete);
    QCOMPARE(w.deleted[0][0].toStringList().size(), 4);
    QCOMPARE(w.view.graph().nodes.size(), 4);
    w.view.setEditable(false);
    QTest::keyClick(&w.view, Qt::Key_Delete);
    QCOMPARE(w.deleted.size(), 1);
    w.view.setEditable(true);
    QCOMPARE(w.view.find("CONV"), (QStringList{"a", "b", "c", "d"}));
    QCOMPARE(w.view.find("c"), (QStringList{"a", "b", "c", "d"}));
    QCOMPARE(w.view.find("zzz"), QStringList());
    QSignalSpy menu(&w.view, &GraphView::contextMenuRequested);
    QContextMenuEvent event(QContextMenuEvent::Mouse, w.at("b"), QPoint(1, 2));
    w.view.clearSelection();
    QCoreApplication::sendEvent(w.view.viewport(), &event);
    QCOMPARE(menu[0][0].toString(), "b");
    QCOMPARE(w.view.selectedNodes(), QStringList{"b"});
    const double before = w.view.zoom();
    QTest::keyClick(&w.view, Qt::Key_Minus);
    QVERIFY(w.view.zoom() < before);
  }

  void removedNodesLeaveTheSelection() {
    Window w;
    w.view.setCurrentNode("d");
    GraphData less = diamond();
    less.nodes.removeLast();
    w.view.setGraph(less);
    QVERIFY(w.view.selectedNodes().isEmpty());
    QCOMPARE(w.view.currentNode(), QString());
    QCOMPARE(w.selected.size(), 1);
    QVERIFY(w.view.nodeArea("d").isNull());
  }

  void detailFollowsTheZoom() {
    GraphData data;
    data.nodes = {node("a", 0, 0)};
    data.nodes[0].title = "conv1";
    Window w(data);
    const auto inks = [&](double zoom) {
      w.view.setZoom(zoom, QPointF(400, 300));
      w.view.centerOn(90, 24);
      w.view.setMinimapVisible(false);
      const QImage image = w.view.grab(w.view.nodeArea("a").adjusted(6, 4, -4, -4)).toImage();
      QSet<QRgb> colors;
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) colors.insert(image.pixel(x, y));
      }
      return colors.size();
    };
    QVERIFY(inks(1.0) > 10);
    QVERIFY(inks(0.5) > 5);
    QCOMPARE(inks(0.3), 1);
  }

  void wirePaths() {
    const QPainterPath straight = wirePath({0, 0}, {0, 100}, {}, Flow::TopDown, WireShape::Bezier);
    QCOMPARE(straight.length(), 100.0);
    const QPainterPath curve = wirePath({0, 0}, {80, 100}, {}, Flow::TopDown, WireShape::Bezier);
    QVERIFY(qAbs(curve.angleAtPercent(0) - 270) < 1);
    const QPainterPath steps =
        wirePath({0, 0}, {80, 100}, {}, Flow::TopDown, WireShape::Orthogonal);
    QCOMPARE(steps.elementCount(), 4);
    const QPainterPath sideways =
        wirePath({0, 0}, {100, 80}, {}, Flow::LeftToRight, WireShape::Bezier);
    const double angle = sideways.angleAtPercent(0);
    QVERIFY(angle < 1 || angle > 359);
    const QPainterPath bent =
        wirePath({0, 0}, {0, 300}, {{50, 100}, {50, 200}}, Flow::TopDown, WireShape::Bezier);
    QVERIFY(bent.contains(QPointF(50, 100)) || bent.boundingRect().right() >= 50);
    QCOMPARE(distanceTo(QPolygonF({QPointF(0, 0), QPointF(10, 0)}), QPointF(5, 3)), 3.0);
    QCOMPARE(distanceTo(QPolygonF({QPointF(0, 0), QPointF(10, 0)}), QPointF(13, 4)), 5.0);
  }

  void speaksToScreenReaders() {
    GraphData data = diamond();
    data.nodes[1].title = "conv1";
    data.nodes[1].problems = 1;
    data.nodes[1].state = NodeState::Error;
    data.nodes[2].problems = 3;
    data.nodes[3].state = NodeState::Running;
    QCOMPARE(spokenNode(data, data.nodes[1]), "conv1, Conv2d, output N×64×28×28, 1 error");
    QCOMPARE(spokenNode(data, data.nodes[2]), "c, Conv2d, output N×64×28×28, 3 errors");
    QVERIFY(spokenNode(data, data.nodes[3]).endsWith(QStringLiteral(", running")));
    QCOMPARE(spokenEdge(data, data.edges[0]), "a to conv1, N×64×28×28");
    Window w(data);
    QAccessibleInterface* canvas = QAccessible::queryAccessibleInterface(&w.view);
    QVERIFY(canvas);
    QCOMPARE(canvas->childCount(), 8);
    QAccessibleInterface* conv = canvas->child(1);
    QCOMPARE(conv->text(QAccessible::Name), "conv1, Conv2d, output N×64×28×28, 1 error");
    QCOMPARE(canvas->indexOfChild(conv), 1);
    QCOMPARE(conv->parent(), canvas);
    QCOMPARE(canvas->child(4)->text(QAccessible::Name), "a to conv1, N×64×28×28");
    QCOMPARE(conv->rect(), QRect(w.view.viewport()->mapToGlobal(w.view.nodeArea("b").topLeft()),
                                 w.view.nodeArea("b").size()));
    const QPoint middle = conv->rect().center();
    QCOMPARE(canvas->childAt(middle.x(), middle.y()), conv);
    QVERIFY(!conv->state().selected);
    conv->actionInterface()->doAction(QAccessibleActionInterface::setFocusAction());
    QVERIFY(conv->state().selected);
    QVERIFY(conv->state().focused);
    QCOMPARE(canvas->focusChild(), conv);
    conv->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(w.activated[0][0].toString(), "b");
    w.view.setGraph({});
    QCOMPARE(canvas->childCount(), 0);
    QVERIFY(!conv->isValid());
    QCOMPARE(conv->text(QAccessible::Name), QString());
  }

  void minimapGoesThere() {
    Window w(big(300));
    w.view.setZoom(1, QPointF(400, 300));
    auto* map = w.view.findChild<Minimap*>();
    QVERIFY(map->isVisible());
    QCOMPARE(map->size(), QSize(160, 100));
    (void)map->grab();
    QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(80, 8));
    const QPointF top = w.view.mapToScene(w.view.viewport()->rect().center());
    QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(80, 92));
    QVERIFY(w.view.mapToScene(w.view.viewport()->rect().center()).y() > top.y() + 5000);
    w.view.setMinimapVisible(false);
    QVERIFY(!map->isVisible());
    w.view.setGraph(big(301));
    QVERIFY(!map->isVisible());
  }

  void picture() {
    Window w;
    const QImage image = w.view.toImage(1.0);
    QCOMPARE(image.size(), QSize(420 + 48, 288 + 48));
    QCOMPARE(image.pixel(2, 2), w.view.graphStyle().ground.rgb());
  }

  void twoThousandNodesKeepUp_data() {
    QTest::addColumn<double>("zoom");
    QTest::newRow("fitted") << 0.0;
    QTest::newRow("names") << 0.5;
    QTest::newRow("full") << 1.0;
  }

  void twoThousandNodesKeepUp() {
    QFETCH(double, zoom);
    // A wide graph, so that the screen is full of nodes.
    GraphData data = big(2000);
    for (int i = 0; i < data.nodes.size(); ++i) {
      data.nodes[i].position = QPointF(i % 45 * 204.0, i / 45 * 96.0);
    }
    for (GraphEdge& e : data.edges) e.via.clear();
    Window w(data);
    w.view.resize(1280, 800);
    if (zoom > 0) w.view.setZoom(zoom, QPointF(640, 400));
    QImage frame(2560, 1600, QImage::Format_RGB32);
    frame.setDevicePixelRatio(2);
    // Time of this thread: other builds may share the machine.
    const std::clock_t begin = std::clock();
    const int frames = qEnvironmentVariableIntValue("TENON_FRAMES") + 10;
    for (int i = 0; i < frames; ++i) {
      w.wheel(QPoint(640, 400), i % 2 ? 12 : -12);
      w.view.viewport()->render(&frame);
    }
    const double ms = 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / frames;
    qInfo("a frame of 2560x1600 takes %.1f ms", ms);
    QVERIFY(ms < 1000);  // wanted: 16; generous for slow machines
    QElapsedTimer timer;
    timer.start();
    const QString id = w.view.nodeAt(QPoint(640, 400));
    w.drag(QPoint(640, 400), QPoint(700, 420));
    qInfo("ten drag steps of '%s' took %lld ms", qPrintable(id), timer.elapsed());
    QVERIFY(timer.elapsed() < 1000);
  }

  void tenThousandNodesAreTakenInPieces() {
    GraphData data = big(10'000);
    GraphView view;
    const auto setMs = [&] {
      const std::clock_t begin = std::clock();  // other builds may share the machine
      view.setGraph(data);
      return 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    };
    qInfo("10,000 nodes set in %.0f ms", setMs());
    data.nodes[5000].title = "changed";
    const double changed = setMs();
    qInfo("one changed in %.0f ms", changed);
    QVERIFY(changed < 200);
  }
};

QTEST_MAIN(GraphViewTest)
#include "graph_view_test.moc"
