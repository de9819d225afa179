// SPDX-License-Identifier: GPL-3.0-or-later
// States of the window.
#include "tests/screens/play.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QListWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>

#include "tests/screens/act.h"
#include "tests/screens/journal.h"
#include "tests/screens/stage.h"
#include "ui/session/commands.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/main_window.h"
#include "ui/shell/mode_page.h"
#include "ui/shell/session.h"

namespace tenon::screens {
namespace {

constexpr int kTrainMs = 240'000;

void throughMenu(QMenu& menu, QPoint at, const QString& name,
                 const std::function<void(QMenu&, const QString&)>& then) {
  menu.popup(at);
  settle();
  require(menu.isVisible(), QStringLiteral("the menu %1 does not open").arg(name));
  then(menu, name);
  for (QAction* action : menu.actions())
    if (action->menu() && action->isEnabled())
      throughMenu(*action->menu(), at + QPoint(40, 40),
                  name + QStringLiteral(" > ") + action->text(), then);
  menu.hide();
  settle(40);
}

QDialog* openDialog() {
  for (QWidget* top : QApplication::topLevelWidgets())
    if (auto* dialog = qobject_cast<QDialog*>(top); dialog && dialog->isVisible()) return dialog;
  return nullptr;
}

void throughDialog(Stage& stage, const char* command,
                   const std::function<void(QWidget&, const QString&)>& then) {
  QAction* action = stage.window().action(QLatin1String(command));
  action->trigger();
  require(waitUntil([] { return openDialog() != nullptr; }, 5000),
          QStringLiteral("%1 opens no dialog").arg(QLatin1String(command)));
  settle(400);
  QDialog* dialog = openDialog();
  auto* pages = dialog->findChild<QListWidget*>();
  const int count = pages ? pages->count() : 1;
  for (int row = 0; row < count; ++row) {
    if (pages) pages->setCurrentRow(row);
    settle();
    then(*dialog, pages ? QStringLiteral("%1 %2").arg(QLatin1String(command)).arg(row + 1)
                        : QString::fromLatin1(command));
  }
  dialog->close();
  require(waitUntil([] { return openDialog() == nullptr; }, 5000),
          QStringLiteral("%1 does not close").arg(QLatin1String(command)));
}

}  // namespace

void openProject(Stage& stage, const QString& folder) {
  stage.window().openProject(folder);
  require(waitUntil([&] { return stage.session().document.folder().endsWith(folder); }, 30'000),
          QStringLiteral("%1 does not open").arg(folder));
  stage.awaitProject();
}

void trainToTheEnd(Stage& stage) {
  ui::RunController& run = stage.session().run;
  run.start();
  require(waitUntil([&run] { return run.state() == ui::RunState::Running; }, 30'000),
          QStringLiteral("the run does not start"));
  run.recordNextStep();
  awaitEnd(stage);
}

void awaitEnd(Stage& stage) {
  const ui::RunController& run = stage.session().run;
  await(QStringLiteral("the small run has ended"), kTrainMs, [&run] { return !run.isLive(); });
  settle(1500);  // rows and samples are read and drawn
}

void throughTabs(Stage& stage, const std::function<void(const QString&)>& then) {
  for (QTabBar* tabs : stage.page().dockWindow()->findChildren<QTabBar*>()) {
    if (!tabs->isVisible() || tabs->count() < 2) continue;
    const int before = tabs->currentIndex();
    for (int i = 0; i < tabs->count(); ++i) {
      if (i == before) continue;
      tabs->setCurrentIndex(i);
      settle(300);
      then(tabs->tabText(i));
    }
    tabs->setCurrentIndex(before);
    settle(100);
  }
}

void throughMenus(Stage& stage, const std::function<void(QMenu&, const QString&)>& then) {
  QMenuBar& bar = stage.menus();
  for (QAction* action : bar.actions()) {
    const QPoint at = bar.mapToGlobal(bar.actionGeometry(action).bottomLeft());
    throughMenu(*action->menu(), at, action->text(), then);
  }
}

void throughDialogs(Stage& stage, const std::function<void(QWidget&, const QString&)>& then) {
  for (const char* command : {ui::command::kSettings, ui::command::kAbout, ui::command::kShowLog})
    throughDialog(stage, command, then);
  stage.window().action(QLatin1String(ui::command::kPalette))->trigger();
  auto* palette = stage.window().findChild<ui::CommandPalette*>();
  require(palette && waitUntil([palette] { return palette->isVisible(); }, 3000),
          QStringLiteral("the list of actions does not open"));
  settle();
  then(palette->isWindow() ? *palette : static_cast<QWidget&>(stage.window()),
       QStringLiteral("actions"));
  palette->hide();
  settle(100);
}

}  // namespace tenon::screens
