// SPDX-License-Identifier: GPL-3.0-or-later
// The whole frame without panels: nothing a person has done is lost without a question, and what
// goes wrong is said.
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "engine/project/project_file.h"
#include "engine/store/store.h"
#include "ui/session/commands.h"
#include "ui/session/document_edits.h"
#include "ui/shell/close_guard.h"
#include "ui/shell/main_window.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/project_desk.h"
#include "ui/shell/session.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

constexpr int kLong = 10000;

class WindowTest final : public QObject {
  Q_OBJECT

 private:
  struct Frame {
    QTemporaryDir dir;
    QSettings store{dir.filePath(QStringLiteral("s.ini")), QSettings::IniFormat};
    Session session{store, dir.filePath(QStringLiteral("data"))};
    ThemeController theme{*qApp};
    MainWindow window{WindowParts{session, theme, store, {}, {}}};

    Frame() { window.show(); }
    Document& document() { return session.document; }
    NoticeBar& notices() { return *window.findChild<NoticeBar*>(); }
  };
  std::unique_ptr<Frame> f_;

  QString writeSample(const QString& name = QStringLiteral("p")) {
    const QString to = f_->dir.filePath(name);
    QDir().mkpath(to);
    const QString file = to + QStringLiteral("/project.tenon");
    QFile::copy(QStringLiteral(TENON_SOURCE_DIR "/projects/fashion-mnist/project.tenon"), file);
    QFile::setPermissions(file, QFile::permissions(file) | QFile::WriteOwner);
    return to;
  }
  bool open(const QString& path) {
    QSignalSpy opened(&f_->document(), &Document::opened);
    f_->window.openProject(path);
    return opened.count() > 0 || opened.wait(kLong);
  }
  void setEpochs(int64_t epochs) {
    edits::setTrainParam(f_->document(), QStringLiteral("epochs"), epochs);
  }
  int64_t epochs() { return f_->document().spec().train->epochs; }
  static int64_t epochsInFile(const QString& folder) {
    return readProject((folder + QStringLiteral("/project.tenon")).toStdString())
        .project.train->epochs;
  }
  static bool press(QWidget* in, const QString& text) {
    if (!in) return false;
    for (QPushButton* button : in->findChildren<QPushButton*>()) {
      if (button->text().remove(u'&') != text || !button->isVisibleTo(in)) continue;
      button->click();
      return true;
    }
    return false;
  }
  /// The question that is open; null if none is.
  QMessageBox* question() {
    for (QMessageBox* box : f_->window.findChildren<QMessageBox*>())
      if (box->isVisible()) return box;
    return nullptr;
  }
  /// Starts what will be refused as soon as it is checked, and lets it go on without the window.
  bool startAndHide() {
    edits::setTrainPartType(f_->document(), edits::TrainPart::Loss, QStringLiteral("nonsense"));
    f_->session.run.start();
    if (f_->session.run.state() != RunState::Starting) return false;
    f_->window.close();
    return press(question(), QStringLiteral("Keep training")) && f_->window.isHidden() &&
           f_->window.guard().isTrainingHidden();
  }
  void trigger(const char* id) { f_->window.action(QLatin1String(id))->trigger(); }

 private Q_SLOTS:
  void init() { f_ = std::make_unique<Frame>(); }
  void cleanup() { f_.reset(); }

  void reloadAsksAboutEdits() {
    const QString folder = writeSample();
    QVERIFY(open(folder));
    QSignalSpy opened(&f_->document(), &Document::opened);
    trigger(command::kReload);  // nothing to lose: at once
    QVERIFY(!question());
    QVERIFY(opened.wait(kLong));

    f_->session.recovery.setRest(20);
    QSignalSpy written(&f_->session.recovery, &Recovery::written);
    setEpochs(77);
    QVERIFY(written.wait(kLong));
    const QString kept = f_->session.recovery.fileFor(f_->document().file());
    trigger(command::kReload);
    QVERIFY(question());
    QVERIFY(press(question(), QStringLiteral("Cancel")));
    QVERIFY(!opened.wait(200));
    QCOMPARE(epochs(), int64_t{77});
    QVERIFY(QFile::exists(kept));

    trigger(command::kReload);
    QVERIFY(press(question(), QStringLiteral("Discard and reload")));
    QVERIFY(opened.wait(kLong));
    QCOMPARE(epochs(), int64_t{5});
    QVERIFY(!QFile::exists(kept));  // and is not offered as if it were found
  }

  void reloadOfTheNoticeAsksToo() {
    const QString folder = writeSample();
    QVERIFY(open(folder));
    setEpochs(77);
    QSignalSpy outside(&f_->document(), &Document::fileChangedOutside);
    ProjectSpec theirs = f_->document().savedSpec();
    theirs.name = "theirs";
    writeProject(folder.toStdString(), theirs);
    QVERIFY(outside.wait(kLong));
    QVERIFY(f_->notices().isShowing(QStringLiteral("outside")));
    QVERIFY(press(&f_->notices(), QStringLiteral("Reload")));
    QVERIFY(press(question(), QStringLiteral("Cancel")));
    QCOMPARE(epochs(), int64_t{77});
    QVERIFY(f_->notices().isShowing(QStringLiteral("outside")));  // not answered

    QSignalSpy opened(&f_->document(), &Document::opened);
    QVERIFY(press(&f_->notices(), QStringLiteral("Reload")));
    QVERIFY(press(question(), QStringLiteral("Discard and reload")));
    QVERIFY(opened.wait(kLong));
    QCOMPARE(f_->document().spec().name, std::string("theirs"));
    QVERIFY(!f_->notices().isShowing(QStringLiteral("outside")));
  }

