// SPDX-License-Identifier: GPL-3.0-or-later
// Through the states and the places, with a picture of each.
#include "tests/screens/pictures.h"

#include <QApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>
#include <QPixmap>
#include <QRegularExpression>
#include <QScreen>
#include <QUrl>
#include <cerrno>

#include "engine/base/file_faults.h"
#include "tests/screens/act.h"
#include "tests/screens/journal.h"
#include "tests/screens/play.h"
#include "tests/screens/projects.h"
#include "tests/screens/stage.h"
#include "ui/session/document_edits.h"
#include "ui/shell/main_window.h"
#include "ui/shell/mode_page.h"
#include "ui/shell/session.h"

namespace tenon::screens {
namespace {

constexpr int64_t kManyEpochs = 500;
constexpr int kRestMs = 700;  // thumbnails, layouts and plots come a little later

QString modeFile(ui::Mode mode) {
  static const QStringList kNames = {QStringLiteral("welcome"), QStringLiteral("data"),
                                     QStringLiteral("model"),   QStringLiteral("train"),
                                     QStringLiteral("inspect"), QStringLiteral("results")};
  return kNames.at(static_cast<int>(mode));
}

class Camera {
 public:
  Camera(Stage& stage, const QString& folder) : stage_(stage), folder_(folder) {}

  /// Every mode and every tab, in both themes.
  void everywhere(const QString& state) {
    inBothThemes([&] {
      for (const ui::Mode mode : ui::kModes) {
        show(mode);
        take(state + u'-' + modeFile(mode));
        int number = 2;
        throughTabs(stage_, [&](const QString&) {
          take(QStringLiteral("%1-%2-tab%3").arg(state, modeFile(mode)).arg(number++));
        });
      }
    });
  }

  void some(const QString& state, const QList<ui::Mode>& modes) {
    inBothThemes([&] {
      for (const ui::Mode mode : modes) {
        show(mode);
        take(state + u'-' + modeFile(mode));
      }
    });
  }

  /// Before the run has a number.
  void loading() {
    stage_.setTheme(QStringLiteral("light"));
    show(ui::Mode::Train);
    stage_.session().run.start();
    settle(30);
    take(QStringLiteral("loading-train"));
  }

  /// A run that does not end while it is looked at.
  void running() {
    const int64_t usual = stage_.session().document.spec().train->epochs;
    setEpochs(kManyEpochs);
    loading();
    ui::RunController& run = stage_.session().run;
    await(QStringLiteral("some points are there"), 60'000,
          [&run] { return run.progress().step >= 8; });
    run.recordNextStep();
    some(QStringLiteral("running"),
         {ui::Mode::Model, ui::Mode::Train, ui::Mode::Inspect, ui::Mode::Results});
    require(run.isComputing(), QStringLiteral("the run ended while it was looked at"));
    run.stop();
    awaitEnd(stage_);
    setEpochs(usual);
  }

  /// While files are dragged over the window.
  void drags(const QString& project) {
    const QString file = QDir(project).filePath(QStringLiteral("train-images.idx"));
    inBothThemes([&] {
      show(ui::Mode::Data);
      drag(QStringLiteral("project"), {project});
      drag(QStringLiteral("other"), {file});
      drag(QStringLiteral("several"), {project, file});
    });
  }

  /// A run that was paused, then finds no room for what it has to write.
  void fullDisk() {
    ui::RunController& run = stage_.session().run;
    run.start();
    await(QStringLiteral("the run begins"), 60'000,
          [&run] { return run.state() == ui::RunState::Running; });
    run.pause();
    await(QStringLiteral("the run is paused"), 60'000,
          [&run] { return run.state() == ui::RunState::Paused; });
    FaultPlan full(FileOperation::Write, 1, ENOSPC, true);
    {
      const FaultScope scope(full);
      run.step();
      await(QStringLiteral("the disk is full"), 60'000,
            [&run] { return run.state() == ui::RunState::Trouble; });
      some(QStringLiteral("full-disk"), {ui::Mode::Model, ui::Mode::Train, ui::Mode::Results});
    }
    run.retryStore();
    await(QStringLiteral("there is room again"), 60'000,
          [&run] { return run.state() == ui::RunState::Paused; });
    run.stop();
    awaitEnd(stage_);
  }

