// SPDX-License-Identifier: GPL-3.0-or-later
// What the panels of Train, Results and Inspect say while the store cannot be read, how a person
// tries again, and how log and samples follow a resume.
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <algorithm>
#include <cerrno>

#include "engine/base/file_faults.h"
#include "engine/store/rewind.h"
#include "tests/ui/panels/inspect_session.h"
#include "ui/curves/curve_view.h"
#include "ui/panels/block_list/block_list_view.h"
#include "ui/panels/checkpoints/checkpoints_view.h"
#include "ui/panels/curves/overlay_view.h"
#include "ui/panels/node_details/node_details_view.h"
#include "ui/panels/recordings/recordings_view.h"
#include "ui/panels/run_log/run_log.h"
#include "ui/panels/run_settings/settings_view.h"
#include "ui/panels/run_table/run_table.h"
#include "ui/panels/samples/samples_view.h"
#include "ui/panels/step_graph/step_graph_view.h"
#include "ui/panels/train_strip/train_strip.h"
#include "ui/session/document_edits.h"
#include "ui/session/recorded_step.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/problem_frame.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {

using testing::InspectSession;
using testing::shown;
using testing::texts;
constexpr int kLong = InspectSession::kLong;

class RunViewsTest final : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<InspectSession> s_;

  QString storeFile() const {
    return QString::fromStdString(s_->folder.path()) + QStringLiteral("/tenon.sqlite");
  }
  /// A project whose store is no database.
  bool openDamaged() {
    setenv("TENON_CACHE", s_->folder.path("cache").c_str(), 1);
    tenon::testing::writeToyProject(s_->folder.path());
    tenon::testing::writeBytes(storeFile().toStdString(), std::string(8192, 'x'));
    QSignalSpy opened(&s_->document, &Document::opened);
    s_->document.open(QString::fromStdString(s_->folder.path()));
    return opened.wait(kLong) &&
           QTest::qWaitFor([this] { return !s_->runs.problem().isEmpty(); }, kLong);
  }
  bool openTrained() {
    s_->record();
    if (!s_->open()) return false;
    s_->selection.setRuns({s_->trained});
    return true;
  }
  /// The buttons in sight that say so.
  static QList<QPushButton*> buttons(const QWidget& view, const QString& text) {
    QList<QPushButton*> found;
    for (QPushButton* button : view.findChildren<QPushButton*>())
      if (button->isVisible() && button->text() == text) found.append(button);
    return found;
  }
  static bool says(const QWidget& view, const QString& reason) {
    return texts(view).join(u'\n').contains(reason);
  }
  static QPushButton* again(const QWidget& view) {
    const QList<QPushButton*> found = buttons(view, QStringLiteral("Try again"));
    return found.size() == 1 ? found.first() : nullptr;
  }

  /// The runs are known, what the view asks for then cannot be read; it can when a person presses.
  template <class View, class... Arguments>
  void saysWhyAndTriesAgain(const char* title, Arguments&&... arguments) {
    // What was read for another view is not taken from SQLite's memory once the file has changed.
    Store::open(s_->folder.path())
        ->events()
        .add({0, s_->trained, 0, 3, EventLevel::Info, "x", "new"});
    FaultPlan broken(FileOperation::Read, 1, EIO, true);
    const FaultScope scope(broken);
    View view(s_->context, std::forward<Arguments>(arguments)...);
    prepare(view);
    view.resize(500, 360);
    view.setVisible(true);
    auto* frame = view.template findChild<ProblemFrame*>();
    QVERIFY(frame);
    QVERIFY(QTest::qWaitFor([&] { return !frame->problem().isEmpty(); }, kLong));
    QVERIFY2(frame->problem().contains(QStringLiteral(".sqlite")), qPrintable(frame->problem()));
    QVERIFY2(texts(view).contains(QLatin1String(title)), qPrintable(texts(view).join(u'\n')));
    QVERIFY(says(view, frame->problem()));
    QVERIFY(again(view));
    broken.heal();
    again(view)->click();
    QVERIFY(QTest::qWaitFor([&] { return frame->problem().isEmpty(); }, kLong));
    QVERIFY(!again(view));
  }
  template <class View>
  void prepare(View&) {}
  void prepare(CurveView& view) {
    view.setLines({{QStringLiteral("train/loss"), QStringLiteral("loss")}});
    view.setRuns({s_->trained});
  }

  /// Nothing is known of the runs, so there is nothing to select either: the list itself says why.
  template <class View>
  void saysWhyThereAreNoRuns() {
    const auto view = shown<View>(s_->context);
    auto* frame = view->template findChild<ProblemFrame*>();
    QVERIFY(frame);
    QTRY_VERIFY(frame->problem().contains(QStringLiteral("tenon.sqlite")));
    QVERIFY(says(*view, frame->problem()));
    QVERIFY(again(*view));
  }

 private Q_SLOTS:
  void init() { s_ = std::make_unique<InspectSession>(); }
  void cleanup() { s_.reset(); }

  void panelsSayWhyNothingIsThere();
  void panelsOfNoRunSayWhy();
  void aRecordedStepSaysWhy();
  void whatWasReadStaysInSight();
  void theLogFollowsAResume();
  void aRunSelectedBeforeItIsListedGetsItsRow();
  void theRateSaysWhatItEdits();
  void undoLeavesTheLiveRateAlone();
  void samplesFollowAResume();
  void aRunBeingPreparedOffersNoOther();
};

