// SPDX-License-Identifier: GPL-3.0-or-later
// Step by step through the main job.
#include "tests/screens/main_job.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QMenuBar>
#include <QScreen>
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "engine/store/checkpoints.h"
#include "tests/screens/act.h"
#include "tests/screens/journal.h"
#include "tests/screens/stage.h"
#include "ui/plot/line_plot.h"
#include "ui/session/commands.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/theme.h"

namespace tenon::screens {
namespace {

using ui::RunState;

constexpr int kFirstPointMs = 20'000;  // 2 s on a quiet machine; a loaded one may take its time

/// Points of the first curve as its text for screen readers tells them: it has a last value.
bool hasPoints(const ui::LinePlot& plot) { return plot.summary().contains(QLatin1String("last ")); }

/// True for a pixel of a curve in this colour, also where it is drawn thin or half transparent.
bool isTinted(QRgb pixel, const QColor& curve) {
  constexpr int kHueSlack = 20;
  constexpr int kLeastSaturation = 40;  // grid, text and ground are nearly grey
  const QColor color(pixel);
  const int apart = std::abs(color.hsvHue() - curve.hsvHue());
  return color.hsvSaturation() > kLeastSaturation && std::min(apart, 360 - apart) < kHueSlack;
}

/// True if the screen itself shows the colour of the first series inside the plot's axes.
bool showsCurve(const ui::LinePlot& plot) {
  QScreen* screen = QGuiApplication::primaryScreen();
  const QImage picture = screen->grabWindow(0).toImage();
  const double ratio = screen->devicePixelRatio();
  const QRect area = plot.plotArea();
  const QPoint corner = plot.mapToGlobal(area.topLeft());
  const QRect seen(corner * ratio, area.size() * ratio);
  const QColor series = ui::currentTheme().series[0];
  int found = 0;
  for (int y = seen.top(); y <= seen.bottom(); ++y)
    for (int x = seen.left(); x <= seen.right(); ++x)
      if (picture.valid(x, y) && isTinted(picture.pixel(x, y), series)) ++found;
  return found >= 4;
}

class MainJob {
 public:
  explicit MainJob(Stage& stage) : stage_(stage), session_(stage.session()) {}

  void opens() {
    note(QStringLiteral("first paint after %1 s").arg(stage_.firstPaint(), 0, 'f', 2));
    await(QStringLiteral("the sample is open and checked"), 30'000,
          [this] { return session_.document.isOpen() && session_.check.isCurrent(); });
    require(session_.document.folder().startsWith(qEnvironmentVariable("HOME")),
            QStringLiteral("the sample was opened in place, not as a copy"));
    require(session_.check.errorCount() == 0, QStringLiteral("the sample has errors"));
    require(session_.navigation.current().mode == ui::Mode::Train,
            QStringLiteral("the sample does not open in Train"));
    await(QStringLiteral("Run has the focus"), 5000, [] {
      const QWidget* focus = QApplication::focusWidget();
      return focus && focus->objectName() == QLatin1String("runButton");
    });
  }

  void runs() {
    auto* run = stage_.window().findChild<QWidget*>(QStringLiteral("runButton"));
    require(run != nullptr, QStringLiteral("the window has no Run"));
    const auto& plot = stage_.part<ui::LinePlot>(QStringLiteral("loss"));
    require(!hasPoints(plot), QStringLiteral("the plot has points before a run"));
    click(*run);
    const double seconds = await(QStringLiteral("the loss plot has a point"), kFirstPointMs,
                                 [&plot] { return hasPoints(plot); });
    note(QStringLiteral("Run to the first point: %1 s (a quiet machine takes at most 2)")
             .arg(seconds, 0, 'f', 2));
    await(QStringLiteral("the screen shows the loss curve"), 30'000,
          [&plot] { return showsCurve(plot); });
    require(session_.run.state() == RunState::Running,
            QStringLiteral("the controller does not say Running"));
  }

  void records() {
    choose(stage_.menus(), *stage_.window().action(QLatin1String(ui::command::kRecord)));
    await(QStringLiteral("graph and memory of a step are in the store"), 30'000, [this] {
      askForRecordings();
      return recording_ && recording_->graphArtifact > 0 && recording_->memoryArtifact > 0;
    });
  }

  void stops() {
    const auto* job = stage_.window().findChild<QWidget*>(QStringLiteral("jobBar"));
    require(job && job->isVisible(), QStringLiteral("no job bar while a training runs"));
    click(buttonOf(*job, QLatin1String(ui::command::kStop)));
    await(QStringLiteral("the training has ended"), 30'000,
          [this] { return !session_.run.isLive(); });
    await(QStringLiteral("the run is Stopped in the store"), 5000, [this] {
      const RunInfo* run = session_.runs.runs().find(session_.run.run());
      return run && run->status == RunStatus::Stopped && run->step >= 0;
    });
    std::optional<std::vector<CheckpointInfo>> kept;
    session_.runs.query(
        &stage_.window(),
        [run = session_.run.run()](Store& store) { return store.checkpoints().list(run); },
        [&kept](const std::vector<CheckpointInfo>& list) { kept = list; });
    require(waitUntil([&kept] { return kept.has_value(); }, 10'000),
            QStringLiteral("the store does not answer"));
    require(!kept->empty(), QStringLiteral("Stop left no checkpoint"));
    note(QStringLiteral("checkpoint of step %1, %2 bytes")
             .arg(kept->back().step)
             .arg(kept->back().bytes));
  }

  void findsRun() {
    stage_.clickMode(ui::Mode::Results);
    const auto& table = stage_.part<ui::TableView>(QStringLiteral("run_table"));
    const QAbstractItemModel& model = *table.sourceModel();
    require(table.isVisible(), QStringLiteral("Results does not show its table"));
    require(model.rowCount() == 1, QStringLiteral("Results has %1 runs").arg(model.rowCount()));
    const QString status = model.index(0, ui::RunsModel::Status).data().toString();
    require(status == ui::runStatusText(RunStatus::Stopped),
            QStringLiteral("Results says '%1' of a stopped run").arg(status));
    note(QStringLiteral("Results has %1, %2")
             .arg(model.index(0, ui::RunsModel::Name).data().toString(), status));
  }

  void quits() {
    press(QStringLiteral("ctrl+q"));
    await(QStringLiteral("Ctrl+Q closes the window"), 10'000,
          [this] { return !stage_.window().isVisible(); });
  }

 private:
  /// The answer is in recording_ once it is there.
  void askForRecordings() {
    session_.runs.listRecordings(&stage_.window(), [this](const QList<ui::RecordingInfo>& all) {
      if (!all.isEmpty()) recording_ = all.first();
    });
  }

  Stage& stage_;
  ui::Session& session_;
  std::optional<ui::RecordingInfo> recording_;
};

}  // namespace

void doMainJob(Stage& stage) {
  MainJob job(stage);
  job.opens();
  job.runs();
  job.records();
  job.stops();
  job.findsRun();
  job.quits();
}

}  // namespace tenon::screens
