// SPDX-License-Identifier: GPL-3.0-or-later
// The bar of modes.
#include "ui/shell/mode_bar.h"

#include <QAction>
#include <QButtonGroup>
#include <QCoreApplication>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/shell/command_set.h"
#include "ui/shell/command_table.h"
#include "ui/widgets/section.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

QString modeName(Mode mode) {
  switch (mode) {
    case Mode::Welcome:
      return ModeBar::tr("Welcome");
    case Mode::Data:
      return ModeBar::tr("Data");
    case Mode::Model:
      return ModeBar::tr("Model");
    case Mode::Train:
      return ModeBar::tr("Train");
    case Mode::Inspect:
      return ModeBar::tr("Inspect");
    case Mode::Results:
      break;
  }
  return ModeBar::tr("Results");
}

QString modeIcon(Mode mode) {
  switch (mode) {
    case Mode::Welcome:
      return QStringLiteral("home");
    case Mode::Data:
      return QStringLiteral("data");
    case Mode::Model:
      return QStringLiteral("model");
    case Mode::Train:
      return QStringLiteral("train");
    case Mode::Inspect:
      return QStringLiteral("inspect");
    case Mode::Results:
      break;
  }
  return QStringLiteral("results");
}

ModeBar::ModeBar(const CommandSet& commands, QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("modeBar"));
  setAccessibleName(tr("Modes"));
  setFixedWidth(measure::kModeBar + 1);  // and the hairline
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, measure::kGap1, 1, measure::kGap1);
  column->setSpacing(0);
  auto* group = new QButtonGroup(this);
  for (const Mode mode : kModes) {
    auto* button = new ModeButton(modeIcon(mode), modeName(mode), this);
    QAction* action = commands.action(modeCommand(static_cast<int>(mode)));
    button->setCheckable(true);
    button->setToolTip(action->toolTip());
    button->setAccessibleName(modeName(mode));
    button->setAccessibleDescription(action->statusTip());
    connect(button, &QToolButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::changed, button, [button, action] {
      button->setToolTip(action->toolTip());
      button->setEnabled(action->isEnabled());
    });
    group->addButton(button);
    column->addWidget(button);
    buttons_.insert(mode, button);
  }
  column->addStretch();
}

void ModeBar::setMode(Mode mode) { buttons_.value(mode)->setChecked(true); }

void ModeBar::setProjectOpen(bool open) {
  for (const Mode mode : kModes) buttons_.value(mode)->setEnabled(open || mode == Mode::Welcome);
}

void ModeBar::setBadge(Mode mode, std::optional<Tint> tint) {
  buttons_.value(mode)->setBadge(tint);
}

void ModeBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), currentTheme().sunken);
  painter.fillRect(QRect(width() - 1, 0, 1, height()), currentTheme().hairline);
}

}  // namespace tenon::ui