void RunViewsTest::panelsSayWhyNothingIsThere() {
  QVERIFY(openTrained());
  saysWhyAndTriesAgain<RunLog>("The log cannot be read");
  saysWhyAndTriesAgain<RecordingsView>("The recordings cannot be read");
  saysWhyAndTriesAgain<CheckpointsView>("The checkpoints cannot be read");
  saysWhyAndTriesAgain<SamplesView>("The samples cannot be read");
  saysWhyAndTriesAgain<CurveView>("The curves cannot be read", QStringLiteral("Loss"));
  saysWhyAndTriesAgain<OverlayView>("The curves cannot be read");
}

void RunViewsTest::panelsOfNoRunSayWhy() {
  QVERIFY(openDamaged());
  saysWhyThereAreNoRuns<RunTable>();
  saysWhyThereAreNoRuns<SettingsView>();
  saysWhyThereAreNoRuns<CheckpointsView>();
  saysWhyThereAreNoRuns<SamplesView>();
  saysWhyThereAreNoRuns<RunLog>();
  saysWhyThereAreNoRuns<OverlayView>();
  saysWhyThereAreNoRuns<RecordingsView>();
  const auto strip = shown<TrainStrip>(s_->context);
  const auto state = [&] { return strip->findChild<StatTile*>()->value(); };
  QCOMPARE(state(), QStringLiteral("Cannot read"));

  const auto table = shown<RunTable>(s_->context);
  QVERIFY(buttons(*table, QStringLiteral("Run")).isEmpty());  // nobody knows that there is no run
  QVERIFY(QFile::remove(storeFile()));
  (void)Store::open(s_->folder.path(), OpenMode::ReadWrite);
  again(*table)->click();
  QVERIFY(QTest::qWaitFor([&] { return s_->runs.problem().isEmpty(); }, kLong));
  QVERIFY(!again(*table));
  QVERIFY(texts(*table).contains(QStringLiteral("No runs yet")));
  QTRY_COMPARE(state(), QStringLiteral("No run yet"));
}

