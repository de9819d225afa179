// SPDX-License-Identifier: GPL-3.0-or-later
// Inspect over a really recorded step: counts, links, one selection in all panels, and what the
// panels say when a recording is damaged or gone.
#include <QLabel>
#include <QListView>
#include <QProgressBar>
#include <QTest>
#include <QToolButton>
#include <set>

#include "tests/ui/panels/inspect_session.h"
#include "ui/graphview/graph_view.h"
#include "ui/panels/block_list/block_list_model.h"
#include "ui/panels/block_list/block_list_view.h"
#include "ui/panels/memory_track/memory_stack.h"
#include "ui/panels/memory_track/memory_track_view.h"
#include "ui/panels/node_details/node_details_view.h"
#include "ui/panels/recordings/recordings_view.h"
#include "ui/panels/step_graph/step_graph_model.h"
#include "ui/panels/step_graph/step_graph_view.h"
#include "ui/session/recorded_step.h"
#include "ui/tracks/stack_track.h"
#include "ui/widgets/format.h"
#include "ui/widgets/section.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {

using testing::InspectSession;
using testing::shown;
using testing::texts;
constexpr int kLong = InspectSession::kLong;

class InspectSessionTest final : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<InspectSession> s_;

  RecordedStep& step() { return RecordedStep::of(s_->context); }
  bool load(const RecordingKey& key) {
    s_->selection.setRecording(key);
    return QTest::qWaitFor(
        [this] {
          return step().state() == RecordedStep::State::Ready ||
                 step().state() == RecordedStep::State::Absent;
        },
        kLong);
  }
  bool loadRecorded() { return load({s_->trained, 1}); }
  bool isSelected(qint64 number) {
    return s_->selection.recording() == RecordingKey{s_->trained, number};
  }
  /// The memory of the first step once more, as that of another one.
  void addMemory(qint64 number) {
    const auto store = Store::open(s_->folder.path());
    ArtifactInfo info;
    info.run = s_->trained;
    info.kind = "memory";
    info.step = number;
    store->artifacts().add(
        info, store->artifacts().read(store->artifacts().list(s_->trained, "memory").front().id));
    Q_EMIT s_->runs.artifactsChanged(s_->trained, QStringLiteral("memory"));
  }
  int firstNode(const char* layer, RecordedKind kind) {
    for (const RecordedNode& node : step().data()->graph->nodes)
      if (node.layer == layer && node.kind == kind) return node.id;
    return -1;
  }
  std::string layerOfSelectedNode() {
    const RecordedNode* node = step().node();
    return node ? node->layer : std::string();
  }

 private Q_SLOTS:
  void init() {
    s_ = std::make_unique<InspectSession>();
    s_->record();
    QVERIFY(s_->open());
  }
  void cleanup() { s_.reset(); }

  void realStepIsCounted();
  void realMemoryAddsUp();
  void everyRequestHasItsNode();
  void newestRecordingIsSelected();
  void aLostRecordingIsNotAwaited();
  void recordingsAreReadWhileVisible();
  void nodeBlockAndLayerGoTogether();
  void layerOfTheCanvasIsFollowed();
  void oneClickDrivesAllPanels();
  void clicksLeadToTheCanvas();
  void instantIsListed();
  void followsWhatIsStoredLater();
  void damagedAndMissingAreSaid();
};

void InspectSessionTest::realStepIsCounted() {
  QVERIFY(loadRecorded());
  const StepData& data = *step().data();
  QVERIFY(data.graph && data.memory);
  std::set<std::pair<std::string, int>> groups;
  for (const RecordedNode& node : data.graph->nodes) {
    if (node.kind == RecordedKind::Optimizer) continue;
    const int pass = node.kind != RecordedKind::Forward ? 2 : node.phase == "loss" ? 1 : 0;
    groups.insert({node.layer, pass});
  }
  const StepGraph collapsed = stepGraph(data, {});
  QCOMPARE(collapsed.data.nodes.size(), static_cast<qsizetype>(groups.size()));
  QVERIFY(collapsed.data.nodes.size() < static_cast<qsizetype>(data.graph->nodes.size()));
  StepGraphWish all;
  all.expandAll = true;
  all.optimizer = true;
  const StepGraph expanded = stepGraph(data, all);
  QCOMPARE(expanded.data.nodes.size(), static_cast<qsizetype>(data.graph->nodes.size()));
  QVERIFY(expanded.data.edges.size() > static_cast<qsizetype>(data.graph->edges.size()));
  for (const RecordedNode& node : data.graph->nodes)
    QCOMPARE(expanded.members.value(expanded.shownAs[node.id]), QList<int>{node.id});
}

