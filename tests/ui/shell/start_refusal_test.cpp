// SPDX-License-Identifier: GPL-3.0-or-later
// A start with a bad variable of the environment: said in a box with name, wanted and got.
#include "ui/shell/start_refusal.h"
#include "ui/shell/sample_projects.h"

#include <QApplication>
#include <QMessageBox>
#include <QTest>
#include <QTimer>

namespace tenon::ui {

class StartRefusalTest final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() {
    qunsetenv("TENON_MEMORY_LIMIT");
    qunsetenv("TENON_PROJECTS");
  }
  void goodVariablesSayNothing() {
    qputenv("TENON_MEMORY_LIMIT", "2GiB");
    QCOMPARE(badEnvironment(), QString());
  }
  void badOnesAreNamed_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("of the engine") << QByteArray("TENON_MEMORY_LIMIT") << QByteArray("banana");
    QTest::newRow("of the window") << QByteArray("TENON_PROJECTS") << QByteArray("/nowhere");
  }
  void badOnesAreNamed() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, value);
    QVERIFY(!samplesFolder().isEmpty());  // who reads the window's variable is part of this program
    qputenv(name.constData(), value);
    const QString bad = badEnvironment();
    QVERIFY(bad.contains(QString::fromUtf8(name)) && bad.contains(QString::fromUtf8(value)));
  }
  void theBoxSaysItAndEndsWithTwo() {
    qputenv("TENON_MEMORY_LIMIT", "banana");
    QString said;
    QTimer::singleShot(0, qApp, [&said] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      QVERIFY(box);
      said = box->informativeText();
      box->close();
    });
    QCOMPARE(refuseStart(badEnvironment()), 2);
    QVERIFY(said.contains(QLatin1String("TENON_MEMORY_LIMIT wants a number of bytes above 0")));
    QVERIFY(said.contains(QLatin1String("got 'banana'")));
    QVERIFY(said.contains(QLatin1String("start Tenon again")));
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::StartRefusalTest)
#include "start_refusal_test.moc"
