// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the recorded step and shows it on the canvas.
#include "ui/panels/step_graph/step_graph_view.h"

#include <QAction>
#include <QButtonGroup>
#include <QCheckBox>
#include <QEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QStackedLayout>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "ui/graphview/graph_view.h"
#include "ui/panels/step_graph/step_graph_layout.h"
#include "ui/session/commands.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/prompts.h"
#include "ui/session/recorded_step.h"
#include "ui/session/run_controller.h"
#include "ui/session/run_data.h"
#include "ui/session/save_file.h"
#include "ui/settings/user_settings.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kLoadingMs = 200;
constexpr double kReadable = 0.75;  // zoom above which the second lines can be read

}  // namespace

StepGraphView::~StepGraphView() { stop_.request_stop(); }

void StepGraphView::follow() {
  waiting_ = context_.run.isRecordingDue();  // this page may be younger than the order
  connect(&step_, &RecordedStep::changed, this, &StepGraphView::stepChanged);
  Selection& selection = context_.selection;
  connect(&selection, &Selection::recordedNodeChanged, this, [this] { takeSelection(); });
  connect(view_, &GraphView::selectionChanged, this, &StepGraphView::tellSelection);
  connect(view_, &GraphView::activated, this, &StepGraphView::activate);
  connect(view_, &GraphView::followed, this, &StepGraphView::showOnCanvas);
  connect(view_, &GraphView::contextMenuRequested, this, &StepGraphView::showMenu);
  const auto takeWheel = [this] {
    view_->setWheelZooms(context_.settings.flag(QLatin1String(setting::kWheelZooms)));
  };
  connect(&context_.settings, &UserSettings::changed, this, takeWheel);
  takeWheel();
  connect(&slow_, &QTimer::timeout, this, [this] { waitBar_->show(); });
  connect(&context_.run, &RunController::recordingDueChanged, this, [this](bool due) {
    if (due) setWaiting(true);
  });
  connect(&context_.run, &RunController::canWithdrawRecordingChanged, this,
          [this] { setWaiting(waiting_); });
  connect(&context_.run, &RunController::recordingWithdrawn, this, [this] { setWaiting(false); });
  connect(&context_.run, &RunController::stateChanged, this, [this](RunState state) {
    if (state == RunState::Idle) setWaiting(false);
  });
  connect(&context_.run, &RunController::artifactLost, this, [this](qint64, const QString& kind) {
    if (kind != QLatin1String("predictions")) setWaiting(false);
  });
  for (const char* id : {command::kRecord, command::kRun})
    connect(context_.commands.action(QLatin1String(id)), &QAction::changed, this, [this] {
      if (step_.state() == RecordedStep::State::None) showEmpty();
    });
  connect(empty_, &EmptyState::actionTriggered, this, [this] {
    if (std::exchange(cancelled_, false)) {
      arrange();
      return;
    }
    if (step_.state() == RecordedStep::State::Failed) {
      context_.runs.retry();
      return;
    }
    if (waiting_) {
      context_.run.withdrawRecording();
    } else if (context_.commands.action(QLatin1String(command::kRecord))->isEnabled()) {
      context_.run.recordNextStep();  // the command would withdraw what is ordered already
    } else {
      context_.commands.action(QLatin1String(command::kRun))->trigger();
    }
  });
}

void StepGraphView::setWaiting(bool waiting) {
  waiting_ = waiting;
  if (step_.state() == RecordedStep::State::None) showEmpty();
}

void StepGraphView::stepChanged() {
  waiting_ = false;
  endArranging();
  anchor_.clear();
  takeSelection();
  wish_.expanded.clear();
  wish_.expandAll = false;
  fits_ = true;
  stale_ = true;
  refresh();
}

void StepGraphView::refresh() {
  if (!isVisible() || !std::exchange(stale_, false)) return;
  if (step_.data()->graph) {
    arrange();
  } else if (step_.state() == RecordedStep::State::Loading) {
    // Most are there at once: what stands meanwhile stays, so that nothing flickers.
    QTimer::singleShot(kLoadingMs, this, [this] {
      if (step_.state() == RecordedStep::State::Loading) showEmpty();
    });
  } else {
    clearShown();
    showEmpty();
  }
}

void StepGraphView::clearShown() {
  shown_ = {};
  shownStep_.reset();
  const QScopedValueRollback guard(taking_, true);
  view_->setGraph({});
}

/// While the graph of another step is arranged, the one shown is still that of the step before,
/// whose nodes mean nothing in the other.
bool StepGraphView::isCurrent() const { return shownStep_ && shownStep_ == step_.data(); }