void RunViewsTest::aRecordedStepSaysWhy() {
  QVERIFY(openDamaged());
  s_->selection.setRecording({1, 5});
  const auto graph = shown<StepGraphView>(s_->context);
  const auto blocks = shown<BlockListView>(s_->context);
  const auto details = shown<NodeDetailsView>(s_->context);
  const RecordedStep& step = RecordedStep::of(s_->context);
  QVERIFY(QTest::qWaitFor([&] { return step.state() == RecordedStep::State::Failed; }, kLong));
  for (const QWidget* view :
       {static_cast<QWidget*>(graph.get()), static_cast<QWidget*>(blocks.get()),
        static_cast<QWidget*>(details.get())}) {
    QTRY_VERIFY(says(*view, step.data()->graphProblem));
    QVERIFY(again(*view));
  }
  QVERIFY(QFile::remove(storeFile()));
  (void)Store::open(s_->folder.path(), OpenMode::ReadWrite);
  again(*details)->click();
  QVERIFY(QTest::qWaitFor([&] { return step.state() == RecordedStep::State::Absent; }, kLong));
  QVERIFY(!again(*graph) && !again(*blocks) && !again(*details));
}

/// An interruption does not take away what a person is reading.
void RunViewsTest::whatWasReadStaysInSight() {
  QVERIFY(openTrained());
  const auto log = shown<RunLog>(s_->context);
  const auto* table = log->findChild<TableView*>();
  QVERIFY(QTest::qWaitFor([&] { return table->shownRows() > 0; }, kLong));
  const int rows = table->shownRows();
  Store::open(s_->folder.path())
      ->events()
      .add({0, s_->trained, 0, 3, EventLevel::Info, "x", "new"});
  {
    FaultPlan broken(FileOperation::Read, 1, EIO, true);
    const FaultScope scope(broken);
    Q_EMIT s_->runs.eventsAvailable(s_->trained);
    const auto* frame = log->findChild<ProblemFrame*>();
    QVERIFY(QTest::qWaitFor([&] { return !frame->problem().isEmpty(); }, kLong));
    QVERIFY(table->isVisible());
    QCOMPARE(table->shownRows(), rows);
    const auto* line = frame->findChild<InlineMessage*>();
    QVERIFY(line->isVisible() && line->text().contains(frame->problem()));
    QVERIFY(again(*log));
  }
  again(*log)->click();
  QVERIFY(QTest::qWaitFor([&] { return table->shownRows() == rows + 1; }, kLong));
  QVERIFY(!again(*log));
}

/// Selected by its start, in the list only with the next answer of the store.
void RunViewsTest::aRunSelectedBeforeItIsListedGetsItsRow() {
  s_->record();
  const auto view = shown<RunTable>(s_->context);
  const auto* table = view->findChild<TableView*>();
  s_->selection.setRuns({s_->trained});
  QVERIFY(s_->open());
  s_->selection.setRuns({s_->trained});
  QTRY_COMPARE(table->selectedSourceRows(), QList<int>{0});
  QCOMPARE(table->currentSourceIndex().row(), 0);
  const QList<QAction*> actions = view->actions();
  QVERIFY(actions.at(0)->isEnabled());  // open in Train
  QVERIFY(actions.at(1)->isEnabled());  // it was stopped and has a checkpoint
  QVERIFY(actions.at(2)->isEnabled() && actions.at(3)->isEnabled());
}

void RunViewsTest::theRateSaysWhatItEdits() {
  QVERIFY(openTrained());
  const auto strip = shown<TrainStrip>(s_->context);
  auto* rate = strip->findChild<NumberField*>();
  QTRY_VERIFY(rate->isEnabled());
  QCOMPARE(rate->value(), configuredPeakRate(*s_->document.spec().train));
  QVERIFY(rate->toolTip().contains(QStringLiteral("of the project")));
  QVERIFY(texts(*strip).contains(QStringLiteral("Peak rate, project")));
  Q_EMIT rate->valueCommitted(rate->value(), 0.03125);
  QCOMPARE(configuredPeakRate(*s_->document.spec().train), 0.03125);
  QTRY_COMPARE(rate->value(), 0.03125);
}

