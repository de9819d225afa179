// SPDX-License-Identifier: GPL-3.0-or-later
// Samples and copies, one window a project, notices.
#include <QAction>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "engine/base/error.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/sample_projects.h"
#include "ui/shell/single_instance.h"

namespace tenon::ui {

class ProjectsTest final : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<QTemporaryDir> dir_;

  static void write(const QString& path, const QByteArray& text) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  }

 private Q_SLOTS:
  void init() { dir_ = std::make_unique<QTemporaryDir>(); }
  void cleanup() { dir_.reset(); }

  void copiesASample() {
    qputenv("TENON_PROJECTS", TENON_SOURCE_DIR "/projects");
    const QString sample = firstSample();
    QVERIFY(sample.endsWith(QStringLiteral("fashion-mnist")));
    const QString parent = dir_->filePath(QStringLiteral("Tenon"));
    const QString copy = copyProject(sample, parent);
    QCOMPARE(QFileInfo(copy).fileName(), QStringLiteral("Fashion-MNIST"));
    QVERIFY(QFile::exists(copy + QStringLiteral("/project.tenon")));
    QVERIFY(QFileInfo(copy + QStringLiteral("/project.tenon")).isWritable());
    QCOMPARE(QFileInfo(copyProject(sample, parent)).fileName(), QStringLiteral("Fashion-MNIST 2"));
    qputenv("TENON_PROJECTS", "/nowhere");
    QVERIFY(firstSample().isEmpty());
    qunsetenv("TENON_PROJECTS");
  }

  void knowsWhatIsShipped() {
    qputenv("TENON_PROJECTS", TENON_SOURCE_DIR "/projects");
    const QString sample = firstSample();
    QCOMPARE(shippedSampleOf(sample), sample);
    QCOMPARE(shippedSampleOf(sample + QStringLiteral("/project.tenon")), sample);
    QCOMPARE(shippedSampleOf(sample + QStringLiteral("/../fashion-mnist/")), sample);
    QVERIFY(shippedSampleOf(dir_->path()).isEmpty());
    QVERIFY(shippedSampleOf(dir_->filePath(QStringLiteral("no"))).isEmpty());
    const QString link = dir_->filePath(QStringLiteral("link"));
    QVERIFY(QFile::link(sample, link));
    QCOMPARE(shippedSampleOf(link), sample);
    qputenv("TENON_PROJECTS", "/nowhere");
    QVERIFY(shippedSampleOf(sample).isEmpty());
    qunsetenv("TENON_PROJECTS");
  }

  void findsTheCopyAgain() {
    qputenv("TENON_PROJECTS", TENON_SOURCE_DIR "/projects");
    const QString sample = firstSample();
    const QString parent = dir_->filePath(QStringLiteral("Tenon"));
    QVERIFY(copyOfSample(sample, parent).isEmpty());
    // A project of the person's own that only has the folder's name.
    write(parent + QStringLiteral("/Fashion-MNIST/project.tenon"),
          R"({"format_version": 1, "name": "mine"})");
    QVERIFY(copyOfSample(sample, parent).isEmpty());
    const QString copy = QFileInfo(copyProject(sample, parent)).canonicalFilePath();
    QCOMPARE(copyOfSample(sample, parent), copy);
    write(copy + QStringLiteral("/project.tenon"), "{ broken");
    QVERIFY(copyOfSample(sample, parent).isEmpty());
    qunsetenv("TENON_PROJECTS");
  }

  void leavesRunsBehind() {
    const QString from = dir_->filePath(QStringLiteral("p"));
    QDir().mkpath(from);
    QFile::copy(QStringLiteral(TENON_SOURCE_DIR "/projects/fashion-mnist/project.tenon"),
                from + QStringLiteral("/project.tenon"));
    write(from + QStringLiteral("/data/images.gz"), "x");
    write(from + QStringLiteral("/tenon.sqlite"), "x");
    write(from + QStringLiteral("/tenon.sqlite-wal"), "x");
    write(from + QStringLiteral("/checkpoints.sqlite"), "x");
    write(from + QStringLiteral("/.tenon.lock"), "x");
    const QString copy = copyProject(from, dir_->filePath(QStringLiteral("copies")));
    QCOMPARE(QDir(copy).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList({QStringLiteral("data"), QStringLiteral("project.tenon")}));
    QVERIFY(QFile::exists(copy + QStringLiteral("/data/images.gz")));
  }

  void refusesToCopyNothing() {
    QVERIFY_EXCEPTION_THROWN(copyProject(dir_->filePath(QStringLiteral("no")), dir_->path()),
                             tenon::Error);
    QCOMPARE(folderName(QStringLiteral(" ../a/b ")), QStringLiteral("-a-b"));
    QCOMPARE(folderName(QString()), QStringLiteral("project"));
  }

  void secondStartRaisesTheFirst() {
    SingleInstance first;
    SingleInstance second;
    QSignalSpy raise(&first, &SingleInstance::raiseRequested);
    const QString folder = dir_->path();
    QVERIFY(first.claim(folder));
    QVERIFY(first.claim(folder));  // has it already
    QVERIFY(!second.claim(folder));
    QTRY_COMPARE(raise.count(), 1);
    // By real path: a link is the same project.
    const QString link = dir_->path() + QStringLiteral("-link");
    QVERIFY(QFile::link(folder, link));
    QVERIFY(!second.claim(link));
    QFile::remove(link);
    first.release();
    QVERIFY(second.claim(folder));
  }

  void noticesComeAndGo() {
    NoticeBar bar;
    bar.resize(800, 100);
    QVERIFY(!bar.isVisibleTo(nullptr));
    int pressed = 0;
    int followed = 0;
    Notice notice;
    notice.key = QStringLiteral("k");
    notice.kind = Notice::Kind::Error;
    notice.text = QStringLiteral("Broken");
    notice.lines = {{QStringLiteral("line <1>"), [&] { ++followed; }}};
    notice.actions = {{QStringLiteral("Mend"), [&] { ++pressed; }, true}};
    bar.show(notice);
    bar.show(notice);  // replaces
    QVERIFY(bar.isShowing(QStringLiteral("k")));
    for (QLabel* label : bar.findChildren<QLabel*>())
      if (label->text().contains(QStringLiteral("&lt;1&gt;")))
        Q_EMIT label->linkActivated(QStringLiteral("go"));
    QVERIFY(followed >= 1);
    QPushButton* mend = nullptr;
    for (QPushButton* button : bar.findChildren<QPushButton*>())
      if (button->text() == QStringLiteral("Mend")) mend = button;
    QVERIFY(mend);
    mend->click();
    QVERIFY(pressed == 1);
    QVERIFY(!bar.isShowing(QStringLiteral("k")));
    QVERIFY(bar.isHidden());
    // What says how things stand goes when it is not so any more, not before.
    const auto closers = [&] {
      int count = 0;
      for (const QToolButton* button : bar.findChildren<QToolButton*>())
        count += button->accessibleName() == QLatin1String("Close this notice") &&
                 button->isVisibleTo(&bar);
      return count;
    };
    notice.actions.clear();
    bar.show(notice);
    QCOMPARE(closers(), 1);
    notice.stays = true;
    bar.show(notice);
    QCOMPARE(closers(), 0);
    bar.dismiss(QStringLiteral("k"));
    QVERIFY(bar.isHidden());
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::ProjectsTest)
#include "projects_test.moc"
