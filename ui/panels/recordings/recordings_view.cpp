// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the store and the run.
#include "ui/panels/recordings/recordings_view.h"

#include <QAction>
#include <QEvent>
#include <QLabel>
#include <QListView>
#include <QProgressBar>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/panels/recordings/recording_delegate.h"
#include "ui/panels/recordings/recordings_model.h"
#include "ui/session/commands.h"
#include "ui/session/document.h"
#include "ui/session/panel_context.h"
#include "ui/session/run_controller.h"
#include "ui/session/run_data.h"
#include "ui/session/selection.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/painting.h"
#include "ui/widgets/problem_frame.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr qsizetype kPeaksAtOnce = 16;

/// A damaged one must not hide the others.
RecordedPeak peakOf(Store& store, qint64 artifact) {
  try {
    return {artifact,
            static_cast<qint64>(decodeMemory(store.artifacts().read(artifact)).peakBytes)};
  } catch (const std::exception&) {
    return {artifact, -1};
  }
}

QAction* actionOf(const PanelContext& context, const char* id) {
  return context.commands.action(QLatin1String(id));
}

/// Says what belongs here while it is empty.
class RecordingList final : public QListView {
 public:
  using QListView::QListView;

 protected:
  void paintEvent(QPaintEvent* event) override {
    QListView::paintEvent(event);
    if (model()->rowCount() > 0) return;
    QPainter painter(viewport());
    paint::placeholder(painter, viewport()->rect(), RecordingsView::tr("Nothing recorded yet"),
                       currentTheme());
  }
};

}  // namespace

