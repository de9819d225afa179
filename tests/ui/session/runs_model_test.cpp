// SPDX-License-Identifier: GPL-3.0-or-later
// RunsModel: inserts, removes and changes instead of resets; texts and sort values.
#include "ui/session/runs_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "ui/session/epoch_scale.h"

namespace tenon::ui {

class RunsModelTest final : public QObject {
  Q_OBJECT

 private:
  static RunInfo run(RunId id, RunStatus status = RunStatus::Finished) {
    RunInfo info;
    info.id = id;
    info.name = "run " + std::to_string(id);
    info.status = status;
    info.settings = R"({"train": {"epochs": 5}})";
    info.startedUs = 1'000'000;
    info.endedUs = 7'276'000'000;
    info.trainedUs = 75'000'000;  // two hours passed between a stop and a resume
    info.step = 940;
    info.epoch = 1;
    info.device = "cpu";
    return info;
  }
  static QString text(const RunsModel& model, int row, int column) {
    return model.index(row, column).data().toString();
  }

 private Q_SLOTS:
  void staysConsistent() {
    RunsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);

    model.update({run(3), run(1)});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(inserted.count(), 2);
    model.update({run(4), run(3), run(2), run(1)});
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(inserted.count(), 4);
    QCOMPARE(changed.count(), 0);

    RunInfo moved = run(3);
    moved.step = 941;
    model.update({run(4), moved, run(1)});
    QCOMPARE(removed.count(), 1);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.first().at(0).toModelIndex().row(), 1);
    QCOMPARE(text(model, 1, RunsModel::Step), QStringLiteral("941"));
    QCOMPARE(model.rowOf(1), 2);
    QCOMPARE(model.rowOf(2), -1);
    model.update({});
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(reset.count(), 0);
  }

  void showsWhatIsKnown() {
    RunsModel model;
    RunInfo best = run(9, RunStatus::Interrupted);
    best.bestName = "validation/accuracy";
    best.bestValue = 93.456;
    best.bestStep = 900;
    model.update({best});
    QCOMPARE(text(model, 0, RunsModel::Name), QStringLiteral("run 9"));
    QCOMPARE(text(model, 0, RunsModel::Status), QStringLiteral("Interrupted"));
    QCOMPARE(text(model, 0, RunsModel::Epoch), QStringLiteral("2 / 5"));
    QCOMPARE(text(model, 0, RunsModel::Best), QStringLiteral("Accuracy 93.46 %"));
    QCOMPARE(text(model, 0, RunsModel::Duration), QStringLiteral("1 min 15 s"));
    const QModelIndex index = model.index(0, RunsModel::Best);
    QCOMPARE(index.data(RunsModel::kSortValueRole).toDouble(), 93.456);
    QCOMPARE(index.data(RunsModel::kRunIdRole).toLongLong(), 9);
    QCOMPARE(index.data(RunsModel::kColorIndexRole).toInt(), 8);
    QVERIFY(isResumable(best));
    QVERIFY(!isResumable(run(1)));
  }

  void epochsHaveFractions() {
    EpochScale scale;
    QCOMPARE(scale.at(10, 0), 0.0);  // nothing is known of the first epoch's length
    for (int step = 10; step <= 200; step += 10) scale.learn(step, (step - 1) / 100);
    QCOMPARE(scale.at(50, 0), 0.5);
    QCOMPARE(scale.at(100, 0), 1.0);
    QCOMPARE(scale.at(150, 1), 1.5);
    EpochScale live;
    live.hint(200);
    QCOMPARE(live.at(50, 0), 0.25);
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::RunsModelTest)
#include "runs_model_test.moc"
