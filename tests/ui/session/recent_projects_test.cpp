// SPDX-License-Identifier: GPL-3.0-or-later
// The list of recent projects: order, limits, persistence, missing folders, facts of a store.
#include "ui/session/recent_projects.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "engine/store/run_writer.h"
#include "engine/store/runs.h"

namespace tenon::ui {

class RecentProjectsTest final : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<QTemporaryDir> dir_;
  std::unique_ptr<QSettings> store_;

  QString folder(const QString& name) {
    const QString path = dir_->filePath(name);
    QDir().mkpath(path);
    return path;
  }

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    store_ =
        std::make_unique<QSettings>(dir_->filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
  }
  void cleanup() {
    store_.reset();
    dir_.reset();
  }

  void newestFirstAndKept() {
    {
      RecentProjects recents(*store_);
      QAbstractItemModelTester tester(&recents,
                                      QAbstractItemModelTester::FailureReportingMode::QtTest);
      recents.add(folder(QStringLiteral("a")), QStringLiteral("A"));
      recents.add(folder(QStringLiteral("b")), QStringLiteral("B"));
      recents.add(folder(QStringLiteral("a")), QStringLiteral("A again"));
      QCOMPARE(recents.rowCount(), 2);
      QCOMPARE(recents.last(), folder(QStringLiteral("a")));
      for (int i = 0; i < 40; ++i) recents.add(QStringLiteral("/p%1").arg(i), QStringLiteral("P"));
      QCOMPARE(recents.rowCount(), 30);
      recents.remove(QStringLiteral("/p39"));
      recents.relocate(QStringLiteral("/p38"), folder(QStringLiteral("c")));
    }
    RecentProjects again(*store_);
    QCOMPARE(again.rowCount(), 29);
    QCOMPARE(again.last(), folder(QStringLiteral("c")));
  }

  void readsFactsFromTheStore() {
    const QString path = folder(QStringLiteral("trained"));
    {
      const std::shared_ptr<Store> store = Store::open(path.toStdString());
      const RunId run = store->runs().create({});
      RunWriter writer(store, run);
      const MetricId loss = writer.metric("train/loss");
      for (int step = 1; step <= 500; ++step) writer.log(loss, step, 0, 1.0 / step);
      writer.best("validation/accuracy", 91.25, 400);
      writer.status(RunStatus::Finished);
      writer.close();
    }
    RecentProjects recents(*store_);
    recents.add(QStringLiteral("/not/there"), QStringLiteral("Gone"));
    recents.add(path, QStringLiteral("Trained"));
    const QModelIndex index = recents.index(0);
    QVERIFY(
        QTest::qWaitFor([&] { return index.data(RecentProjects::kRunsRole).toInt() == 1; }, 5000));
    QCOMPARE(index.data(RecentProjects::kBestRole).toString(), QStringLiteral("Accuracy 91.25 %"));
    const auto curve = index.data(RecentProjects::kCurveRole).value<QList<double>>();
    QVERIFY(curve.size() > 10 && curve.size() <= 64);
    QVERIFY(curve.first() > curve.last());
    QVERIFY(QTest::qWaitFor(
        [&] { return recents.index(1).data(RecentProjects::kMissingRole).toBool(); }, 5000));
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::RecentProjectsTest)
#include "recent_projects_test.moc"