void StepGraphView::showEmpty() {
  const StepData& data = *step_.data();
  cancelled_ = false;
  empty_->setIconName(QStringLiteral("inspect"));
  empty_->setAction({});
  if (step_.state() == RecordedStep::State::Loading) {
    empty_->setTitle(tr("Reading the step"));
    empty_->setText({});
  } else if (step_.state() == RecordedStep::State::Absent) {
    empty_->setTitle(tr("This step is not stored"));
    empty_->setText(tr("It was deleted, or its run was. Choose another recording at the left."));
  } else if (!data.graphProblem.isEmpty()) {
    empty_->setIconName(QStringLiteral("error"));
    empty_->setTitle(tr("The recorded graph cannot be read"));
    empty_->setText(data.graphProblem);
    if (step_.state() == RecordedStep::State::Failed) empty_->setAction(tr("Try again"), false);
  } else if (step_.state() == RecordedStep::State::Ready) {
    empty_->setTitle(tr("No graph in this recording"));
    empty_->setText(tr("Only the memory of this step was stored."));
  } else if (waiting_) {
    empty_->setTitle(tr("Recording the next step"));
    const bool can = context_.run.canWithdrawRecording();
    const bool tooLate = context_.run.isRecordingDue() && !can;
    empty_->setText(tooLate ? tr("Too late: the step is being recorded.")
                    : context_.run.state() == RunState::Paused
                        ? tr("The run is paused: the step is recorded when it goes on.")
                        : tr("It appears here as soon as the step is done."));
    empty_->setAction(can ? tr("Do not record") : QString(), false);
  } else {
    const bool ready = context_.commands.action(QLatin1String(command::kRecord))->isEnabled();
    const bool idle = context_.run.state() == RunState::Idle;
    empty_->setTitle(tr("No recorded step"));
    empty_->setText(
        ready || !idle
            ? tr("A recording keeps the computation graph that autograd builds in one step, and "
                 "what the allocator does meanwhile.")
            : tr("A recording keeps the computation graph that autograd builds in one step, and "
                 "what the allocator does meanwhile. Start a run; then record a step."));
    empty_->setAction(ready ? tr("Record next step") : idle ? tr("Run") : QString());
  }
  stack_->setCurrentIndex(0);
}

/// Another choice of what is shown; the node `anchor` stays where it is on the screen.
void StepGraphView::change(const StepGraphWish& wish, const QString& anchor) {
  if (wish == wish_) return;
  wish_ = wish;
  anchor_ = anchor;
  if (step_.data()->graph) arrange();
}

void StepGraphView::arrange() {
  endArranging();
  const std::shared_ptr<const StepData> step = step_.data();
  if (shown_.data.nodes.isEmpty()) view_->setPlaceholder({});
  stack_->setCurrentIndex(1);
  waitText_->setText(
      tr("Arranging %n operation(s)...", nullptr, static_cast<int>(step->graph->nodes.size())));
  slow_.start();
  stop_ = std::stop_source();
  background_.run(
      this,
      [step, wish = wish_, stop = stop_.get_token()] {
        return arrangedStepGraph(*step, wish, stop);
      },
      [this, step, generation = generation_](std::optional<StepGraph> graph) {
        if (generation == generation_ && graph) take(step, std::move(*graph));
      },
      [this, generation = generation_](const QString& text) {
        if (generation == generation_) giveUp(text);
      });
}

/// What is being arranged is not wanted any more.
void StepGraphView::endArranging() {
  ++generation_;
  stop_.request_stop();
  slow_.stop();
  waitBar_->hide();
}

void StepGraphView::cancelArranging() { giveUp({}); }

void StepGraphView::giveUp(const QString& reason) {
  endArranging();
  anchor_.clear();
  if (isCurrent()) {
    wish_ = shownWish_;
    fits_ = false;
    showChoices();
    return;
  }
  clearShown();  // it is of another step
  cancelled_ = true;
  empty_->setIconName(QStringLiteral("graph"));
  empty_->setTitle(tr("The graph is not arranged"));
  empty_->setText(reason);
  empty_->setAction(tr("Arrange it"));
  stack_->setCurrentIndex(0);
}

void StepGraphView::take(const std::shared_ptr<const StepData>& step, StepGraph graph) {
  endArranging();
  const QString anchor = std::exchange(anchor_, {});
  const QPointF place = QRectF(view_->nodeArea(anchor)).center();
  const RecordedNode* kept = firstNode(anchor);
  const int keptId = kept ? kept->id : -1;
  shown_ = std::move(graph);
  shownStep_ = step;
  shownWish_ = wish_;
  {
    const QScopedValueRollback guard(taking_, true);
    view_->setGraph(shown_.data);
  }
  view_->setPlaceholder(tr("Nothing was recorded in this part of the step"));
  stack_->setCurrentIndex(1);
  showCounts();
  if (std::exchange(fits_, false)) {
    view_->frame(kReadable);
  } else if (keptId >= 0) {
    keepInPlace(shown_.shownAs.value(keptId), place);
    // The selected node may be cut by the edge of the view; bringing it in would move all.
    takeSelection(Reveal::No);
    return;
  }
  takeSelection();
}

/// The node that stays where it is while others come and go: the current one if it is in sight,
/// else the one nearest to the middle.
QString StepGraphView::nodeToKeep() const {
  const QRect room = view_->viewport()->rect();
  const QString current = view_->currentNode();
  if (!current.isEmpty() && room.intersects(view_->nodeArea(current))) return current;
  QString nearest;
  int least = std::numeric_limits<int>::max();
  for (const GraphNode& node : view_->graph().nodes) {
    const int off = (view_->nodeArea(node.id).center() - room.center()).manhattanLength();
    if (off >= least) continue;
    least = off;
    nearest = node.id;
  }
  return nearest;
}