void InspectSessionTest::realMemoryAddsUp() {
  QVERIFY(loadRecorded());
  const StepMemory& memory = *step().data()->memory;
  const auto replay = memory::replayCategories(memory.recording().trace);
  qint64 peak = 0;
  for (size_t i = 0; i <= memory.ticks().size(); ++i) {
    const StepMemory::Sums sums = memory.sumsAt(i == 0 ? 0 : memory.ticks()[i - 1]);
    qint64 mine = 0;
    qint64 theirs = 0;
    for (size_t c = 0; c < sums.size(); ++c) {
      mine += sums[c];
      theirs += static_cast<qint64>(replay[i][c]);
    }
    QCOMPARE(mine, theirs);
    peak = std::max(peak, mine);
  }
  QCOMPARE(peak, static_cast<qint64>(memory.recording().peakBytes));  // the allocator's own
  QCOMPARE(memory.peakBytes(), peak);
  QCOMPARE(memoryStack(memory)->peakBytes(), peak);
  QVERIFY(memoryDoubt(memory).isEmpty());
  QVERIFY(memory.ticks().front() > 0);
  QVERIFY(memory.end() <= step().data()->graph->durationNs + 1'000'000'000);
}

void InspectSessionTest::everyRequestHasItsNode() {
  QVERIFY(loadRecorded());
  const StepData& data = *step().data();
  int linked = 0;
  for (size_t i = 0; i < data.memory->blocks().size(); ++i) {
    const int node = data.links.nodeOf(static_cast<int>(i));
    if (!data.memory->blocks()[i].made || data.memory->op(i).isEmpty()) continue;
    // No operator asks for the next batch, nor for the gradient that backward begins with.
    const QString op = data.memory->op(i);
    if (node < 0 && (op == QLatin1String("batch") || op == QLatin1String("backward"))) continue;
    QVERIFY2(node >= 0, qPrintable(data.memory->layer(i) + u' ' + data.memory->op(i)));
    QCOMPARE(QString::fromStdString(data.graph->nodes[static_cast<size_t>(node)].layer),
             data.memory->layer(i));
    ++linked;
  }
  QVERIFY(linked > 10);
}

void InspectSessionTest::newestRecordingIsSelected() {
  const auto view = shown<RecordingsView>(s_->context);
  QVERIFY(QTest::qWaitFor(
      [this] {
        return s_->selection.recording() == RecordingKey{s_->trained, 1};
      },
      kLong));
  const auto* list = view->findChild<QListView*>();
  QVERIFY(QTest::qWaitFor([&] { return list->currentIndex().row() == 0; }, kLong));
  // Another one arrives that nobody here asked for: who reads an older one goes on reading.
  addMemory(2);
  QVERIFY(QTest::qWaitFor([&] { return list->model()->rowCount() == 2; }, kLong));
  QCOMPARE(s_->selection.recording(), (RecordingKey{s_->trained, 1}));
  QCOMPARE(list->currentIndex().row(), 1);
  list->selectionModel()->setCurrentIndex(list->model()->index(0, 0),
                                          QItemSelectionModel::ClearAndSelect);
  QCOMPARE(s_->selection.recording(), (RecordingKey{s_->trained, 2}));
  s_->selection.setRecording({});  // nothing is read: the newest is shown
  addMemory(3);
  QVERIFY(QTest::qWaitFor([this] { return isSelected(3); }, kLong));
  s_->selection.setRecording({s_->trained, 1});
  s_->run.start();
  Q_EMIT s_->run.recordingDueChanged(true);
  addMemory(4);
  Q_EMIT s_->run.artifactStored(s_->trained, QStringLiteral("memory"), 0);
  QVERIFY(QTest::qWaitFor([this] { return isSelected(4); }, kLong));
  s_->run.stop();
}

void InspectSessionTest::aLostRecordingIsNotAwaited() {
  const auto list = shown<RecordingsView>(s_->context);
  const auto graph = shown<StepGraphView>(s_->context);
  const auto* busy = list->findChild<QProgressBar*>();
  s_->run.start();
  Q_EMIT s_->run.recordingDueChanged(true);
  QVERIFY(busy->isVisible());
  Q_EMIT s_->run.artifactLost(s_->trained, QStringLiteral("predictions"), QStringLiteral("full"));
  QVERIFY(busy->isVisible());
  Q_EMIT s_->run.artifactLost(s_->trained, QStringLiteral("graph"), QStringLiteral("full"));
  QVERIFY(!busy->isVisible());
  s_->run.stop();
}

void InspectSessionTest::recordingsAreReadWhileVisible() {
  const auto view = shown<RecordingsView>(s_->context);
  const auto* list = view->findChild<QListView*>();
  QVERIFY(QTest::qWaitFor([&] { return list->model()->rowCount() == 1; }, kLong));
  view->hide();
  addMemory(2);
  Q_EMIT s_->runs.runsChanged();
  QTest::qWait(300);
  QCOMPARE(list->model()->rowCount(), 1);
  view->show();
  QVERIFY(QTest::qWaitFor([&] { return list->model()->rowCount() == 2; }, kLong));
}

void InspectSessionTest::nodeBlockAndLayerGoTogether() {
  QVERIFY(loadRecorded());
  QSignalSpy nodes(&s_->selection, &Selection::recordedNodeChanged);
  QSignalSpy blocks(&s_->selection, &Selection::blockChanged);
  QSignalSpy layers(&s_->selection, &Selection::nodesChanged);
  const int conv = firstNode("conv", RecordedKind::Forward);
  QVERIFY(conv >= 0);
  step().selectNode(conv);
  QCOMPARE(s_->selection.nodes(), QStringList{QStringLiteral("conv")});
  QVERIFY(step().block() >= 0);
  QCOMPARE(step().data()->links.nodeOf(step().block()), conv);
  QCOMPARE(nodes.count() + blocks.count() + layers.count(), 3);  // no echo
  // A gradient's block leads to the backward node.
  const int back = firstNode("conv", RecordedKind::Backward);
  const std::vector<int> made = step().data()->links.blocksOf(back);
  QVERIFY(!made.empty());
  const quint64 gradient = step().data()->memory->blocks()[static_cast<size_t>(made[0])].id;
  step().selectBlock(gradient);
  QCOMPARE(s_->selection.recordedNode(), back);
  QCOMPARE(s_->selection.block(), gradient);
  QCOMPARE(s_->selection.nodes(), QStringList{QStringLiteral("conv")});
  QCOMPARE(nodes.count(), 2);
  QCOMPARE(blocks.count(), 2);
  QCOMPARE(layers.count(), 1);
  step().selectBlock(0);
  QCOMPARE(s_->selection.recordedNode(), back);  // only the block was let go
  step().selectNode(-1);
  QVERIFY(s_->selection.nodes().isEmpty());
  QCOMPARE(step().block(), -1);
  step().selectNode(100000);
  QCOMPARE(s_->selection.recordedNode(), -1);
}

void InspectSessionTest::layerOfTheCanvasIsFollowed() {
  s_->selection.setNodes({QStringLiteral("conv")});
  QVERIFY(loadRecorded());
  QCOMPARE(layerOfSelectedNode(), "conv");  // chosen before the recording was opened
  QVERIFY(step().block() >= 0);
  s_->selection.setNodes({QStringLiteral("no such layer")});
  QCOMPARE(s_->selection.recordedNode(), -1);
  s_->selection.setNodes({QStringLiteral("conv")});
  const int first = s_->selection.recordedNode();
  QCOMPARE(first, firstNode("conv", RecordedKind::Forward));
  step().selectNode(firstNode("conv", RecordedKind::Backward));
  s_->selection.setNodes({QStringLiteral("conv")});  // it is there already: the node stays
  QVERIFY(s_->selection.recordedNode() != first);
}

void InspectSessionTest::oneClickDrivesAllPanels() {
  const auto graph = shown<StepGraphView>(s_->context);
  const auto track = shown<MemoryTrackView>(s_->context);
  const auto list = shown<BlockListView>(s_->context);
  const auto details = shown<NodeDetailsView>(s_->context);
  QVERIFY(loadRecorded());
  auto* canvas = graph->findChild<GraphView*>();
  const QString conv = QStringLiteral("forward/conv");
  QVERIFY(QTest::qWaitFor([&] { return canvas->graph().node(conv) != nullptr; }, kLong));
  auto* stack = track->findChild<StackTrack*>();
  QVERIFY(QTest::qWaitFor([&] { return stack->source() != nullptr; }, kLong));
  canvas->showNode(conv);
  QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, canvas->nodeArea(conv).center());
  QCOMPARE(s_->selection.nodes(), QStringList{QStringLiteral("conv")});
  QCOMPARE(s_->selection.recordedNode(), firstNode("conv", RecordedKind::Forward));
  QCOMPARE(stack->selected(), qint64{step().block()});
  QVERIFY(stack->selected() >= 0);
  auto* table = list->findChild<TableView*>();
  const auto* model = qobject_cast<BlockListModel*>(table->sourceModel());
  const int row = model->rowOf(s_->selection.block());
  QCOMPARE(table->currentSourceIndex().row(), row);
  QVERIFY(details->findChild<TreeView*>()->model()->rowCount() >= 3);

  // And from the table back to graph and track.
  const int other = row == 0 ? 1 : 0;
  table->setCurrentSourceRow(other);
  QCOMPARE(s_->selection.block(), model->blockAt(other));
  QCOMPARE(stack->selected(), qint64{step().block()});
  const StepGraph expected = stepGraph(*step().data(), {});
  const QString node = expected.shownAs.value(s_->selection.recordedNode());
  QCOMPARE(canvas->selectedNodes(), node.isEmpty() ? QStringList() : QStringList{node});

  // A layer that is opened shows its operations; the selection stays.
  const QString back = QStringLiteral("backward/conv");
  step().selectNode(firstNode("conv", RecordedKind::Backward));
  QCOMPARE(canvas->selectedNodes(), QStringList{back});
  Q_EMIT canvas->activated(back);
  QVERIFY(QTest::qWaitFor([&] { return canvas->graph().node(back) == nullptr; }, kLong));
  QCOMPARE(canvas->selectedNodes(),
           QStringList{u'#' + QString::number(s_->selection.recordedNode())});
}