  void windows() {
    inBothThemes([&] {
      show(ui::Mode::Train);
      throughMenus(stage_, [&](QMenu&, const QString& name) {
        take(QStringLiteral("menu-") + plain(name));
      });
      throughDialogs(stage_, [&](QWidget&, const QString& name) {
        take(QStringLiteral("window-") + plain(name));
      });
    });
  }

 private:
  void setEpochs(int64_t epochs) {
    ui::Document& document = stage_.session().document;
    ui::edits::setTrainParam(document, QStringLiteral("epochs"), epochs);
    document.save();
    await(QStringLiteral("the project is saved"), 10'000,
          [&document] { return !document.isDirty(); });
  }

  void drag(const QString& name, const QStringList& files) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& file : files) urls.append(QUrl::fromLocalFile(file));
    data.setUrls(urls);
    ui::MainWindow& window = stage_.window();
    QDragEnterEvent enter(window.rect().center(), Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &enter);
    settle();
    take(QStringLiteral("veil-") + name);
    QDragLeaveEvent leave;
    QApplication::sendEvent(&window, &leave);
  }

  template <class Then>
  void inBothThemes(Then then) {
    for (const QString& theme : {QStringLiteral("dark"), QStringLiteral("light")}) {
      stage_.setTheme(theme);
      theme_ = theme;
      then();
    }
  }

  static QString plain(QString name) {
    static const QRegularExpression others(QStringLiteral("[^\\w.]+"));
    return name.remove(u'&').replace(others, QStringLiteral("_")).toLower();
  }

  void show(ui::Mode mode) {
    stage_.session().navigation.go(mode);
    parkPointer();
    settle(kRestMs);
  }

  void take(const QString& name) {
    keepPicture(QDir(folder_).filePath(QStringLiteral("%1-%2.png").arg(theme_, name)));
  }

  Stage& stage_;
  QString folder_;
  QString theme_ = QStringLiteral("light");
};

}  // namespace

void keepPicture(const QString& file) {
  const QPixmap picture = QGuiApplication::primaryScreen()->grabWindow(0);
  require(picture.save(file), QStringLiteral("cannot write %1").arg(file));
}

void takePictures(Stage& stage, const QString& folder) {
  const QString home = qEnvironmentVariable("HOME");
  Camera camera(stage, folder);
  stage.awaitProject();
  camera.everywhere(QStringLiteral("empty"));
  camera.running();
  stage.session().run.start();
  awaitEnd(stage);
  camera.everywhere(QStringLiteral("done"));
  camera.windows();
  camera.fullDisk();
  camera.drags(QDir(home).filePath(QStringLiteral("small")));
  openProject(stage, writeFaultyProject(home));
  camera.some(QStringLiteral("faulty"), {ui::Mode::Data, ui::Mode::Model, ui::Mode::Train});
  openProject(stage, writeDamagedProject(home));
  camera.some(QStringLiteral("damaged"), {ui::Mode::Data, ui::Mode::Model});
  openProject(stage, writeUnreadableProject(home));
  camera.some(QStringLiteral("unreadable"),
              {ui::Mode::Train, ui::Mode::Inspect, ui::Mode::Results});
  openProject(stage, writeHugeProject(home));
  settle(3000);  // the layout of hundreds of layers
  camera.some(QStringLiteral("huge"),
              {ui::Mode::Welcome, ui::Mode::Data, ui::Mode::Model, ui::Mode::Results});
  note(QStringLiteral("pictures are in %1").arg(folder));
}

}  // namespace tenon::screens