/// A number half typed is none that a person wants to train with.
void RunViewsTest::undoLeavesTheLiveRateAlone() {
  QVERIFY(openTrained());
  const auto strip = shown<TrainStrip>(s_->context);
  strip->activateWindow();
  QLineEdit elsewhere;  // where the place that undo shows would be
  elsewhere.setParent(strip.get());
  elsewhere.show();
  edits::setTrainParam(s_->document, QStringLiteral("epochs"), int64_t{1000});  // no early end
  connect(&s_->document, &Document::aboutToShow, &elsewhere,
          [&elsewhere] { elsewhere.setFocus(); });
  auto* rate = strip->findChild<NumberField*>();
  QTRY_VERIFY(rate->isEnabled());
  const auto type = [rate](const char* text) {
    rate->setFocus();
    if (!QTest::qWaitFor([rate] { return rate->focusProxy()->hasFocus(); })) return false;
    qobject_cast<QLineEdit*>(rate->focusProxy())->selectAll();
    QTest::keyClicks(rate->focusProxy(), QLatin1String(text));
    return true;
  };
  // The project's rate is an edit like others: it is made, and undone.
  const double before = configuredPeakRate(*s_->document.spec().train);
  QVERIFY(type("0.0625"));
  s_->document.undo();
  QCOMPARE(configuredPeakRate(*s_->document.spec().train), before);
  s_->document.redo();
  QCOMPARE(configuredPeakRate(*s_->document.spec().train), 0.0625);

  s_->run.start();
  QVERIFY(s_->run.isLive());
  QVERIFY(QTest::qWaitFor([this] { return s_->run.state() == RunState::Running; }, kLong));
  s_->run.pause();  // it does not end meanwhile
  QVERIFY(QTest::qWaitFor([this] { return s_->run.state() == RunState::Paused; }, kLong));
  QTRY_COMPARE(rate->value(), s_->run.peakLearningRate());
  QSignalSpy committed(rate, &NumberField::valueCommitted);
  QSignalSpy ordered(&s_->run, &RunController::peakLearningRateChanged);
  QVERIFY(type("0.5"));
  QVERIFY(rate->hasUncommittedText());
  s_->document.undo();
  QVERIFY(elsewhere.hasFocus());
  QCOMPARE(configuredPeakRate(*s_->document.spec().train), before);
  QVERIFY(committed.isEmpty() && ordered.isEmpty());
  QCOMPARE(rate->value(), s_->run.peakLearningRate());
  s_->run.stop();
  QVERIFY(QTest::qWaitFor([this] { return !s_->run.isLive(); }, kLong));
}

void RunViewsTest::theLogFollowsAResume() {
  QVERIFY(openTrained());
  const auto store = Store::open(s_->folder.path());
  const auto add = [&](int64_t step, const char* code, const char* text) {
    store->events().add({0, s_->trained, 0, step, EventLevel::Info, code, text});
  };
  add(10, "x", "before");
  add(20, "x", "after");
  const auto log = shown<RunLog>(s_->context);
  const auto* table = log->findChild<TableView*>();
  const auto lines = [&] {
    QStringList all;
    for (int row = 0; row < table->model()->rowCount(); ++row)
      all.append(table->model()->index(row, 2).data().toString());
    return all;
  };
  QVERIFY(QTest::qWaitFor([&] { return lines().contains(QStringLiteral("after")); }, kLong));
  Rewind back;
  back.lastStep = back.lastEpochEnd = 15;
  rewindRun(*store, s_->trained, back);
  add(15, "train.resumed", "again");
  Q_EMIT s_->runs.eventsAvailable(s_->trained);
  QVERIFY(QTest::qWaitFor([&] { return lines().contains(QStringLiteral("again")); }, kLong));
  QVERIFY(!lines().contains(QStringLiteral("after")));
  QCOMPARE(lines().mid(lines().size() - 2),
           QStringList({QStringLiteral("before"), QStringLiteral("again")}));
  add(16, "x", "on");
  Q_EMIT s_->runs.eventsAvailable(s_->trained);
  QVERIFY(QTest::qWaitFor([&] { return lines().last() == QLatin1String("on"); }, kLong));
}

