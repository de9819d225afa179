// SPDX-License-Identifier: GPL-3.0-or-later
// The bar at the top.
#include "ui/shell/top_bar.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

#include "ui/session/commands.h"
#include "ui/shell/command_set.h"
#include "ui/shell/mode_bar.h"
#include "ui/shell/session.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

QToolButton* newChip(QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setAutoRaise(true);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setIconSize({measure::kIconSmall, measure::kIconSmall});
  button->setFixedHeight(measure::kButton);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

bool isTraining(RunState state) {
  return state != RunState::Idle && state != RunState::Paused && state != RunState::Trouble;
}

}  // namespace

TopBar::TopBar(Session& session, const CommandSet& commands, QMenuBar* menus, QWidget* parent)
    : QWidget(parent),
      session_(session),
      commands_(commands),
      project_(new ElidedLabel({}, this)),
      place_(new ElidedLabel({}, this)),
      issues_(newChip(this)),
      device_(newChip(this)),
      run_(new QPushButton(this)) {
  setObjectName(QStringLiteral("topBar"));
  setFixedHeight(measure::kTopBar + 1);  // and the hairline
  build(menus);
  connect(&session_.document, &Document::opened, this, &TopBar::showPlace);
  connect(&session_.document, &Document::closed, this, &TopBar::showPlace);
  connect(&session_.document, &Document::dirtyChanged, this, &TopBar::showPlace);
  connect(&session_.document, &Document::specChanged, this, [this] {
    showPlace();
    showDevice();
  });
  connect(&session_.selection, &Selection::nodesChanged, this, &TopBar::showPlace);
  connect(&session_.selection, &Selection::runsChanged, this, &TopBar::showPlace);
  connect(&session_.runs, &RunData::runsChanged, this, &TopBar::showPlace);
  connect(&session_.check, &LiveCheck::changed, this, &TopBar::showIssues);
  connect(&session_.check, &LiveCheck::checkingChanged, this, &TopBar::showIssues);
  connect(&session_.run, &RunController::stateChanged, this, &TopBar::showRun);
  showPlace();
  showIssues();
  showDevice();
  showRun();
}

void TopBar::build(QMenuBar* menus) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(measure::kGap1, 0, measure::kGap2, 1);
  row->setSpacing(measure::kGap2);
  menus->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  menus->setNativeMenuBar(false);
  row->addWidget(menus, 0, Qt::AlignVCenter);
  project_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  place_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  place_->setMuted(true);
  row->addSpacing(measure::kGap2);
  row->addWidget(project_, 0, Qt::AlignVCenter);
  row->addWidget(place_, 1, Qt::AlignVCenter);
  row->addWidget(issues_, 0, Qt::AlignVCenter);
  row->addWidget(device_, 0, Qt::AlignVCenter);
  row->addWidget(run_, 0, Qt::AlignVCenter);
  run_->setObjectName(QStringLiteral("runButton"));
  run_->setFixedHeight(measure::kPrimary);
  run_->setMinimumWidth(96);
  run_->setIconSize({measure::kIconSmall, measure::kIconSmall});
  run_->setAutoDefault(false);
  connect(run_, &QPushButton::clicked, this, [this] {
    commands_.action(isTraining(session_.run.state()) ? command::kPause : command::kRun)->trigger();
  });
  for (const char* id : {command::kRun, command::kPause})
    connect(commands_.action(id), &QAction::changed, this, &TopBar::showRun);
  connect(issues_, &QToolButton::clicked, commands_.action(command::kIssues), &QAction::trigger);
  device_->setObjectName(QStringLiteral("deviceButton"));
  connect(device_, &QToolButton::clicked, this,
          [this] { session_.navigation.go(destinationOf(QStringLiteral("train.device"))); });
}

void TopBar::setMode(Mode mode) {
  mode_ = mode;
  showPlace();
}

