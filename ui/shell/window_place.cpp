// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the screen and the frame of a window.
#include "ui/shell/window_place.h"

#include <QScreen>
#include <QStyle>
#include <QWidget>
#include <algorithm>

namespace tenon::ui {
namespace {

constexpr int kThinFrame = 1;  // left, right and below, of a window manager that is not known yet

}  // namespace

QSize firstWindowSize(const QWidget& window, const QSize& wanted) {
  const QSize room = window.screen()->availableGeometry().size();
  const int title = window.style()->pixelMetric(QStyle::PM_TitleBarHeight, nullptr, &window);
  return wanted.boundedTo({room.width() - 2 * kThinFrame, room.height() - title - kThinFrame})
      .expandedTo(window.minimumSize());
}

void keepOnScreen(QWidget& window) {
  if (window.windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen)) return;
  const QRect room = window.screen()->availableGeometry();
  const QRect frame = window.frameGeometry();
  if (room.contains(frame)) return;
  const QSize borders = frame.size() - window.size();
  window.resize(window.size().boundedTo(room.size() - borders));
  const QSize size = window.size() + borders;
  // Too large for the screen even so: the title bar is what must be seen.
  window.move(std::max(room.left(), std::min(frame.left(), room.right() + 1 - size.width())),
              std::max(room.top(), std::min(frame.top(), room.bottom() + 1 - size.height())));
}

}  // namespace tenon::ui
