// SPDX-License-Identifier: GPL-3.0-or-later
// Panels of Inspect between two recordings: while the next one is prepared, what is shown is still
// the one before, and what is clicked there must not be taken for a part of the next.
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "tests/ui/panels/inspect_recording.h"
#include "tests/ui/panels/inspect_session.h"
#include "ui/graphview/graph_view.h"
#include "ui/panels/memory_track/memory_stack.h"
#include "ui/panels/memory_track/memory_track_view.h"
#include "ui/panels/step_graph/step_graph_model.h"
#include "ui/panels/step_graph/step_graph_view.h"
#include "ui/session/recorded_step.h"
#include "ui/tracks/stack_track.h"
#include "ui/widgets/empty_state.h"

namespace tenon::ui {

using tenon::testing::handGraph;
using tenon::testing::handMemory;
using testing::InspectSession;
using testing::shown;
using testing::texts;
constexpr int kLong = InspectSession::kLong;

class InspectChangeTest final : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<InspectSession> s_;

  RecordedStep& step() { return RecordedStep::of(s_->context); }
  void add(const char* kind, qint64 number, const std::vector<std::byte>& bytes) {
    ArtifactInfo info;
    info.run = s_->trained;
    info.kind = kind;
    info.step = number;
    Store::open(s_->folder.path())->artifacts().add(info, bytes);
  }
  /// Selects a step and calls `seen` as soon as it is read, before any panel has prepared it.
  bool choose(qint64 number, const std::function<void()>& seen = {}) {
    bool ready = false;
    QObject guard;
    // The last to hear of it: the panels were made before.
    connect(&step(), &RecordedStep::changed, &guard, [&] {
      if (step().state() != RecordedStep::State::Ready || std::exchange(ready, true)) return;
      if (seen) seen();
    });
    s_->selection.setRecording({s_->trained, number});
    return QTest::qWaitFor([&] { return ready; }, kLong);
  }
  template <class Button>
  static Button* button(const QWidget& view, const char* text) {
    for (Button* each : view.findChildren<Button*>())
      if (each->text() == QLatin1String(text)) return each;
    return nullptr;
  }

 private Q_SLOTS:
  void init() {
    s_ = std::make_unique<InspectSession>();
    s_->record();
    QVERIFY(s_->open());
  }
  void cleanup() { s_.reset(); }

  void blocksOfAnotherStepHaveNoLines();
  void theTrackSpeaksOfTheStepItShows();
  void nodesOfTheStepBeforeSelectNothing();
  void whatIsCancelledIsTakenBack();
};

void InspectChangeTest::blocksOfAnotherStepHaveNoLines() {
  const auto hand = readStep(encode(handGraph()), encode(handMemory()));
  const auto count = static_cast<qint64>(hand->memory->blocks().size());
  QCOMPARE(count, 5);
  QVERIFY(!blockLines(*hand, count - 1).isEmpty());
  QVERIFY(blockLines(*hand, count).isEmpty());
  QVERIFY(blockLines(*hand, 5'000'000'000).isEmpty());
  QVERIFY(blockLines(*hand, -1).isEmpty());
  QVERIFY_EXCEPTION_THROWN((void)hand->memory->birth(static_cast<size_t>(count)),
                           std::out_of_range);
}

void InspectChangeTest::theTrackSpeaksOfTheStepItShows() {
  const auto track = shown<MemoryTrackView>(s_->context);
  auto* stack = track->findChild<StackTrack*>();
  QVERIFY(choose(1));
  QVERIFY(QTest::qWaitFor([&] { return stack->source() != nullptr; }, kLong));
  const auto first = stack->source();
  Q_EMIT stack->blockSelected(0);
  QCOMPARE(s_->selection.block(), step().data()->memory->blocks()[0].id);
  add("memory", 50, encode(handMemory()));
  bool asked = false;
  QVERIFY(choose(50, [&] {
    asked = stack->source() == first;
    Q_EMIT stack->blockSelected(0);
    Q_EMIT stack->timeClicked(1);
  }));
  QVERIFY(asked);
  QCOMPARE(s_->selection.block(), quint64(0));
  QVERIFY(step().isAtPeak());
  QVERIFY(QTest::qWaitFor([&] { return stack->source() != first; }, kLong));
  Q_EMIT stack->blockSelected(0);
  QCOMPARE(s_->selection.block(), quint64(1));
  Q_EMIT stack->timeClicked(1);
  QVERIFY(!step().isAtPeak());
}

void InspectChangeTest::nodesOfTheStepBeforeSelectNothing() {
  const auto graph = shown<StepGraphView>(s_->context);
  auto* canvas = graph->findChild<GraphView*>();
  const QString conv = QStringLiteral("forward/conv");
  const QString act = QStringLiteral("forward/act");
  const QString norm = QStringLiteral("forward/bn");  // of the first step alone
  QVERIFY(choose(1));
  QVERIFY(QTest::qWaitFor([&] { return canvas->graph().node(conv) != nullptr; }, kLong));
  QVERIFY(canvas->graph().node(norm));
  Q_EMIT canvas->selectionChanged({conv});
  QVERIFY(s_->selection.recordedNode() >= 0);
  s_->selection.setNodes({});
  add("graph", 50, encode(handGraph()));
  bool asked = false;
  QVERIFY(choose(50, [&] {
    asked = canvas->graph().node(norm) != nullptr;
    Q_EMIT canvas->selectionChanged({conv});
    button<QPushButton>(*graph, "Cancel")->click();
  }));
  QVERIFY(asked);
  QCOMPARE(s_->selection.recordedNode(), -1);
  QVERIFY(texts(*graph).contains(QStringLiteral("The graph is not arranged")));
  QVERIFY(canvas->graph().nodes.isEmpty());
  graph->findChild<EmptyState*>()->button()->click();
  QVERIFY(QTest::qWaitFor([&] { return canvas->graph().node(act) != nullptr; }, kLong));
  QVERIFY(!canvas->graph().node(norm));
  QVERIFY(!texts(*graph).contains(QStringLiteral("The graph is not arranged")));
  Q_EMIT canvas->selectionChanged({act});
  QCOMPARE(s_->selection.recordedNode(), 1);
}

void InspectChangeTest::whatIsCancelledIsTakenBack() {
  const auto graph = shown<StepGraphView>(s_->context);
  auto* canvas = graph->findChild<GraphView*>();
  QVERIFY(choose(1));
  QVERIFY(QTest::qWaitFor([&] { return !canvas->graph().nodes.isEmpty(); }, kLong));
  const qsizetype before = canvas->graph().nodes.size();
  auto* cancel = button<QPushButton>(*graph, "Cancel");
  auto* all = button<QToolButton>(*graph, "All");
  auto* forward = button<QToolButton>(*graph, "Forward");
  auto* optimizer = button<QCheckBox>(*graph, "Optimizer");
  forward->click();
  QVERIFY(forward->isChecked() && !all->isChecked());
  cancel->click();
  QVERIFY(all->isChecked() && !forward->isChecked());
  optimizer->click();
  cancel->click();
  QVERIFY(!optimizer->isChecked());
  QTest::qWait(100);
  QCOMPARE(canvas->graph().nodes.size(), before);  // nothing is arranged any more
  forward->click();                                // and the choice can be made again
  QVERIFY(QTest::qWaitFor([&] { return canvas->graph().nodes.size() < before; }, kLong));
  QVERIFY(forward->isChecked());
}

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::InspectChangeTest)
#include "inspect_change_test.moc"