void StepGraphView::keepInPlace(const QString& id, const QPointF& place) {
  if (id.isEmpty()) return;
  const QPointF off = QRectF(view_->nodeArea(id)).center() - place;
  const auto scroll = [](QScrollBar* bar, double by) {
    bar->setValue(bar->value() + static_cast<int>(std::lround(by)));
  };
  scroll(view_->horizontalScrollBar(), off.x());
  scroll(view_->verticalScrollBar(), off.y());
}

/// Brings the strip to wish_.
void StepGraphView::showChoices() {
  const Pass pass = !wish_.backward ? kForward : !wish_.forward ? kBackward : kAll;
  passes_->button(pass)->setChecked(true);
  optimizer_->setChecked(wish_.optimizer);
}

void StepGraphView::showCounts() {
  const GraphRecording& graph = *shownStep_->graph;
  counts_->setText(tr("%n operation(s)", nullptr, static_cast<int>(graph.nodes.size())));
  const bool few = graph.nodes.size() < kMostExpandedNodes;
  expandAll_->setEnabled(few && !wish_.expandAll);
  expandAll_->setToolTip(few ? tr("Show every recorded operation")
                             : tr("Too many operations to show all of them; open single layers"));
  collapseAll_->setEnabled(wish_.expandAll || !wish_.expanded.isEmpty());
}

void StepGraphView::takeSelection(Reveal reveal) {
  const int id = isCurrent() ? context_.selection.recordedNode() : -1;
  const QString shown = shown_.shownAs.value(id);
  const QScopedValueRollback guard(taking_, true);
  const QStringList wanted = shown.isEmpty() ? QStringList() : QStringList{shown};
  if (view_->selectedNodes() == wanted) return;
  view_->setSelectedNodes(wanted);
  if (!shown.isEmpty() && reveal == Reveal::Yes) view_->showNode(shown);
}

void StepGraphView::tellSelection(const QStringList& ids) {
  if (taking_ || !isCurrent()) return;
  if (ids.isEmpty()) {
    step_.selectNode(-1);
    return;
  }
  // Of several the one that keys act from leads.
  const QString id = ids.contains(view_->currentNode()) ? view_->currentNode() : ids.first();
  if (shown_.shownAs.value(context_.selection.recordedNode()) == id) return;
  const QList<int> members = shown_.members.value(id);
  if (!members.isEmpty()) {
    const QScopedValueRollback guard(taking_, true);
    step_.selectNode(members.first());
  }
}

void StepGraphView::activate(const QString& id) {
  if (shown_.expandable.contains(id)) {
    setExpanded(id, true);
  } else {
    showOnCanvas(id);
  }
}

void StepGraphView::setExpanded(const QString& group, bool expanded) {
  if (!isCurrent()) return;
  StepGraphWish wish = wish_;
  if (wish.expandAll) {  // all but this one
    wish.expandAll = false;
    wish.expanded = shown_.expandable;
  }
  if (expanded) {
    wish.expanded.insert(group);
  } else {
    wish.expanded.remove(group);
  }
  QString anchor = group;
  if (!shown_.members.contains(group))
    anchor = shown_.shownAs.value(static_cast<int>(shown_.groups.indexOf(group)));
  change(wish, anchor);
}

void StepGraphView::showOnCanvas(const QString& id) {
  const QString layer = layerOf(id);
  if (layer.isEmpty()) return;
  Destination to;
  to.mode = Mode::Model;
  to.panel = QStringLiteral("canvas");
  to.node = layer;
  context_.navigation.go(to);
}

void StepGraphView::savePicture() {
  const RecordingKey key = context_.selection.recording();
  askAndSave(context_.prompts, pictureWish(tr("run %1, step %2").arg(key.run).arg(key.step)),
             tr("The picture could not be saved"), *this,
             [this](const QString& path) { return view_->savePicture(path); });
}

void StepGraphView::search(const QString& text) {
  const QStringList found = view_->find(text);
  view_->setHighlighted(found);
  if (!found.isEmpty()) view_->showNode(found.first());
}

const RecordedNode* StepGraphView::firstNode(const QString& id) const {
  const QList<int> members = shown_.members.value(id);
  const auto graph = shownStep_ ? shownStep_->graph : nullptr;
  const bool known =
      graph && !members.isEmpty() && static_cast<size_t>(members.first()) < graph->nodes.size();
  return known ? &graph->nodes[static_cast<size_t>(members.first())] : nullptr;
}

QString StepGraphView::layerOf(const QString& id) const {
  const RecordedNode* node = firstNode(id);
  return node ? QString::fromStdString(node->layer) : QString();
}

void StepGraphView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void StepGraphView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    view_->setGraphStyle(GraphStyle::fromTheme(currentTheme()));
}

}  // namespace tenon::ui
