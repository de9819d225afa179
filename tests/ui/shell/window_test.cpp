// SPDX-License-Identifier: GPL-3.0-or-later
// The whole frame without panels: nothing a person has done is lost without a question, and what
// goes wrong is said.
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>
#include <cerrno>

#include "engine/project/project_file.h"
#include "engine/store/store.h"
#include "ui/session/commands.h"
#include "ui/session/document_edits.h"
#include "ui/shell/close_guard.h"
#include "ui/shell/drop_veil.h"
#include "ui/shell/main_window.h"
#include "ui/shell/mode_bar.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/project_desk.h"
#include "ui/shell/session.h"
#include "ui/widgets/section.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

constexpr int kLong = 30000;

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

  /// A held key must not order a recording and take it back in turn.
  void recordingIsOrderedOncePerKey() {
    QAction* record = f_->window.action(QLatin1String(command::kRecord));
    QVERIFY(record->isCheckable());
    QVERIFY(!record->autoRepeat());
  }

  /// Why the training waits and what to do stands in every mode until it goes on.
  void aFullDiskIsSaidUntilItIsOver() {
    QVERIFY(open(writeSample()));
    const RunTrouble full = troubleOf({Code::Io, ENOSPC, "[store] write 'x'"}, f_->dir.path());
    Q_EMIT f_->session.run.troubleChanged(full);
    QVERIFY(f_->notices().isShowing(QStringLiteral("trouble")));
    QString said;
    for (const QLabel* label : f_->notices().findChildren<QLabel*>()) said += label->text() + u'\n';
    for (const QString& part :
         {QStringLiteral("The disk is full"), f_->dir.path(), QStringLiteral("Make room"),
          QStringLiteral("nothing is lost"), QStringLiteral("[store] write 'x'")})
      QVERIFY2(said.contains(part), qPrintable(said));
    Q_EMIT f_->session.run.troubleChanged({});
    QVERIFY(!f_->notices().isShowing(QStringLiteral("trouble")));
  }

  void escapeClosesTheNewestNoticeThatCanBeClosed() {
    Notice notice;
    for (const char* key : {"old", "new"}) {
      notice.key = QLatin1String(key);
      f_->notices().show(notice);
    }
    notice.key = QStringLiteral("stays");
    notice.stays = true;
    f_->notices().show(notice);
    const auto shown = [this] {
      QStringList keys;
      for (const char* key : {"old", "new", "stays"})
        if (f_->notices().isShowing(QLatin1String(key))) keys << QLatin1String(key);
      return keys.join(u' ');
    };
    QTest::keyClick(&f_->window, Qt::Key_Escape);
    QCOMPARE(shown(), QStringLiteral("old stays"));
    QTest::keyClick(&f_->window, Qt::Key_Escape);
    QCOMPARE(shown(), QStringLiteral("stays"));
    QTest::keyClick(&f_->window, Qt::Key_Escape);
    QCOMPARE(shown(), QStringLiteral("stays"));
  }

  /// An error is marked on the mode in which it is mended.
  void errorsAreMarkedWhereTheyAre() {
    QVERIFY(open(writeSample()));
    const auto marked = [this](Mode mode) {
      const auto* bar = f_->window.findChild<ModeBar*>();
      const auto buttons = bar->findChildren<ModeButton*>();
      return buttons.at(static_cast<int>(mode))->badge() == std::optional(Tint::Bad);
    };
    edits::setTrainPartType(f_->document(), edits::TrainPart::Loss, QStringLiteral("nonsense"));
    QVERIFY(QTest::qWaitFor([&] { return marked(Mode::Train); }, kLong));
    QVERIFY(!marked(Mode::Model));
    DataSpec data = *f_->document().spec().data;
    data.reader.type = "nonsense";
    edits::setData(f_->document(), QStringLiteral("x"), data, QStringLiteral("data.reader"));
    QVERIFY(QTest::qWaitFor([&] { return marked(Mode::Data); }, kLong));
    QVERIFY(!marked(Mode::Model));
  }

  /// What cannot be done says why, in the menu as in the palette.
  void resumeSaysWhyItCannotBeDone() {
    QVERIFY(open(writeSample()));
    const QAction* resume = f_->window.action(QLatin1String(command::kResumeRun));
    QVERIFY(!resume->isEnabled());
    QVERIFY2(resume->toolTip().contains(QStringLiteral("No run is selected")),
             qPrintable(resume->toolTip()));
    QCOMPARE(resume->statusTip(), QStringLiteral("No run is selected"));
  }

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
    Q_EMIT f_->session.run.troubleChanged(
        troubleOf({Code::Io, ENOSPC, "full"}, QStringLiteral("/p")));
    QCoreApplication::sendPostedEvents(&f_->window.guard());
    QVERIFY(f_->window.isVisible());
    QVERIFY(!f_->window.guard().isTrainingHidden());
    QVERIFY(f_->notices().isShowing(QStringLiteral("trouble")));
  }

  void aLostRecordingIsSaid() {
    RunController& run = f_->session.run;
    const QString reason = QStringLiteral("No space left on device");
    for (const char* kind : {"graph", "memory"})
      Q_EMIT run.artifactLost(1, QLatin1String(kind), reason);
    QVERIFY(f_->notices().isShowing(QStringLiteral("lost")));
    QStringList texts;
    for (const QLabel* label : f_->notices().findChildren<QLabel*>())
      if (label->isVisibleTo(&f_->notices())) texts.append(label->text());
    QVERIFY2(texts.contains(QStringLiteral("The recorded step could not be kept: ") + reason),
             qPrintable(texts.join(u'\n')));
    Q_EMIT run.artifactStored(1, QStringLiteral("graph"), 7);  // there is room again
    QVERIFY(!f_->notices().isShowing(QStringLiteral("lost")));
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

  void aShippedSampleIsOpenedAsACopy() {
    qputenv("TENON_PROJECTS", f_->dir.filePath(QStringLiteral("shipped")).toUtf8());
    const QString shipped = writeSample(QStringLiteral("shipped/fashion-mnist"));
    const QString parent = f_->dir.filePath(QStringLiteral("Tenon"));
    f_->session.settings.set(QLatin1String(setting::kProjectsFolder), parent.toStdString());
    QSignalSpy ready(&f_->window.desk(), &ProjectDesk::sampleOpened);
    QVERIFY(open(shipped));
    const QString copy = f_->document().folder();
    QCOMPARE(copy, QFileInfo(parent + QStringLiteral("/Fashion-MNIST")).canonicalFilePath());
    QCOMPARE(ready.count(), 1);
    QCOMPARE(f_->session.navigation.current().mode, Mode::Train);
    setEpochs(7);
    trigger(command::kSave);
    QVERIFY(QTest::qWaitFor([this] { return !f_->document().isDirty(); }, kLong));

    QVERIFY(open(writeSample(QStringLiteral("q"))));
    QVERIFY(open(shipped + QStringLiteral("/project.tenon")));
    QCOMPARE(f_->document().folder(), copy);  // and no second one
    QCOMPARE(ready.count(), 2);
    QCOMPARE(epochs(), int64_t{7});
    QCOMPARE(epochsInFile(shipped), int64_t{5});
    QCOMPARE(QDir(shipped).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList{QStringLiteral("project.tenon")});
    f_->window.openProject(shipped);  // open already: nothing happens
    QCOMPARE(f_->document().folder(), copy);
    qunsetenv("TENON_PROJECTS");
  }

  void aDragSaysWhatADropDoes() {
    const QString folder = writeSample(QStringLiteral("mine"));
    auto* veil = f_->window.findChild<DropVeil*>();
    QVERIFY(veil && !veil->isVisible());
    const auto drag = [this](const QStringList& paths) {
      auto data = std::make_unique<QMimeData>();
      QList<QUrl> urls;
      for (const QString& path : paths) urls.append(QUrl::fromLocalFile(path));
      data->setUrls(urls);
      QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, data.get(), Qt::LeftButton, {});
      QCoreApplication::sendEvent(&f_->window, &enter);
      return std::pair(std::move(data), enter.isAccepted());
    };
    const auto leave = [this] {
      QDragLeaveEvent event;
      QCoreApplication::sendEvent(&f_->window, &event);
    };
    const auto drop = [this](const QMimeData& data) {
      QDropEvent event(QPointF(400, 300), Qt::CopyAction, &data, Qt::LeftButton, {});
      QCoreApplication::sendEvent(&f_->window, &event);
    };
    QVERIFY(!drag({}).second);
    QVERIFY(!veil->isVisible());

    QVERIFY(drag({f_->dir.path()}).second);  // no project in it
    QVERIFY(veil->isVisible());
    QVERIFY(veil->title().contains(QLatin1String("no project")));
    QVERIFY(veil->project().isEmpty());
    leave();
    QVERIFY(!veil->isVisible());
    QVERIFY(drag({folder, f_->dir.path()}).second);
    QVERIFY(veil->project().isEmpty());
    drop(*drag({f_->dir.path()}).first);
    QVERIFY(!veil->isVisible());
    QVERIFY(!f_->document().isOpening());

    const auto data = drag({folder}).first;
    QVERIFY(veil->isVisible());
    QCOMPARE(veil->size(), f_->window.size());
    QCOMPARE(veil->title(), QStringLiteral("Open mine"));
    QCOMPARE(veil->text(), QDir::toNativeSeparators(folder));
    QSignalSpy opened(&f_->document(), &Document::opened);
    drop(*data);
    QVERIFY(!veil->isVisible());
    QVERIFY(opened.wait(kLong));
    QCOMPARE(f_->document().folder(), QFileInfo(folder).canonicalFilePath());
    QVERIFY(drag({folder + QStringLiteral("/project.tenon")}).second);
    QCOMPARE(veil->title(), QStringLiteral("Open mine"));
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
