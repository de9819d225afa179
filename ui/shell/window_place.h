// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a window with its frame within the screen.
#pragma once

#include <QSize>

class QWidget;

namespace tenon::ui {

/// The size a new window starts with: `wanted`, or less where the screen with a title bar has no
/// room for it.
[[nodiscard]] QSize firstWindowSize(const QWidget& window, const QSize& wanted);
/// Makes a shown window smaller and moves it, so that its frame lies within the screen's free area.
/// Does nothing to one that is maximized, in full screen or on the screen already.
void keepOnScreen(QWidget& window);

}  // namespace tenon::ui
