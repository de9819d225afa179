// SPDX-License-Identifier: GPL-3.0-or-later
// The menu bar, built from the command table.
#pragma once

#include <QAction>
#include <QList>
#include <functional>

class QMenuBar;
class QWidget;

namespace tenon::ui {

class CommandSet;
class RecentProjects;

/// What menus show that is not in the table.
struct MenuSources {
  RecentProjects& recents;
  std::function<void(const QString&)> openRecent;
  std::function<QList<QAction*>()> panelActions;  ///< of the mode in front
};

[[nodiscard]] QMenuBar* buildMenus(const CommandSet& commands, MenuSources sources,
                                   QWidget* parent);

}  // namespace tenon::ui
