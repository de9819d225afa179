// SPDX-License-Identifier: GPL-3.0-or-later
// Has the field of a form make its edit while a person is still in it.
#pragma once

class QWidget;

namespace tenon::ui {

/// Fields make their edit when they lose the focus (what was typed, a burst of steps): the one
/// within `form` that has it loses it for a moment. Nothing happens if the focus is elsewhere.
void finishEditing(QWidget& form);

}  // namespace tenon::ui