  void closingWaitsForTheNewestEdit() {
    const QString folder = writeSample();
    QVERIFY(open(folder));
    QSignalSpy finished(&f_->window.guard(), &CloseGuard::finished);
    setEpochs(7);
    trigger(command::kSave);
    setEpochs(8);
    f_->window.close();
    QVERIFY(press(question(), QStringLiteral("Save")));
    QVERIFY(finished.wait(kLong));
    QVERIFY(!f_->document().isDirty());
    QCOMPARE(epochsInFile(folder), int64_t{8});
  }

  void anEditWhileSavingIsSavedToo() {
    const QString folder = writeSample();
    QVERIFY(open(folder));
    setEpochs(7);
    bool settled = false;
    f_->window.desk().settleEdits([&] { settled = true; });
    QVERIFY(press(question(), QStringLiteral("Save")));
    setEpochs(8);
    QVERIFY(QTest::qWaitFor([&] { return settled; }, kLong));
    QVERIFY(!f_->document().isDirty());
    QCOMPARE(epochsInFile(folder), int64_t{8});
  }

  void refusalBringsTheHiddenWindowBack() {
    QVERIFY(open(writeSample()));
    QSignalSpy refused(&f_->session.run, &RunController::refused);
    QVERIFY(startAndHide());
    QVERIFY(refused.wait(kLong));
    QVERIFY(QTest::qWaitFor([this] { return f_->window.isVisible(); }, kLong));
    QVERIFY(!f_->window.guard().isTrainingHidden());
    QVERIFY(f_->notices().isShowing(QStringLiteral("refused")));
  }

  void troubleBringsTheHiddenWindowBack() {
    QVERIFY(open(writeSample()));
    QVERIFY(startAndHide());
    Q_EMIT f_->session.run.troubleChanged({});  // over: nothing to say
    QCoreApplication::sendPostedEvents(&f_->window.guard());
    QVERIFY(f_->window.isHidden());
    Q_EMIT f_->session.run.troubleChanged(QStringLiteral("No space left on device"));
    QCoreApplication::sendPostedEvents(&f_->window.guard());
    QVERIFY(f_->window.isVisible());
    QVERIFY(!f_->window.guard().isTrainingHidden());
    QVERIFY(f_->notices().isShowing(QStringLiteral("trouble")));
  }

  void anUnreadableStoreIsSaidOnce() {
    const QString folder = writeSample();
    QFile damaged(folder + QStringLiteral("/tenon.sqlite"));
    QVERIFY(damaged.open(QIODevice::WriteOnly));
    damaged.write(QByteArray(8192, 'x'));
    damaged.close();
    QVERIFY(open(folder));
    const auto isSaid = [this] { return f_->notices().isShowing(QStringLiteral("store")); };
    QVERIFY(QTest::qWaitFor(isSaid, kLong));
    f_->notices().dismiss(QStringLiteral("store"));
    Q_EMIT f_->session.runs.failed(QStringLiteral("other"));
    QVERIFY(isSaid());
    f_->notices().dismiss(QStringLiteral("store"));
    Q_EMIT f_->session.runs.failed(QStringLiteral("other"));  // closed by a person
    QVERIFY(!isSaid());
    Q_EMIT f_->session.runs.failed(QStringLiteral("a third"));
    QVERIFY(isSaid());
    QVERIFY(damaged.remove());
    (void)Store::open(folder.toStdString(), OpenMode::ReadWrite);
    QVERIFY(QTest::qWaitFor([&] { return !isSaid(); }, kLong));
  }

  void selectionOutlivesReload() {
    QVERIFY(open(writeSample()));
    Selection& selection = f_->session.selection;
    selection.setRuns({3});
    selection.setNodes({QStringLiteral("conv1")});
    QSignalSpy opened(&f_->document(), &Document::opened);
    trigger(command::kReload);
    QVERIFY(opened.wait(kLong));
    QCOMPARE(selection.runs(), QList<qint64>{3});
    QCOMPARE(selection.nodes(), QStringList{QStringLiteral("conv1")});
    QVERIFY(open(writeSample(QStringLiteral("q"))));  // another one
    QVERIFY(selection.runs().isEmpty());
    QVERIFY(selection.nodes().isEmpty());
  }

  void runWaitsForTheProjectThatIsOpened() {
    QVERIFY(open(writeSample()));
    QAction* run = f_->window.action(QLatin1String(command::kRun));
    QVERIFY(run->isEnabled());
    QSignalSpy opened(&f_->document(), &Document::opened);
    f_->window.openProject(writeSample(QStringLiteral("q")));
    QVERIFY(!run->isEnabled());
    QVERIFY(opened.wait(kLong));
    QVERIFY(run->isEnabled());
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::WindowTest)
#include "window_test.moc"
