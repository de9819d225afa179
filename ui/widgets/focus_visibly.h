// SPDX-License-Identifier: GPL-3.0-or-later
// Sends the focus where a person is led, so that it is seen there.
#pragma once

class QWidget;

namespace tenon::ui {

/// Gives `target` the focus with its ring, and scrolls it into sight.
void focusVisibly(QWidget& target);

}  // namespace tenon::ui
