// SPDX-License-Identifier: GPL-3.0-or-later
// The menu bar.
#include "ui/shell/menus.h"

#include <QDir>
#include <QMenu>
#include <QMenuBar>

#include "ui/session/commands.h"
#include "ui/session/recent_projects.h"
#include "ui/shell/command_set.h"
#include "ui/shell/command_table.h"

namespace tenon::ui {
namespace {

constexpr int kRecentShown = 10;

void fillRecent(QMenu& menu, const MenuSources& sources) {
  menu.clear();
  const RecentProjects& recents = sources.recents;
  const int count = std::min(recents.rowCount(), kRecentShown);
  for (int row = 0; row < count; ++row) {
    const QModelIndex index = recents.index(row);
    const QString path = index.data(RecentProjects::kPathRole).toString();
    QString name = index.data(RecentProjects::kNameRole).toString();
    QAction* action = menu.addAction(
        QStringLiteral("%1  —  %2")
            .arg(name.replace(u'&', QLatin1String("&&")), QDir::toNativeSeparators(path)));
    action->setEnabled(!index.data(RecentProjects::kMissingRole).toBool());
    QObject::connect(action, &QAction::triggered, &menu,
                     [open = sources.openRecent, path] { open(path); });
  }
  menu.setEnabled(count > 0);
}

void addRecent(QMenu& file, QAction* before, const MenuSources& sources) {
  auto* menu = new QMenu(QMenu::tr("Open &recent"), &file);
  file.insertMenu(before, menu);
  fillRecent(*menu, sources);
  QObject::connect(&file, &QMenu::aboutToShow, menu,
                   [menu, sources] { fillRecent(*menu, sources); });
}

void addPanels(QMenu& view, QAction* before, const MenuSources& sources) {
  auto* menu = new QMenu(QMenu::tr("Pa&nels"), &view);
  view.insertMenu(before, menu);
  QObject::connect(&view, &QMenu::aboutToShow, menu, [menu, sources] {
    menu->clear();
    const QList<QAction*> actions = sources.panelActions();
    menu->addActions(actions);
    menu->setEnabled(!actions.isEmpty());
  });
}

}  // namespace

QMenuBar* buildMenus(const CommandSet& commands, MenuSources sources, QWidget* parent) {
  auto* bar = new QMenuBar(parent);
  QMenu* menu = nullptr;
  const CommandSpec* before = nullptr;
  for (const CommandSpec& spec : commandTable()) {
    if (!before || before->menu != spec.menu) {
      menu = bar->addMenu(menuTitle(spec.menu));
      menu->setToolTipsVisible(true);
    } else if (before->section != spec.section) {
      menu->addSeparator();
    }
    menu->addAction(commands.action(QLatin1String(spec.id)));
    before = &spec;
  }
  QAction* duplicate = commands.action(command::kDuplicate);
  QAction* reset = commands.action(command::kResetArrangement);
  for (QMenu* each : bar->findChildren<QMenu*>()) {
    if (each->actions().contains(duplicate)) addRecent(*each, duplicate, sources);
    if (each->actions().contains(reset)) addPanels(*each, reset, sources);
  }
  return bar;
}

}  // namespace tenon::ui
