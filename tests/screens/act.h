// SPDX-License-Identifier: GPL-3.0-or-later
// Acting as a person does: the mouse and the keys of the display, moved by xdotool; and waiting.
#pragma once

#include <QPoint>
#include <QString>
#include <QWidget>
#include <functional>

class QAbstractButton;
class QAction;
class QMenuBar;

namespace tenon::screens {

/// Serves events until `done` holds. False if it does not within the limit.
[[nodiscard]] bool waitUntil(const std::function<bool()>& done, int limitMs);
/// As waitUntil; throws Failed that names `what`. Returns the seconds it took.
double await(const QString& what, int limitMs, const std::function<bool()>& done);
/// Serves events for a while, so that what was asked for is on the screen.
void settle(int ms = 150);

/// Moves the pointer there and presses the left button. Throws Failed if the widget is hidden,
/// disabled or covered at that place.
void click(QWidget& widget);
void click(QWidget& widget, QPoint at);
/// Opens the menu that has this action and chooses it, both by click.
void choose(QMenuBar& bar, QAction& action);
/// Presses keys as xdotool calls them ("ctrl+q", "Escape").
void press(const QString& keys);
/// Moves the pointer to the bottom right corner, where nothing lights up under it.
void parkPointer();

/// The visible button below `root` that triggers the action with this object name.
[[nodiscard]] QAbstractButton& buttonOf(const QWidget& root, const QString& action);
/// The visible button below `root` with this accessible name.
[[nodiscard]] QAbstractButton& buttonCalled(const QWidget& root, const QString& name);

}  // namespace tenon::screens
