// SPDX-License-Identifier: GPL-3.0-or-later
// The models behind the panels of Train and Results.
#include <QAbstractItemModelTester>
#include <QTest>
#include <cerrno>
#include <cmath>
#include <limits>

#include "ui/panels/checkpoints/checkpoints_model.h"
#include "ui/panels/curves/curve_choice.h"
#include "ui/panels/loss/smoothing_scale.h"
#include "ui/panels/run_log/run_log_model.h"
#include "ui/panels/run_settings/settings_diff_model.h"
#include "ui/panels/run_table/run_table_model.h"
#include "ui/panels/samples/sample_cards.h"
#include "ui/panels/samples/sample_gallery.h"
#include "ui/panels/train_strip/train_strip_model.h"
#include "ui/session/runs_model.h"
#include "ui/widgets/theme.h"

using namespace tenon;
using namespace tenon::ui;

namespace {

using Mode = QAbstractItemModelTester::FailureReportingMode;

Event logged(int64_t id, EventLevel level, const char* text) {
  Event made;
  made.id = id;
  made.run = 1;
  made.step = id * 10;
  made.level = level;
  made.text = text;
  made.args = {"0.5"};
  return made;
}

RunInfo run(int64_t id, RunStatus status) {
  RunInfo info;
  info.id = id;
  info.name = "run " + std::to_string(id);
  info.status = status;
  info.settings = R"({"train": {"epochs": 10}})";
  info.step = 1200;
  info.epoch = 4;
  return info;
}

QString printed(const QAbstractItemModel& model) {
  QStringList lines;
  for (int row = 0; row < model.rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column)
      cells.append(model.index(row, column).data().toString());
    lines.append(cells.join(u'|'));
  }
  return lines.join(u'\n');
}

}  // namespace

class RunModelsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void logAppendsOnlyWhatIsNew();
  void logForgetsWhatWasTakenBack();
  void runTableSaysWhatTheRunWaitsFor();
  void runTableDecorates();
  void settingsOfOneRunAreListed();
  void settingsOfSeveralRunsDiffer();
  void checkpointsNewestFirst();
  void cardsFromPredictions();
  void cardsWithoutPicturesOrNumbers();
  void galleryFitsTwelveInTheTrainDock();
  void curveChoicesAreGrouped();
  void stripOfALiveRun();
  void anEpochEndsWithItsLastStep();
  void stripOfStoredRuns();
  void smoothingPlaces();
};

void RunModelsTest::logAppendsOnlyWhatIsNew() {
  RunLogModel model;
  const QAbstractItemModelTester tester(&model, Mode::QtTest);
  model.append({logged(1, EventLevel::Info, "loss {0}"), logged(2, EventLevel::Error, "no {0}")});
  QCOMPARE(model.lastId(), 2);
  model.append({logged(2, EventLevel::Error, "no {0}"), logged(3, EventLevel::Warning, "end")});
  QCOMPARE(model.rowCount(), 3);
  QCOMPARE(model.index(0, RunLogModel::Message).data().toString(), QStringLiteral("loss 0.5"));
  QCOMPARE(model.index(2, RunLogModel::Step).data().toString(), QStringLiteral("30"));
  QCOMPARE(model.index(1, 0).data(RunLogModel::kLevelRole).toInt(),
           static_cast<int>(EventLevel::Error));
  QCOMPARE(model.index(1, RunLogModel::Message).data(Qt::AccessibleTextRole).toString(),
           QStringLiteral("Error: no 0.5"));
  model.clear();
  QCOMPARE(model.rowCount(), 0);
  QCOMPARE(model.lastId(), 0);
}