RecordingsView::RecordingsView(PanelContext& context, QWidget* parent)
    : QWidget(parent),
      context_(context),
      model_(new RecordingsModel(context.runs.runs(), this)),
      list_(new RecordingList(this)),
      frame_(new ProblemFrame(tr("The recordings cannot be read"), list_, this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  buildList();
  column->addWidget(frame_, 1);
  column->addWidget(newFooter());
  setFocusProxy(list_);
  follow();
  showFooter();
}

void RecordingsView::buildList() {
  list_->setModel(model_);
  list_->setItemDelegate(new RecordingDelegate(list_));
  list_->setAccessibleName(tr("Recorded steps"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setUniformItemSizes(true);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setMouseTracking(true);
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &RecordingsView::tellSelected);
}

QWidget* RecordingsView::newFooter() {
  auto* footer = new QWidget(this);
  auto* column = new QVBoxLayout(footer);
  column->setContentsMargins(measure::kGap2, measure::kGap2, measure::kGap2, measure::kGap2);
  column->setSpacing(measure::kGap2);
  hint_ = newCaption({}, footer);
  hint_->setWordWrap(true);
  busy_ = new QProgressBar(footer);
  busy_->setRange(0, 0);
  busy_->setTextVisible(false);
  busy_->setFixedHeight(4);
  busy_->setAccessibleName(tr("A step is being recorded"));
  button_ = new QPushButton(footer);
  connect(button_, &QPushButton::clicked, this, &RecordingsView::act);
  withdraw_ = new QPushButton(tr("Do not record"), footer);
  withdraw_->setToolTip(tr("Takes the order back, as long as its step has not begun"));
  connect(withdraw_, &QPushButton::clicked, this, [this] { context_.run.withdrawRecording(); });
  for (QWidget* part : std::initializer_list<QWidget*>{hint_, busy_, button_, withdraw_})
    column->addWidget(part);
  return footer;
}

void RecordingsView::follow() {
  waiting_ = context_.run.isRecordingDue();  // this page may be younger than the order
  connect(&context_.runs, &RunData::artifactsChanged, this, [this](qint64, const QString& kind) {
    if (kind != QLatin1String("predictions")) look();
  });
  // Also comes when a run of another process may have recorded.
  connect(&context_.runs, &RunData::runsChanged, this, &RecordingsView::look);
  connect(&context_.runs, &RunData::retried, this, &RecordingsView::look);
  connect(frame_, &ProblemFrame::retryWanted, &context_.runs, &RunData::retry);
  connect(&context_.runs, &RunData::sourceChanged, this, [this] {
    ++source_;
    newestUs_ = 0;
    expected_ = reading_ = false;
    listProblem_.clear();
    peakProblem_.clear();
    model_->clear();
    showProblem();
    look();
  });
  connect(&context_.selection, &Selection::recordingChanged, this, &RecordingsView::showSelected);
  connect(&context_.run, &RunController::stateChanged, this, [this](RunState state) {
    if (state == RunState::Idle || state == RunState::Stopping) waiting_ = false;
    showFooter();
  });
  connect(&context_.run, &RunController::artifactStored, this, [this](qint64, const QString& kind) {
    if (kind == QLatin1String("memory")) expected_ = std::exchange(waiting_, false) || expected_;
    showFooter();
  });
  connect(&context_.run, &RunController::artifactLost, this, [this](qint64, const QString& kind) {
    if (kind != QLatin1String("predictions")) waiting_ = false;
    showFooter();
  });
  connect(&context_.run, &RunController::recordingDueChanged, this, [this](bool due) {
    waiting_ = waiting_ || due;
    showFooter();
  });
  connect(&context_.run, &RunController::canWithdrawRecordingChanged, this,
          &RecordingsView::showFooter);
  connect(&context_.run, &RunController::recordingWithdrawn, this, [this] {
    waiting_ = false;
    showFooter();
  });
  for (const char* id : {command::kRecord, command::kRun, command::kStep})
    connect(actionOf(context_, id), &QAction::changed, this, &RecordingsView::showFooter);
}

void RecordingsView::look() {
  stale_ = true;
  refresh();
}

void RecordingsView::refresh() {
  if (!isVisible() || !std::exchange(stale_, false)) return;
  model_->refreshRuns();
  context_.runs.listRecordings(
      this,
      [this, source = source_](const QList<RecordingInfo>& recordings) {
        if (source == source_) take(recordings);
      },
      [this, source = source_](const QString& reason) {
        if (source != source_) return;
        listProblem_ = reason;
        showProblem();
      });
}

/// What was listed before stays in sight.
void RecordingsView::showProblem() {
  frame_->setProblem(listProblem_.isEmpty() ? peakProblem_ : listProblem_, model_->rowCount() > 0);
}

void RecordingsView::take(const QList<RecordingInfo>& recordings) {
  listProblem_.clear();
  {
    const QScopedValueRollback guard(showing_, true);
    model_->setRecordings(recordings);
  }
  const QList<RecordingInfo>& all = model_->recordings();
  const bool first = newestUs_ == 0;
  const bool arrived = !all.isEmpty() && all.first().createdUs > newestUs_;
  newestUs_ = all.isEmpty() ? 0 : std::max(newestUs_, all.first().createdUs);
  // Graph and memory come one after the other: who asked sees the graph at once.
  const bool asked = arrived && (std::exchange(expected_, false) || (waiting_ && !first));
  if (asked || model_->rowOf(context_.selection.recording()) < 0)
    context_.selection.setRecording(all.isEmpty() ? RecordingKey{} : all.first().key);
  showSelected();
  showProblem();
  readPeaks();
  showFooter();
}

/// Newest first, a few at a time, so that the store stays free for others.
void RecordingsView::readPeaks() {
  const QList<qint64> wanted =
      model_->unread().first(std::min(kPeaksAtOnce, model_->unread().size()));
  if (wanted.isEmpty()) peakProblem_.clear();
  if (reading_ || wanted.isEmpty()) return;
  reading_ = true;
  context_.runs.query(
      this,
      [wanted](Store& store) {
        QList<RecordedPeak> peaks;
        for (const qint64 artifact : wanted) peaks.append(peakOf(store, artifact));
        return peaks;
      },
      [this, source = source_](const QList<RecordedPeak>& peaks) {
        if (source != source_) return;
        reading_ = false;
        peakProblem_.clear();
        model_->setPeaks(peaks);
        showProblem();
        if (!peaks.isEmpty()) readPeaks();
      },
      [this, source = source_](const QString& reason) {
        if (source != source_) return;
        reading_ = false;
        peakProblem_ = reason;
        showProblem();
      });
}

void RecordingsView::showSelected() {
  const QScopedValueRollback guard(showing_, true);
  const int row = model_->rowOf(context_.selection.recording());
  const QModelIndex index = row < 0 ? QModelIndex() : model_->index(row);
  if (list_->currentIndex() != index ||
      (index.isValid() && !list_->selectionModel()->isSelected(index)))
    list_->setCurrentIndex(index);
}

void RecordingsView::tellSelected() {
  const int row = list_->currentIndex().row();
  if (showing_ || row < 0) return;
  context_.selection.setRecording(model_->recordings()[row].key);
}

/// What the button does now.
RecordingsView::Offer RecordingsView::offer() const {
  const bool ahead = waiting_ && context_.run.canWithdrawRecording();
  if (ahead && context_.run.state() == RunState::Paused) return Offer::Step;
  return actionOf(context_, command::kRecord)->isEnabled() ? Offer::Record : Offer::Run;
}

void RecordingsView::showFooter() {
  struct Face {
    const char* command;
    QString text;
    QString iconName;
    QString hint;
  };
  const RunState state = context_.run.state();
  const Offer now = offer();
  const bool records = waiting_ && context_.run.isLive() && now != Offer::Step;
  const bool idle = state == RunState::Idle;
  const Face face = now == Offer::Step
                        ? Face{command::kStep, tr("Do one step"), QStringLiteral("step"),
                               tr("The run is paused: its next step is recorded.")}
                    : now == Offer::Record
                        ? Face{command::kRecord, tr("Record next step"), QStringLiteral("record"),
                               tr("Keeps the graph and the memory of one step.")}
                        : Face{command::kRun, tr("Run"), QStringLiteral("run"),
                               idle ? tr("Start a run, then record one of its steps.")
                                    : tr("The run is not ready for recording yet.")};
  const QAction* action = actionOf(context_, face.command);
  const bool tooLate = context_.run.isRecordingDue() && !context_.run.canWithdrawRecording();
  hint_->setText(!records  ? face.hint
                 : tooLate ? tr("Too late: the step is being recorded.")
                           : tr("Recording the next step..."));
  busy_->setVisible(records);
  button_->setVisible(!records && (now != Offer::Run || idle));
  button_->setText(face.text);
  button_->setIcon(icon(face.iconName));
  button_->setToolTip(action->toolTip());
  button_->setEnabled(action->isEnabled());
  withdraw_->setVisible(waiting_ && context_.run.canWithdrawRecording());
}

void RecordingsView::act() {
  switch (offer()) {
    case Offer::Step:
      return actionOf(context_, command::kStep)->trigger();
    case Offer::Record:
      return context_.run.recordNextStep();  // the command would withdraw what is ordered already
    case Offer::Run:
      return actionOf(context_, command::kRun)->trigger();
  }
}

void RecordingsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showFooter();
  refresh();
}

void RecordingsView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) list_->viewport()->update();
}

}  // namespace tenon::ui