/// From the graph with Ctrl, by mouse and by key, and from the details with one click.
void InspectSessionTest::clicksLeadToTheCanvas() {
  const auto graph = shown<StepGraphView>(s_->context);
  const auto details = shown<NodeDetailsView>(s_->context);
  QVERIFY(loadRecorded());
  auto* canvas = graph->findChild<GraphView*>();
  const QString conv = QStringLiteral("forward/conv");
  QVERIFY(QTest::qWaitFor([&] { return canvas->graph().node(conv) != nullptr; }, kLong));
  Destination inspect;
  inspect.mode = Mode::Inspect;
  const auto leadsToConv = [&] {
    const Destination at = s_->navigation.current();
    s_->navigation.go(inspect);
    return at.mode == Mode::Model && at.panel == QLatin1String("canvas") &&
           at.node == QLatin1String("conv");
  };
  s_->navigation.go(inspect);
  canvas->showNode(conv);
  const QPoint place = canvas->nodeArea(conv).center();
  QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, place);
  QCOMPARE(s_->navigation.current().mode, Mode::Inspect);  // a plain click looks
  QTest::mouseClick(canvas->viewport(), Qt::LeftButton, Qt::ControlModifier, place);
  QVERIFY(leadsToConv());
  QCOMPARE(canvas->selectedNodes(), QStringList{conv});
  QTest::keyClick(canvas, Qt::Key_Return, Qt::ControlModifier);
  QVERIFY(leadsToConv());
  QVERIFY2(canvas->graph().node(conv)->tip.contains(
               QStringLiteral("Ctrl+click shows conv on the canvas")),
           qPrintable(canvas->graph().node(conv)->tip));
  QToolButton* link = nullptr;
  for (QToolButton* button : details->findChildren<QToolButton*>())
    if (button->isVisible() && button->text() == QStringLiteral("Show on canvas")) link = button;
  QVERIFY(link);
  QVERIFY2(link->toolTip().contains(QStringLiteral("conv")), qPrintable(link->toolTip()));
  QTest::mouseClick(link, Qt::LeftButton);
  QVERIFY(leadsToConv());
}