void RunModelsTest::logForgetsWhatWasTakenBack() {
  RunLogModel model;
  const QAbstractItemModelTester tester(&model, Mode::QtTest);
  std::vector<Event> all;
  for (int64_t id = 1; id <= 6; ++id) all.push_back(logged(id, EventLevel::Info, "{0}"));
  model.append(all);
  const QPersistentModelIndex kept = model.index(3, RunLogModel::Step);  // of event 4
  const Event resumed = logged(9, EventLevel::Info, "resumed");
  model.keepOnly({all[0], all[3], resumed});
  model.append({all[0], all[3], resumed});
  QStringList steps;
  for (int row = 0; row < model.rowCount(); ++row)
    steps.append(model.index(row, RunLogModel::Step).data().toString());
  QCOMPARE(steps.join(u' '), QStringLiteral("10 40 90"));
  QCOMPARE(kept.row(), 1);
  model.keepOnly({});
  QCOMPARE(model.rowCount(), 0);
}

void RunModelsTest::runTableSaysWhatTheRunWaitsFor() {
  RunsModel runs;
  RunTableModel model(runs);
  const QAbstractItemModelTester tester(&model, Mode::QtTest);
  runs.update({run(2, RunStatus::Running), run(1, RunStatus::Finished)});
  const auto status = [&](int row, int role = Qt::DisplayRole) {
    return model.index(row, RunsModel::Status).data(role).toString();
  };
  QCOMPARE(status(0), QStringLiteral("Running"));
  const RunTrouble full = troubleOf({Code::Io, ENOSPC, "write 'x'"}, QStringLiteral("/data/p"));
  model.setLive({2, full.word, QStringLiteral("warning"), Tint::Bad, full.whole()});
  QCOMPARE(status(0), QStringLiteral("Disk full"));
  QVERIFY(status(0, Qt::ToolTipRole).contains(QStringLiteral("/data/p")));
  QVERIFY(status(0, Qt::ToolTipRole).contains(QStringLiteral("Make room")));
  QVERIFY(status(0, Qt::ToolTipRole).contains(QStringLiteral("write 'x'")));
  QCOMPARE(status(1), QStringLiteral("Finished"));
  model.setLive({});
  QCOMPARE(status(0), QStringLiteral("Running"));
}

void RunModelsTest::runTableDecorates() {
  RunsModel runs;
  RunTableModel model(runs);
  const QAbstractItemModelTester tester(&model, Mode::QtTest);
  runs.update({run(2, RunStatus::Failed), run(1, RunStatus::Finished)});
  QCOMPARE(model.rowCount(), 2);
  QCOMPARE(model.runAt(0), 2);
  QCOMPARE(model.runAt(1), 1);
  QCOMPARE(model.runAt(-1), 0);
  QVERIFY(!model.index(0, RunsModel::Name).data(Qt::DecorationRole).isNull());
  QVERIFY(!model.index(0, RunsModel::Status).data(Qt::DecorationRole).isNull());
  QVERIFY(model.index(0, RunsModel::Seed).data(Qt::DecorationRole).isNull());
  model.themeChanged();
  runs.update({run(1, RunStatus::Finished)});
  QCOMPARE(model.rowCount(), 1);
}

void RunModelsTest::settingsOfOneRunAreListed() {
  SettingsDiffModel model;
  const QAbstractItemModelTester tester(&model, Mode::QtTest);
  model.setRuns({{1, QStringLiteral("a"), R"({"train": {"epochs": 3, "seed": 1}})"}});
  QCOMPARE(printed(model), QStringLiteral("train.epochs|3\ntrain.seed|1"));
  QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("a"));
}

void RunModelsTest::settingsOfSeveralRunsDiffer() {
  SettingsDiffModel model;
  const QAbstractItemModelTester tester(&model, Mode::QtTest);
  const ui::RunSettings a{1, QStringLiteral("a"), R"({"train": {"epochs": 3, "seed": 1}})"};
  const ui::RunSettings b{2, QStringLiteral("b"), R"({"train": {"epochs": 5, "seed": 1}})"};
  const ui::RunSettings c{3, QStringLiteral("c"), R"({"train": {"epochs": 3}})"};
  model.setRuns({a, b, c});
  QCOMPARE(printed(model), QStringLiteral("train.epochs|3|5|3\ntrain.seed|1|1|"));
  QCOMPARE(model.index(0, 2).data(SettingsDiffModel::kDiffersRole).toBool(), true);
  QCOMPARE(model.index(0, 3).data(SettingsDiffModel::kDiffersRole).toBool(), false);
  model.setRuns({a, a});
  QCOMPARE(model.rowCount(), 0);
  model.setRuns({{4, QStringLiteral("broken"), "{"}});
  QCOMPARE(model.rowCount(), 0);
  QCOMPARE(model.unreadable(), QStringList{QStringLiteral("broken")});
}

