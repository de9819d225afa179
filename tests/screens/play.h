// SPDX-License-Identifier: GPL-3.0-or-later
// Things done to a window without mouse and keys, to bring it into a state that is looked at.
#pragma once

#include <QList>
#include <QString>
#include <functional>

class QMenu;
class QWidget;

namespace tenon::screens {

class Stage;

/// Opens another project in the window and waits until it is checked.
void openProject(Stage& stage, const QString& folder);
/// Trains to the end and records a step on the way.
void trainToTheEnd(Stage& stage);
/// Waits until the live run has ended and its last values are drawn.
void awaitEnd(Stage& stage);
/// Shows each panel that stands behind a tab of the page in front; `then` gets its title.
void throughTabs(Stage& stage, const std::function<void(const QString&)>& then);
/// Opens each menu of the menu bar in its place, and the menus in them.
void throughMenus(Stage& stage, const std::function<void(QMenu&, const QString&)>& then);
/// Opens each dialog and pane that the menus offer; `then` gets the window to look at.
void throughDialogs(Stage& stage, const std::function<void(QWidget&, const QString&)>& then);

}  // namespace tenon::screens