void InspectSessionTest::instantIsListed() {
  const auto list = shown<BlockListView>(s_->context);
  QVERIFY(loadRecorded());
  auto* table = list->findChild<TableView*>();
  const auto* model = qobject_cast<BlockListModel*>(table->sourceModel());
  const StepMemory& memory = *step().data()->memory;
  QVERIFY(step().isAtPeak());
  QCOMPARE(model->totalBytes(), static_cast<qint64>(memory.recording().peakBytes));
  step().setInstant(memory.end());
  QVERIFY(!step().isAtPeak());
  QCOMPARE(model->rowCount(), static_cast<int>(memory.liveAt(memory.end()).size()));
  QVERIFY(model->totalBytes() < memory.peakBytes());
  step().setInstantToPeak();
  QCOMPARE(model->totalBytes(), memory.peakBytes());

  Q_EMIT list->findChild<SearchField*>()->searchChanged(QStringLiteral("conv"));
  QVERIFY(table->shownRows() > 0 && table->shownRows() < model->rowCount());
  qint64 sum = 0;
  for (int row = 0; row < table->shownRows(); ++row) {
    const auto id = table->model()->index(row, 0).data(BlockListModel::kBlockRole).toULongLong();
    sum += memory.blocks()[static_cast<size_t>(memory.find(id))].bytes;
  }
  QVERIFY(texts(*list).contains(
      QStringLiteral("%1 of %2").arg(formatBytes(sum), formatBytes(memory.peakBytes()))));
}