void RunModelsTest::checkpointsNewestFirst() {
  CheckpointsModel model;
  const QAbstractItemModelTester tester(&model, Mode::QtTest);
  CheckpointInfo first;
  first.id = 1;
  first.step = 500;
  first.bytes = 2 * 1024 * 1024;
  CheckpointInfo second = first;
  second.id = 2;
  second.step = 12000;
  second.epoch = 1;
  second.kind = CheckpointKind::Best;
  model.setCheckpoints({first, second});
  QCOMPARE(model.rowCount(), 2);
  QCOMPARE(model.index(0, CheckpointsModel::Kind).data().toString(), QStringLiteral("Best"));
  QCOMPARE(model.index(0, CheckpointsModel::Epoch).data().toString(), QStringLiteral("2"));
  QCOMPARE(model.index(1, CheckpointsModel::Kind).data().toString(), QStringLiteral("Latest"));
  QCOMPARE(model.index(1, CheckpointsModel::Size).data().toString(), QStringLiteral("2\u00A0MiB"));
  QCOMPARE(model.index(1, 0).data(CheckpointsModel::kIdRole).toLongLong(), 1);
  CheckpointInfo third = first;
  third.id = 3;
  model.setCheckpoints({first, second, third});
  const auto kind = [&](int row) {
    return model.index(row, CheckpointsModel::Kind).data().toString();
  };
  QCOMPARE(kind(0), QStringLiteral("Latest"));  // only the newest is
  QCOMPARE(kind(1), QStringLiteral("Best"));
  QCOMPARE(kind(2), QStringLiteral("Earlier"));
  model.setCheckpoints({});
  QCOMPARE(model.rowCount(), 0);
}

void RunModelsTest::cardsFromPredictions() {
  Predictions predictions;
  predictions.sampleShape = {3, 1, 2};
  predictions.indices = {17, 40};
  predictions.targets = {1, 0};
  predictions.probabilities = {{0.1F, 0.7F, 0.2F}, {0.25F, 0.5F, 0.25F}};
  for (int value = 0; value < 12; ++value)
    predictions.pixels.push_back(static_cast<std::byte>(value));
  const QList<SampleCard> cards = sampleCards(predictions);
  QCOMPARE(cards.size(), 2);
  QCOMPARE(cards[0].picture.size(), QSize(2, 1));
  QCOMPARE(cards[0].picture.pixelColor(1, 0), QColor(1, 3, 5));
  QCOMPARE(cards[1].picture.pixelColor(0, 0), QColor(6, 8, 10));
  QVERIFY(cards[0].isRight());
  QVERIFY(!cards[1].isRight());
  QCOMPARE(cards[0].guesses[1].label, 2);
  QCOMPARE(cards[1].guesses[1].label, 0);  // of equal ones the first
  const QStringList names{QStringLiteral("cat"), QStringLiteral("dog")};
  QCOMPARE(cardText(cards[1], names),
           QStringLiteral("Sample 40, target cat, predicted dog (50.00\u00A0%), wrong"));
  QCOMPARE(className(names, 2), QStringLiteral("2"));
  predictions.areProbabilities = false;  // of a hinge loss
  predictions.probabilities[1] = {-0.5F, 2.5F, 1.0F};
  QCOMPARE(cardText(sampleCards(predictions)[1], names),
           QStringLiteral("Sample 40, target cat, predicted dog (2.500), wrong"));
}

