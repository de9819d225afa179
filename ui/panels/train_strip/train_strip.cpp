// SPDX-License-Identifier: GPL-3.0-or-later
// The strip of Train.
#include "ui/panels/train_strip/train_strip.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/curves/train_board.h"
#include "ui/session/commands.h"
#include "ui/session/document.h"
#include "ui/session/document_edits.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/run_data.h"
#include "ui/widgets/finish_editing.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kRestMs = 100;  // between two refreshes
constexpr int kProgressPlaces = 1000;
constexpr int kRoomForAll = 1060;  // in less the name of the run is worth more than the data wait
constexpr int kShortName = 72;

StatTile* newTile(const QString& caption, const QStringList& widest, const QString& help,
                  QHBoxLayout& row) {
  auto* tile = new StatTile(caption);
  tile->setWidest(widest);
  tile->setToolTip(help);
  row.addWidget(tile);
  return tile;
}

}  // namespace

TrainStrip::TrainStrip(PanelContext& context, QWidget* parent)
    : QWidget(parent), context_(context), board_(TrainBoard::of(context)), rest_(new QTimer(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(measure::kGap3, measure::kGap1, measure::kGap3, measure::kGap1);
  row->setSpacing(measure::kGap4);
  addTiles(*row);
  row->addStretch(1);
  addRate(*row);
  addSettings(*row);
  addButtons(*row);
  column->addLayout(row);
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  progress_->setFixedHeight(measure::kGap1);
  progress_->setAccessibleName(tr("Progress of the run"));
  column->addWidget(progress_);
  rest_->setSingleShot(true);
  rest_->setInterval(kRestMs);
  connect(rest_, &QTimer::timeout, this, &TrainStrip::refresh);
  follow();
  refresh();
}

void TrainStrip::addTiles(QHBoxLayout& row) {
  state_ = newTile(tr("State"), stateWords(), tr("What the run does"), row);
  epoch_ = newTile(tr("Epoch"), {QStringLiteral("100 / 100")},
                   tr("Passes over the training data: current one and all"), row);
  step_ = newTile(tr("Step"), {QStringLiteral("100 000")}, tr("Batches trained so far"), row);
  eta_ = newTile(tr("Time left"), {QStringLiteral("10 min 00 s")},
                 tr("Estimated from the speed of the last seconds"), row);
  speed_ = newTile(tr("Samples/s"), {QStringLiteral("99.9 k")},
                   tr("Training samples a second, over the last seconds"), row);
  wait_ = newTile(tr("Data wait"), {QStringLiteral("100.0 %")},
                  tr("Share of time that the training waits for data. Above a few percent more "
                     "workers help."),
                  row);
}

void TrainStrip::addRate(QHBoxLayout& row) {
  run_ = new ElidedLabel({}, this);
  run_->setMuted(true);
  run_->setMinimumWidth(kShortName);
  run_->setMaximumWidth(160);
  row.addWidget(run_);
  back_ = new QPushButton(tr("Back to the live run"), this);
  back_->setToolTip(tr("Another run trains in this window: show it"));
  row.addWidget(back_);
  connect(back_, &QPushButton::clicked, this, [this] { board_.show(0); });
  NumberSpec spec;
  spec.minimum = 0;
  spec.minimumOpen = true;
  spec.maximum = 1e3;
  spec.logarithmic = true;
  rate_ = new NumberField(spec, this);
  rate_->setFixedWidth(104);
  rate_->setAccessibleName(tr("Peak learning rate"));
  rateCaption_ = newCaption({}, this);
  rateCaption_->setBuddy(rate_);
  row.addWidget(rateCaption_);
  row.addWidget(rate_);
  connect(rate_, &NumberField::valueCommitted, this,
          [this](double, double after) { setRate(after); });
}

/// Of the live run, else of the project.
void TrainStrip::setRate(double rate) {
  if (context_.run.isLive()) {
    context_.run.setPeakLearningRate(rate);
  } else {
    edits::setTrainPartParam(context_.document, edits::TrainPart::Optimizer, QStringLiteral("lr"),
                             ParamValue(rate));
  }
}

/// The place that undo shows takes the focus, and the field would pass on what it holds: of the
/// project that is an edit like others; a live run gets only what a person has finished.
void TrainStrip::finishRate() {
  if (!context_.run.isLive()) {
    finishEditing(*rate_);
  } else if (rate_->hasUncommittedText()) {
    rate_->setValue(rate_->value());
  }
}

void TrainStrip::addSettings(QHBoxLayout& row) {
  auto* settings = new QToolButton(this);
  settings->setObjectName(QStringLiteral("trainingSettings"));
  settings->setIcon(icon(QStringLiteral("settings")));
  settings->setIconSize({measure::kIcon, measure::kIcon});
  settings->setMinimumSize(measure::kButton, measure::kButton);
  settings->setAccessibleName(tr("Training settings"));
  settings->setToolTip(
      tr("<b>Training settings</b><br>Epochs, batch size, device, loss, "
         "optimizer, metrics and checkpoints of the next run"));
  connect(settings, &QToolButton::clicked, this,
          [this] { context_.navigation.go(destinationOf(QStringLiteral("train.epochs"))); });
  row.addWidget(settings);
}

void TrainStrip::addButtons(QHBoxLayout& row) {
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(measure::kGap1);
  for (const char* id : {command::kRun, command::kPause, command::kStep, command::kStop}) {
    QAction* action = context_.commands.action(QLatin1String(id));
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setIconSize({measure::kIcon, measure::kIcon});
    button->setMinimumSize(measure::kButton, measure::kButton);
    button->setAccessibleName(action->text().remove(u'&'));
    buttons->addWidget(button);
  }
  row.addLayout(buttons);
}

void TrainStrip::follow() {
  const RunController& run = context_.run;
  connect(&run, &RunController::stateChanged, this, &TrainStrip::refresh);
  connect(&run, &RunController::progressChanged, this, &TrainStrip::refreshSoon);
  connect(&run, &RunController::peakLearningRateChanged, this, &TrainStrip::refreshSoon);
  connect(&run, &RunController::troubleChanged, this, &TrainStrip::refreshSoon);
  connect(&context_.runs, &RunData::runsChanged, this, &TrainStrip::refreshSoon);
  connect(&board_, &TrainBoard::runChanged, this, &TrainStrip::refreshSoon);
  connect(&context_.document, &Document::specChanged, this, &TrainStrip::refreshSoon);
  connect(&context_.document, &Document::aboutToMove, this, &TrainStrip::finishRate);
}

void TrainStrip::refreshSoon() {
  if (isVisible() && !rest_->isActive()) rest_->start();
}

void TrainStrip::refresh() {
  const RunController& run = context_.run;
  // Before its first word a live run has no number yet, but is what a person waits for.
  const bool live = board_.showsLiveRun() || run.awaitsRun();
  const RunInfo* stored = context_.runs.runs().find(board_.run());
  const QString& unread = context_.runs.problem();
  StripValues values = live ? liveValues(run.state(), run.progress(), run.trouble())
                            : storedValues(stored, stored ? epochsWanted(*stored) : 0);
  if (!live && !unread.isEmpty()) values.state = unreadableState();
  state_->setValue(values.state.text);
  state_->setState(values.state.icon, values.state.tint);
  const QString why = live                ? run.trouble().whole()
                      : !unread.isEmpty() ? tr("Why: %1").arg(unread)
                      : stored            ? QString::fromStdString(stored->failure)
                                          : QString();
  state_->setToolTip(why.isEmpty() ? tr("What the run does") : why);
  const QString dash(QChar(0x2013));
  epoch_->setValue(values.epoch);
  step_->setValue(values.step);
  eta_->setValue(values.eta);
  speed_->setValue(values.speed);
  wait_->setValue(values.wait, values.wait == dash ? QString() : QStringLiteral("%"));
  progress_->setRange(0, values.busy ? 0 : kProgressPlaces);
  if (!values.busy) progress_->setValue(static_cast<int>(values.done * kProgressPlaces));
  showRun();
  showRate();
}

void TrainStrip::showRun() {
  const RunInfo* stored = context_.runs.runs().find(board_.run());
  run_->setText(stored ? QString::fromStdString(stored->name) : QString());
  run_->setVisible(stored != nullptr);
  back_->setVisible(context_.run.isLive() && context_.run.run() > 0 && board_.run() > 0 &&
                    !board_.showsLiveRun());
}

void TrainStrip::showRate() {
  const bool live = context_.run.isLive();
  const double rate =
      live ? context_.run.peakLearningRate() : configuredPeakRate(*context_.document.spec().train);
  rate_->setEnabled(rate > 0 && (live || context_.document.isOpen()));
  rateCaption_->setText(live ? tr("Peak rate") : tr("Peak rate, project"));
  rate_->setToolTip(live ? tr("Peak learning rate of the live run: the schedule's factor applies "
                              "to it. Takes effect from the next step; the project stays as it is.")
                         : tr("Peak learning rate of the project, with which the next run begins; "
                              "the schedule's factor applies to it."));
  if (rate > 0 && rate != rate_->value() && !rate_->hasUncommittedText()) rate_->setValue(rate);
}

void TrainStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  wait_->setVisible(width() >= kRoomForAll);
}

void TrainStrip::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace tenon::ui
