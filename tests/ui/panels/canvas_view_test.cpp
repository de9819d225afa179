// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas over a project: what a person does there becomes edits with undo, finding, leaving by
// key, the wheel's setting, pictures.
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QSvgRenderer>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "tests/ui/panels/inspect_session.h"
#include "ui/graphview/graph_view.h"
#include "ui/panels/canvas/canvas_view.h"
#include "ui/session/document_edits.h"
#include "ui/widgets/section.h"

namespace tenon::ui {

using testing::InspectSession;
constexpr int kLong = InspectSession::kLong;

namespace {

/// The toy project on a canvas in a window, with a field before and one after it.
struct Stage {
  InspectSession session;
  QWidget window;
  QLineEdit* before = new QLineEdit;
  CanvasView* canvas = new CanvasView(session.context);
  QLineEdit* after = new QLineEdit;
  GraphView* view = canvas->findChild<GraphView*>();
  SearchField* find = canvas->findChild<SearchField*>();

  Stage() {
    auto* column = new QVBoxLayout(&window);
    column->addWidget(before);
    column->addWidget(canvas, 1);
    column->addWidget(after);
    window.resize(1000, 700);
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
  }
  /// Opens the project; true when its graph is on the canvas and arranged.
  bool open() {
    tenon::testing::writeToyProject(session.folder.path());
    session.document.open(QString::fromStdString(session.folder.path()));
    return settle() && view->graph().nodes.size() == 9;
  }
  bool settle() {
    return QTest::qWaitFor(
        [this] {
          const auto& spec = *session.document.spec().graph;
          return session.check.isCurrent() && view->isVisible() &&
                 size_t(view->graph().nodes.size()) == spec.nodes.size() && !view->isMoving();
        },
        kLong);
  }
  const GraphSpec& graph() { return *session.document.spec().graph; }
  int edits() { return session.document.undoStack().count(); }
  void wheel(int delta) {
    const QPoint at = view->viewport()->rect().center();
    QWheelEvent event(at, view->viewport()->mapToGlobal(at), {}, QPoint(0, delta), Qt::NoButton, {},
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(view->viewport(), &event);
  }
};

}  // namespace

class CanvasViewTest final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void showsTheCheckedProject();
  void aDragIsOneStepOfUndo();
  void deleteRemovesAndUndoBringsBack();
  void wiresBecomeEdits();
  void theVoidDoesNothing();
  void findsLayers();
  void keysLeaveTheCanvas();
  void theWheelFollowsItsSetting();
  void savesPictures();
  void wiresOfAnUnknownLayerAreShown();
  void layersOfALiveRunAreMarked();
};

/// As long as the run computes, and only as it trains them.
void CanvasViewTest::layersOfALiveRunAreMarked() {
  Stage s;
  setenv("TENON_CACHE", s.session.folder.path("cache").c_str(), 1);
  tenon::testing::writeToyProject(s.session.folder.path(), "\"epochs\": 100000, ");
  s.session.document.open(QString::fromStdString(s.session.folder.path()));
  QVERIFY(s.settle());
  const auto running = [&s] {
    QStringList ids;
    for (const GraphNode& node : s.view->graph().nodes)
      if (node.state == NodeState::Running) ids.append(node.id);
    return ids;
  };
  QVERIFY(running().isEmpty());
  RunController& run = s.session.run;
  run.start();
  QVERIFY(running().isEmpty());  // being prepared
  QTRY_COMPARE_WITH_TIMEOUT(running().size(), 9, kLong);
  run.pause();
  QTRY_COMPARE_WITH_TIMEOUT(running().size(), 0, kLong);
  QCOMPARE(run.state(), RunState::Paused);
  run.resume();
  QTRY_COMPARE_WITH_TIMEOUT(running().size(), 9, kLong);
  edits::setNodeParam(s.session.document, QStringLiteral("drop"), QStringLiteral("p"), 0.5);
  QTRY_COMPARE_WITH_TIMEOUT(running().size(), 8, kLong);
  QVERIFY(!running().contains(QStringLiteral("drop")));
  run.stop();
  QTRY_VERIFY_WITH_TIMEOUT(!run.isLive(), kLong);
  QTRY_COMPARE(running().size(), 0);
}

void CanvasViewTest::wiresOfAnUnknownLayerAreShown() {
  Stage s;
  QVERIFY(s.open());
  GraphSpec changed = s.graph();
  for (std::shared_ptr<const NodeSpec>& node : changed.nodes) {
    if (node->id != "act") continue;
    NodeSpec unknown = *node;
    unknown.type = "nonsense";
    node = std::make_shared<const NodeSpec>(std::move(unknown));
  }
  Edit edit{QStringLiteral("x"), s.session.document.spec(), {}, {}};
  edit.after.graph = std::make_shared<const GraphSpec>(std::move(changed));
  s.session.document.apply(edit);
  QVERIFY(QTest::qWaitFor(
      [&] { return s.session.check.isCurrent() && s.session.check.errorCount() > 0; }, kLong));
  QTRY_COMPARE(s.view->graph().edges.size(), 8);
  QSet<QString> ends;
  for (const GraphEdge& edge : s.view->graph().edges) ends << edge.from + u'>' << u'>' + edge.to;
  QVERIFY(ends.contains(QStringLiteral("act>")) && ends.contains(QStringLiteral(">act")));
}

void CanvasViewTest::showsTheCheckedProject() {
  Stage s;
  QVERIFY(!s.view->isVisible());  // an empty state instead
  QVERIFY(s.open());
  QCOMPARE(s.view->graph().edges.size(), 8);
  const QStringList wanted{QStringLiteral("conv")};
  s.session.selection.setNodes(wanted);
  QCOMPARE(s.view->selectedNodes(), wanted);
  QTest::mouseClick(s.view->viewport(), Qt::LeftButton, {},
                    s.view->nodeArea(QStringLiteral("fc")).center());
  QCOMPARE(s.session.selection.nodes(), QStringList{QStringLiteral("fc")});
}

void CanvasViewTest::aDragIsOneStepOfUndo() {
  Stage s;
  QVERIFY(s.open());
  QVERIFY(s.session.document.spec().layout->positions.empty());
  const QPoint from = s.view->nodeArea(QStringLiteral("act")).center();
  QTest::mousePress(s.view->viewport(), Qt::LeftButton, {}, from);
  for (int step = 1; step <= 8; ++step) {
    const QPoint at = from + QPoint(5 * step, 3 * step);
    QMouseEvent move(QEvent::MouseMove, at, s.view->viewport()->mapToGlobal(at), Qt::NoButton,
                     Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(s.view->viewport(), &move);
  }
  QTest::mouseRelease(s.view->viewport(), Qt::LeftButton, {}, from + QPoint(40, 24));
  QCOMPARE(s.edits(), 1);
  QCOMPARE(s.session.document.spec().layout->positions.size(), size_t{9});
  s.session.document.undo();
  QVERIFY(s.session.document.spec().layout->positions.empty());
}

void CanvasViewTest::deleteRemovesAndUndoBringsBack() {
  Stage s;
  QVERIFY(s.open());
  s.session.selection.setNodes({QStringLiteral("drop")});
  s.view->setFocus();
  QTest::keyClick(s.view, Qt::Key_Delete);
  QCOMPARE(s.graph().nodes.size(), size_t{8});
  QVERIFY(!s.graph().find("drop"));
  QCOMPARE(s.graph().edges.size(), size_t{6});
  QVERIFY(s.settle());
  s.session.document.undo();
  QVERIFY(s.graph().find("drop"));
  QCOMPARE(s.graph().edges.size(), size_t{8});
}

void CanvasViewTest::wiresBecomeEdits() {
  Stage s;
  QVERIFY(s.open());
  // What went into the input before is replaced.
  Q_EMIT s.view->connectRequested(QStringLiteral("conv"), 0, QStringLiteral("act"), 0);
  QCOMPARE(s.graph().edges.size(), size_t{8});
  int found = 0;
  for (const EdgeSpec& edge : s.graph().edges) {
    if (edge.to != "act") continue;
    QCOMPARE(edge.from, std::string("conv"));
    ++found;
  }
  QCOMPARE(found, 1);
  QCOMPARE(s.edits(), 1);
}

void CanvasViewTest::theVoidDoesNothing() {
  Stage s;
  QVERIFY(s.open());
  const auto graph = s.session.document.spec().graph;
  QTest::mouseDClick(s.view->viewport(), Qt::LeftButton, {}, QPoint(4, 4));
  QCOMPARE(s.edits(), 0);
  QVERIFY(s.session.document.spec().graph == graph);
  QCOMPARE(s.session.prompts.errors, QStringList());
}

void CanvasViewTest::findsLayers() {
  Stage s;
  QVERIFY(s.open());
  s.view->setFocus();
  QTest::keyClick(s.view, Qt::Key_F, Qt::ControlModifier);
  QVERIFY(s.find->hasFocus());
  QTest::keyClicks(s.find, QStringLiteral("2d"));  // conv2d, batch_norm2d, max_pool2d
  const QStringList found = s.view->find(QStringLiteral("2d"));
  QCOMPARE(found.size(), 3);
  QStringList walked;
  for (int i = 0; i < 4; ++i) {
    QTest::keyClick(s.find, Qt::Key_Return);
    walked.append(s.session.selection.currentNode());
    QVERIFY(s.find->hasFocus());
  }
  QCOMPARE(walked, QStringList({found[0], found[1], found[2], found[0]}));
  s.find->setText(QStringLiteral("nothing is called so"));
  QTest::keyClick(s.find, Qt::Key_Return);
  QCOMPARE(s.session.selection.currentNode(), found[0]);
}

void CanvasViewTest::keysLeaveTheCanvas() {
  Stage s;
  QVERIFY(s.open());
  for (const auto& [key, keys] :
       {std::pair{Qt::Key_F6, Qt::KeyboardModifiers()},
        std::pair{Qt::Key_F6, Qt::KeyboardModifiers(Qt::ShiftModifier)},
        std::pair{Qt::Key_Tab, Qt::KeyboardModifiers(Qt::ControlModifier)}}) {
    s.view->setFocus();
    const QString current = s.view->currentNode();
    QTest::keyClick(s.view, key, keys);
    QWidget* focus = QApplication::focusWidget();
    QVERIFY(focus && focus != s.view && !s.view->isAncestorOf(focus));
    QCOMPARE(s.view->currentNode(), current);
  }
}

void CanvasViewTest::theWheelFollowsItsSetting() {
  Stage s;
  QVERIFY(s.open());
  s.view->setZoom(1, QPointF(s.view->viewport()->rect().center()));
  s.wheel(120);
  QVERIFY(s.view->zoom() > 1.1);
  const double zoom = s.view->zoom();
  s.session.settings.set(QLatin1String(setting::kWheelZooms), false);
  s.wheel(120);
  QCOMPARE(s.view->zoom(), zoom);
  s.session.settings.set(QLatin1String(setting::kWheelZooms), true);
  s.wheel(-120);
  QVERIFY(s.view->zoom() < zoom);
}

void CanvasViewTest::savesPictures() {
  Stage s;
  QVERIFY(s.open());
  QAction* save = nullptr;
  for (QAction* action : s.canvas->findChildren<QAction*>())
    if (action->text().contains(QLatin1String("picture"))) save = action;
  QVERIFY(save);
  const QString path = QString::fromStdString(s.session.folder.path("model.svg"));
  s.session.prompts.answer = path;
  save->trigger();
  QCOMPARE(s.session.prompts.asked.name, QStringLiteral("Toy.svg"));
  QCOMPARE(s.session.prompts.errors, QStringList());
  QCOMPARE(s.session.prompts.notices.size(), 1);
  QVERIFY(QSvgRenderer(path).isValid());
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll().contains("conv"));  // texts stay texts

  s.session.prompts.answer = QString::fromStdString(s.session.folder.path("no/such/folder/m.pdf"));
  save->trigger();
  QCOMPARE(s.session.prompts.errors.size(), 1);
  QVERIFY(s.session.prompts.errors[0].contains(s.session.prompts.answer));
  QCOMPARE(s.session.prompts.notices.size(), 1);
}

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::CanvasViewTest)
#include "canvas_view_test.moc"