void RunModelsTest::cardsWithoutPicturesOrNumbers() {
  Predictions predictions;
  predictions.sampleShape = {4, 2, 2};  // four channels are no picture
  predictions.indices = {0};
  predictions.targets = {1};
  predictions.probabilities = {{std::nanf(""), 0.5F}};
  predictions.pixels.resize(16);
  QList<SampleCard> cards = sampleCards(predictions);
  QVERIFY(cards[0].picture.isNull());
  QCOMPARE(cards[0].guesses[0].label, 1);
  predictions.sampleShape = {1, 4, 8};  // fewer bytes than a picture takes
  QVERIFY(sampleCards(predictions)[0].picture.isNull());
  predictions.sampleShape = {4, 4};
  QCOMPARE(sampleCards(predictions)[0].picture.size(), QSize(4, 4));
}

void RunModelsTest::galleryFitsTwelveInTheTrainDock() {
  const QStringList names{QStringLiteral("T-shirt/top"), QStringLiteral("Trouser"),
                          QStringLiteral("Ankle boot")};
  QList<SampleCard> cards;
  for (int i = 0; i < 12; ++i)
    cards.append({{}, i, i % 3, {{(i + 1) % 3, 0.6}, {(i + 2) % 3, 0.3}, {i % 3, 0.1}}});
  SampleGallery gallery;
  gallery.setCards(cards, names);
  const auto showsNames = [&] {
    const QFontMetrics metrics(textFont(TextSize::Small));
    for (int card = 0; card < 12; ++card)
      for (const QString& name : names)
        if (metrics.horizontalAdvance(name) > gallery.nameRect(card).width() - measure::kGap1)
          return false;
    return true;
  };
  gallery.resize(760, 132);  // what a window of 1280 leaves beside the log
  QVERIFY(showsNames());
  QCOMPARE(gallery.cardRect(5).top(), gallery.cardRect(0).top());  // two rows of six
  QVERIFY(gallery.cardRect(6).top() > gallery.cardRect(5).bottom());
  QVERIFY(gallery.cardRect(5).right() < 760);
  QVERIFY(gallery.heightForWidth(760) <= 132);
  QVERIFY(gallery.cardRect(11).bottom() < 132);
  QCOMPARE(gallery.cardAt(gallery.cardRect(5).center()), 5);
  QCOMPARE(gallery.cardAt({0, 0}), -1);
  const int narrow = gallery.cardRect(0).width();
  gallery.resize(1120, 132);  // rows stay even: wider cards, not nine and three
  QVERIFY(gallery.cardRect(0).width() > narrow + 30);
  QCOMPARE(gallery.cardRect(6).left(), gallery.cardRect(0).left());
  gallery.resize(380, 300);  // in Results
  QVERIFY(showsNames());
  QVERIFY(gallery.cardRect(11).right() < 380);
  gallery.resize(40, 300);
  QCOMPARE(gallery.cardRect(1).left(), gallery.cardRect(0).left());
  QCOMPARE(gallery.rightCount(), 0);
}

void RunModelsTest::curveChoicesAreGrouped() {
  const QList<CurveChoice> choices =
      curveChoices({QStringLiteral("memory/allocated"), QStringLiteral("validation/loss"),
                    QStringLiteral("train/learning_rate"), QStringLiteral("train/loss"),
                    QStringLiteral("train/accuracy"), QStringLiteral("train/loss")});
  QStringList ids;
  for (const CurveChoice& choice : choices) ids.append(choice.id);
  QCOMPARE(ids.join(u' '), QStringLiteral("loss accuracy learning_rate memory/allocated"));
  QCOMPARE(choices[0].lines.size(), 2);
  QCOMPARE(choices[0].lines[0].metric, QStringLiteral("train/loss"));
  QVERIFY(choices[0].lines[1].validation);
  QCOMPARE(choices[0].title, QStringLiteral("Loss"));
}

