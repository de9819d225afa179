// SPDX-License-Identifier: GPL-3.0-or-later
// The bar of the live training.
#include "ui/shell/job_bar.h"

#include <QAccessible>
#include <QAction>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>
#include <cmath>

#include "ui/session/commands.h"
#include "ui/session/run_controller.h"
#include "ui/shell/command_set.h"
#include "ui/widgets/format.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

/// A thin bar that fills; striped by nothing, moved by nothing but progress.
class JobBar::Track final : public QWidget {
 public:
  explicit Track(QWidget* parent) : QWidget(parent) {
    setFixedHeight(6);
    setMinimumWidth(80);
    setMaximumWidth(320);
  }
  void setShare(double share) {
    if (std::fabs(share - share_) * width() < 0.25) return;
    share_ = share;
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& theme = currentTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.hairline);
    painter.drawRoundedRect(rect(), 3, 3);
    QRectF done = rect();
    done.setWidth(std::max(6.0, done.width() * share_));
    painter.setBrush(theme.accent);
    if (share_ > 0) painter.drawRoundedRect(done, 3, 3);
  }

 private:
  double share_ = 0;
};

QString runStateText(RunState state) {
  switch (state) {
    case RunState::Idle:
      return JobBar::tr("Idle");
    case RunState::Starting:
      return JobBar::tr("Starting");
    case RunState::Preparing:
      return JobBar::tr("Preparing");
    case RunState::Running:
      return JobBar::tr("Training");
    case RunState::Paused:
      return JobBar::tr("Paused");
    case RunState::Validating:
      return JobBar::tr("Validating");
    case RunState::Saving:
      return JobBar::tr("Saving");
    case RunState::Trouble:
      return JobBar::tr("Waiting for the disk");
    case RunState::Stopping:
      break;
  }
  return JobBar::tr("Stopping");
}

JobBar::JobBar(RunController& run, const CommandSet& commands, QWidget* parent)
    : QWidget(parent),
      run_(run),
      state_(new ElidedLabel({}, this)),
      track_(new Track(this)),
      step_(new NumberLabel(this)),
      loss_(new NumberLabel(this)),
      speed_(new NumberLabel(this)),
      left_(new NumberLabel(this)) {
  setObjectName(QStringLiteral("jobBar"));
  setAccessibleName(tr("Training"));
  setFixedHeight(measure::kJobBar + 1);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(measure::kGap3, 1, measure::kGap1, 0);
  row->setSpacing(measure::kGap4);
  state_->setMinimumWidth(120);
  row->addWidget(state_);
  row->addWidget(track_, 1);
  row->addWidget(step_);
  row->addWidget(loss_);
  row->addWidget(speed_);
  row->addStretch(1);
  row->addWidget(left_);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(0);
  continue_ = addButton(commands, command::kRun);
  pause_ = addButton(commands, command::kPause);
  for (QToolButton* button : {continue_, pause_, addButton(commands, command::kStop)})
    buttons->addWidget(button);
  row->addLayout(buttons);
  connect(&run_, &RunController::stateChanged, this, &JobBar::showState);
  connect(&run_, &RunController::progressChanged, this, &JobBar::showProgress);
  connect(&run_, &RunController::troubleChanged, this, &JobBar::showState);
  showState();
}

QToolButton* JobBar::addButton(const CommandSet& commands, const char* id) {
  auto* button = new QToolButton(this);
  QAction* action = commands.action(id);
  button->setDefaultAction(action);
  button->setAutoRaise(true);
  button->setIconSize({measure::kIconSmall, measure::kIconSmall});
  button->setFixedSize(measure::kJobBar, measure::kJobBar - 2);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(CommandSet::plainText(*action));
  connect(action, &QAction::changed, button,
          [button, action] { button->setAccessibleName(CommandSet::plainText(*action)); });
  return button;
}

QString JobBar::stateWord() const {
  const bool waits = run_.state() == RunState::Trouble && !run_.trouble().isEmpty();
  return waits ? run_.trouble().word : runStateText(run_.state());
}

void JobBar::showState() {
  showProgress(run_.state() == RunState::Starting ? TrainProgress() : run_.progress());
  state_->setToolTip(run_.trouble().whole());
  showButtons();
  setVisible(run_.isLive());
}

/// Who waits can go on, who goes on can wait; the focus stays with the one of the two in sight.
void JobBar::showButtons() {
  const bool waits = run_.state() == RunState::Paused || run_.state() == RunState::Trouble;
  QToolButton* shown = waits ? continue_ : pause_;
  QToolButton* hidden = waits ? pause_ : continue_;
  shown->setVisible(true);
  if (hidden->hasFocus()) shown->setFocus(Qt::OtherFocusReason);
  hidden->setVisible(false);
}

void JobBar::showProgress(const TrainProgress& progress) {
  const bool known = progress.totalSteps > 0;
  track_->setShare(
      known ? static_cast<double>(progress.step) / static_cast<double>(progress.totalSteps) : 0);
  QString state = stateWord();
  if (known)
    state = tr("%1, epoch %2 of %3").arg(state).arg(epochOf(progress)).arg(progress.epochs);
  state_->setText(state);
  step_->setText(
      known ? tr("%1 / %2 steps").arg(formatCount(progress.step), formatCount(progress.totalSteps))
            : QString());
  loss_->setText(progress.step > 0 ? tr("loss %1").arg(formatNumber(progress.loss)) : QString());
  const bool fast = std::isfinite(progress.samplesPerSecond) && progress.samplesPerSecond > 0;
  speed_->setText(fast
                      ? tr("%1 samples/s").arg(formatCompact(std::round(progress.samplesPerSecond)))
                      : QString());
  const double left = timeLeft(run_.state(), progress);
  left_->setText(left > 0 ? tr("%1 left").arg(formatDuration(left)) : QString());
}

void JobBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), currentTheme().sunken);
  painter.fillRect(QRect(0, 0, width(), 1), currentTheme().hairline);
}

}  // namespace tenon::ui