void TopBar::focusRun() { run_->setFocus(Qt::OtherFocusReason); }

void TopBar::showPlace() {
  const Document& document = session_.document;
  const bool open = document.isOpen();
  project_->setText(open ? document.name() + (document.isDirty() ? QStringLiteral(" *") : QString())
                         : QString());
  project_->setToolTip(document.folder());
  project_->setVisible(open);
  QString place = modeName(mode_);
  const QString node = session_.selection.currentNode();
  if (mode_ == Mode::Model && !node.isEmpty()) place += QStringLiteral("  ›  ") + node;
  if (mode_ == Mode::Results || mode_ == Mode::Inspect) {
    const RunInfo* run = session_.runs.runs().find(session_.selection.currentRun());
    if (run) place += QStringLiteral("  ›  ") + QString::fromStdString(run->name);
  }
  place_->setText(open ? QStringLiteral("›  ") + place : place);
  issues_->setVisible(open);
  device_->setVisible(open);
  run_->setVisible(open);
}

void TopBar::showIssues() {
  const int errors = session_.check.errorCount();
  const int warnings = session_.check.warningCount();
  QString text;
  if (errors > 0) {
    text = tr("%n error(s)", nullptr, errors);
    issues_->setIcon(icon(QStringLiteral("error"), Tint::Bad));
  } else if (warnings > 0) {
    text = tr("%n warning(s)", nullptr, warnings);
    issues_->setIcon(icon(QStringLiteral("warning"), Tint::Warn));
  } else if (!session_.check.isCurrent()) {
    text = tr("Checking…");
    issues_->setIcon(icon(QStringLiteral("clock"), Tint::Secondary));
  } else {
    text = tr("No issues");
    issues_->setIcon(icon(QStringLiteral("check"), Tint::Good));
  }
  issues_->setText(text);
  issues_->setAccessibleName(text);
  issues_->setToolTip(commands_.action(command::kIssues)->toolTip());
}

void TopBar::showDevice() {
  const TrainSpec& train = *session_.document.spec().train;
  const QString id = QString::fromStdString(train.device);
  const bool cpu = id == QLatin1String("cpu");
  QString text = cpu ? tr("CPU") : id;
  if (cpu && train.threads > 0)
    text = tr("CPU, %n thread(s)", nullptr, static_cast<int>(train.threads));
  device_->setText(text);
  device_->setIcon(icon(QStringLiteral("device"), Tint::Secondary));
  device_->setAccessibleName(tr("Device: %1").arg(text));
  device_->setToolTip(tr("<b>Device</b><br>Where the model trains; click to change it"));
}

void TopBar::showRun() {
  const RunState state = session_.run.state();
  const bool training = isTraining(state);
  const QAction* action = commands_.action(training ? command::kPause : command::kRun);
  run_->setProperty(kPrimaryProperty, !training);
  run_->setIcon(icon(training ? QStringLiteral("pause") : QStringLiteral("run"),
                     training ? Tint::Text : Tint::AccentText));
  const QString text = training                     ? tr("Pause")
                       : state == RunState::Paused  ? tr("Continue")
                       : state == RunState::Trouble ? tr("Try again")
                                                    : tr("Run");
  run_->setText(text);
  run_->setAccessibleName(text);
  run_->setToolTip(action->toolTip());
  // Disabling would hand the focus on to whatever comes next: it waits here instead.
  const bool enabled = action->isEnabled();
  if (!enabled && run_->hasFocus()) {
    focusWaits_ = true;
    run_->clearFocus();
  }
  run_->setEnabled(enabled);
  if (enabled && std::exchange(focusWaits_, false) && !window()->focusWidget())
    run_->setFocus(Qt::OtherFocusReason);
  run_->update();
}

void TopBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) update();
  QWidget::changeEvent(event);
}

void TopBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(QRect(0, height() - 1, width(), 1), currentTheme().hairline);
}

}  // namespace tenon::ui