/// Predictions of an epoch that is done again are taken back; the list of epochs follows at once.
void RunViewsTest::samplesFollowAResume() {
  QVERIFY(openTrained());
  const auto store = Store::open(s_->folder.path());
  ArtifactInfo info;
  info.run = s_->trained;
  info.kind = "predictions";
  info.step = 40;
  store->artifacts().add(info, std::vector<std::byte>(100, std::byte{7}));
  const auto view = shown<SamplesView>(s_->context);
  const auto* problem = view->findChild<InlineMessage*>(QStringLiteral("damagedSamples"));
  QTRY_VERIFY(problem && problem->isVisible());  // no predictions, but listed
  Rewind back;
  back.lastStep = back.lastEpochEnd = 15;
  back.epochArtifacts = {"predictions"};
  rewindRun(*store, s_->trained, back);
  store->runs().takeOver(s_->trained, {});
  QVERIFY(QTest::qWaitFor([&] { return texts(*view).contains(QStringLiteral("No samples yet")); },
                          kLong));
}

/// Between Run and the run's id: it is coming, and a second Run would do nothing.
void RunViewsTest::aRunBeingPreparedOffersNoOther() {
  tenon::testing::writeToyProject(s_->folder.path());
  s_->document.open(QString::fromStdString(s_->folder.path()));
  QVERIFY(QTest::qWaitFor([this] { return s_->check.isCurrent(); }, kLong));
  CurveView curves(s_->context, QStringLiteral("Loss"));
  curves.setEmptyTexts({QStringLiteral("no run"), QStringLiteral("waiting"), {}});
  curves.setOffersRun(true);
  curves.resize(500, 300);
  curves.setVisible(true);
  const auto samples = shown<SamplesView>(s_->context);
  const auto table = shown<RunTable>(s_->context);
  const auto strip = shown<TrainStrip>(s_->context);
  const QList<const QWidget*> offering = {&curves, samples.get(), table.get()};
  const auto state = [&strip](const char* word) {
    const auto tiles = strip->findChildren<StatTile*>();
    return std::any_of(tiles.begin(), tiles.end(),
                       [&](const StatTile* tile) { return tile->value() == QLatin1String(word); });
  };
  const auto offers = [&] {
    (void)curves.grab();  // the plot arranges its button when it is painted
    int count = 0;
    for (const QWidget* view : offering)
      for (const QPushButton* button : view->findChildren<QPushButton*>())
        count += button->isVisible();
    return count;
  };
  QTRY_COMPARE(offers(), 3);
  QVERIFY(state("No run yet"));
  QCOMPARE(curves.plot().summary(), QStringLiteral("no run"));
  // Refused as soon as it is checked; until then it waits for the check.
  edits::setTrainPartType(s_->document, edits::TrainPart::Loss, QStringLiteral("nonsense"));
  s_->run.start();
  QVERIFY(s_->run.awaitsRun());
  QCOMPARE(offers(), 0);
  QCOMPARE(curves.plot().summary(), QStringLiteral("The run is being prepared"));
  QVERIFY(says(*samples, QStringLiteral("at the end of the first epoch")));
  QVERIFY(says(*table, QStringLiteral("The run is being prepared")));
  QVERIFY(!state("No run yet"));
  QVERIFY(QTest::qWaitFor([this] { return !s_->run.isLive(); }, kLong));
  QTRY_COMPARE(offers(), 3);
  QCOMPARE(curves.plot().summary(), QStringLiteral("no run"));
  QVERIFY(says(*table, QStringLiteral("No runs yet")));
}

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::RunViewsTest)
#include "run_views_test.moc"
