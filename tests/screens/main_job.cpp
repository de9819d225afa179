// SPDX-License-Identifier: GPL-3.0-or-later
// Step by step through the main job.
#include "tests/screens/main_job.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QListView>
#include <QMenuBar>
#include <QScreen>
#include <QTreeView>
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "engine/store/checkpoints.h"
#include "tests/screens/act.h"
#include "tests/screens/journal.h"
#include "tests/screens/stage.h"
#include "ui/graphview/graph_view.h"
#include "ui/plot/line_plot.h"
#include "ui/session/commands.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session.h"
#include "ui/tracks/stack_track.h"
#include "ui/tracks/tile_source.h"
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

  void findsRecording() {
    stage_.clickMode(ui::Mode::Inspect);
    auto& list = stage_.part<QListView>(QStringLiteral("recordings"));
    await(QStringLiteral("Inspect lists the recording"), 10'000,
          [&list] { return list.model()->rowCount() == 1; });
    click(*list.viewport(), list.visualRect(list.model()->index(0, 0)).center());
    const ui::RecordingKey key = session_.selection.recording();
    require(recording_ && key == recording_->key,
            QStringLiteral("a click on the recording selects step %1 of run %2")
                .arg(key.step)
                .arg(key.run));
    auto& graph = stage_.part<ui::GraphView>(QStringLiteral("step_graph"));
    const size_t layers = session_.document.spec().graph->nodes.size();
    await(QStringLiteral("the graph has a node for each layer at least"), 15'000, [&] {
      return graph.graph().nodes.size() >= static_cast<qsizetype>(layers) && !graph.isMoving();
    });
    note(QStringLiteral("%1 nodes, %2 wires")
             .arg(graph.graph().nodes.size())
             .arg(graph.graph().edges.size()));
    opensNode(graph);
    opensBlock();
  }

  void quits() {
    press(QStringLiteral("ctrl+q"));
    await(QStringLiteral("Ctrl+Q closes the window"), 10'000,
          [this] { return !stage_.window().isVisible(); });
  }

 private:
  /// A click on a node tells of it on the right.
  void opensNode(ui::GraphView& graph) {
    const QRect seen = graph.viewport()->rect().adjusted(8, 8, -8, -8);
    for (const ui::GraphNode& node : graph.graph().nodes) {
      const QPoint at = graph.nodeArea(node.id).center();
      // The minimap lies over a corner.
      if (!seen.contains(at) || graph.nodeAt(at) != node.id || graph.viewport()->childAt(at))
        continue;
      click(*graph.viewport(), at);
      await(QStringLiteral("a click selects the node %1").arg(node.title), 5000,
            [this] { return session_.selection.recordedNode() >= 0; });
      const auto& tree = stage_.part<QTreeView>(QStringLiteral("node_details"));
      await(QStringLiteral("the details tell of it"), 5000,
            [&tree] { return tree.isVisible() && tree.model()->rowCount() > 0; });
      return;
    }
    throw Failed(QStringLiteral("no node can be clicked in Inspect's graph"));
  }

  /// A click into the memory track selects the block there.
  void opensBlock() {
    auto& track = stage_.part<ui::StackTrack>(QStringLiteral("memory_track"));
    await(QStringLiteral("the memory track is drawn"), 15'000,
          [&track] { return track.source() && track.isSettled(); });
    const QRect area = track.plotArea();
    constexpr int kHalf = 4;  // not at an edge, where a pixel decides
    for (int y = area.bottom() - kHalf; y > area.top() + kHalf; y -= kHalf) {
      const QPoint at(area.center().x(), y);
      const qint64 block = track.blockAt(at);
      const bool large = track.blockAt(at - QPoint(0, kHalf)) == block &&
                         track.blockAt(at + QPoint(0, kHalf)) == block;
      if (block < 0 || block == ui::TileSpan::kSmall || !large) continue;
      click(track, at);
      await(QStringLiteral("a click selects the block there"), 5000,
            [&] { return session_.selection.block() != 0 && track.selected() == block; });
      return;
    }
    throw Failed(QStringLiteral("no block can be clicked in the memory track"));
  }

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
  job.findsRecording();
  job.quits();
}

void doFirstStart(Stage& stage) {
  MainJob job(stage);
  job.opens();
  job.quits();
}

}  // namespace tenon::screens