void InspectSessionTest::followsWhatIsStoredLater() {
  const auto store = Store::open(s_->folder.path());
  const auto add = [&](const char* kind) {
    ArtifactInfo info;
    info.run = s_->trained;
    info.kind = kind;
    info.step = 2;
    store->artifacts().add(
        info, store->artifacts().read(store->artifacts().list(s_->trained, kind).front().id));
    Q_EMIT s_->runs.artifactsChanged(s_->trained, QLatin1String(kind));
  };
  add("graph");
  QVERIFY(load({s_->trained, 2}));
  QVERIFY(step().data()->graph && !step().data()->memory);
  add("memory");
  QVERIFY(QTest::qWaitFor([this] { return step().data()->memory != nullptr; }, kLong));
  // A run that is renamed changes nothing here.
  QSignalSpy changed(&step(), &RecordedStep::changed);
  s_->runs.renameRun(s_->trained, QStringLiteral("other"));
  QVERIFY(QTest::qWaitFor([this] { return s_->runs.runs().find(s_->trained)->name == "other"; },
                          kLong));
  QTest::qWait(100);
  QCOMPARE(changed.count(), 0);
  s_->runs.removeRuns({s_->trained});
  QVERIFY(QTest::qWaitFor([this] { return step().state() == RecordedStep::State::Absent; }, kLong));
}

void InspectSessionTest::damagedAndMissingAreSaid() {
  const auto graph = shown<StepGraphView>(s_->context);
  QWidget host;
  auto* track = new MemoryTrackView(s_->context, &host);
  host.show();
  const auto list = shown<BlockListView>(s_->context);
  const auto details = shown<NodeDetailsView>(s_->context);
  QVERIFY(texts(*graph).contains(QStringLiteral("No recorded step")));
  QVERIFY(track->isHidden());
  QVERIFY(loadRecorded());
  QVERIFY(!track->isHidden());
  const auto store = Store::open(s_->folder.path());
  for (const char* kind : {"graph", "memory"}) {
    ArtifactInfo info;
    info.run = s_->trained;
    info.kind = kind;
    info.step = 50;
    store->artifacts().add(info, std::vector<std::byte>(100, std::byte{7}));
  }
  QVERIFY(load({s_->trained, 50}));
  QCOMPARE(step().state(), RecordedStep::State::Ready);
  QVERIFY(!step().data()->graph && !step().data()->memory);
  QVERIFY(texts(*graph).contains(QStringLiteral("The recorded graph cannot be read")));
  QVERIFY(texts(*graph).contains(step().data()->graphProblem));
  QVERIFY(texts(*list).contains(QStringLiteral("The memory cannot be read")));
  auto* stack = track->findChild<StackTrack*>();
  QVERIFY(!stack->source());
  QVERIFY(stack->summary().contains(step().data()->memoryProblem));

  QVERIFY(load({s_->trained, 999}));
  QCOMPARE(step().state(), RecordedStep::State::Absent);
  QVERIFY(texts(*graph).contains(QStringLiteral("This step is not stored")));
  QVERIFY(track->isHidden());
  QVERIFY(texts(*details).contains(QStringLiteral("No details")));
  s_->selection.setRecording({});
  QVERIFY(texts(*graph).contains(QStringLiteral("No recorded step")));
}

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::InspectSessionTest)
#include "inspect_session_test.moc"