void RunModelsTest::stripOfALiveRun() {
  TrainProgress progress;
  progress.run = 1;
  progress.step = 251;
  progress.totalSteps = 1000;
  progress.epoch = 2;
  progress.epochs = 8;
  progress.samplesPerSecond = 1234;
  progress.etaSeconds = 125;
  progress.dataWaitShare = 0.031;
  StripValues values = liveValues(RunState::Running, progress);
  QCOMPARE(values.state.text, QStringLiteral("Training"));
  QCOMPARE(values.epoch, QStringLiteral("3 / 8"));
  QCOMPARE(values.done, 0.251);
  QCOMPARE(values.eta, QStringLiteral("2\u00A0min 05\u00A0s"));
  QCOMPARE(values.wait, QStringLiteral("3.1"));
  progress.samplesPerSecond = std::numeric_limits<double>::quiet_NaN();
  values = liveValues(RunState::Paused, progress);
  QCOMPARE(values.speed, QStringLiteral("\u2013"));
  QCOMPARE(values.eta, QStringLiteral("\u2013"));
  const RunTrouble full = troubleOf({Code::Io, ENOSPC, "write 'x'"}, QStringLiteral("/data"));
  values = liveValues(RunState::Trouble, progress, full);
  QCOMPARE(values.state.text, QStringLiteral("Disk full"));
  QCOMPARE(liveValues(RunState::Trouble, progress).state.text, QStringLiteral("Cannot save"));
  values = liveValues(RunState::Preparing, {});
  QVERIFY(values.busy);
  QCOMPARE(values.step, QStringLiteral("\u2013"));
}

/// After the last step of an epoch it is that epoch's end, in whatever state.
void RunModelsTest::anEpochEndsWithItsLastStep() {
  TrainProgress progress;
  progress.totalSteps = 1000;
  progress.epochs = 8;  // of 125 steps
  const auto shown = [&](int64_t step, int64_t epoch) {
    progress.step = step;
    progress.epoch = epoch;
    return liveValues(RunState::Saving, progress).epoch;
  };
  QCOMPARE(shown(0, 0), QStringLiteral("1 / 8"));
  QCOMPARE(shown(1, 0), QStringLiteral("1 / 8"));
  QCOMPARE(shown(375, 2), QStringLiteral("3 / 8"));  // validation is due
  QCOMPARE(shown(376, 3), QStringLiteral("4 / 8"));
  QCOMPARE(shown(1000, 7), QStringLiteral("8 / 8"));
  QCOMPARE(epochOf({}), 0);
}

void RunModelsTest::stripOfStoredRuns() {
  const RunInfo stopped = run(3, RunStatus::Stopped);
  QCOMPARE(epochsWanted(stopped), 10);
  StripValues values = storedValues(&stopped, 10);
  QCOMPARE(values.state.text, QStringLiteral("Stopped"));
  QCOMPARE(values.epoch, QStringLiteral("5 / 10"));
  QCOMPARE(values.step, QStringLiteral("1200"));
  QCOMPARE(values.done, 0.4);
  const RunInfo finished = run(3, RunStatus::Finished);
  QCOMPARE(storedValues(&finished, 0).done, 1.0);
  values = storedValues(nullptr, 0);
  QCOMPARE(values.state.text, QStringLiteral("No run yet"));
  QCOMPARE(values.done, 0.0);
  RunInfo broken = stopped;
  broken.settings = "no json";
  QCOMPARE(epochsWanted(broken), 0);
}

void RunModelsTest::smoothingPlaces() {
  QCOMPARE(smoothingOfPlace(0), 0.0);
  QVERIFY(std::abs(smoothingOfPlace(100) - 0.999) < 1e-12);
  for (int place = 0; place <= 100; place += 10)
    QCOMPARE(placeOfSmoothing(smoothingOfPlace(place)), place);
}

QTEST_MAIN(RunModelsTest)
#include "run_models_test.moc"
