// SPDX-License-Identifier: GPL-3.0-or-later
// The walk: every place of the window is shown in turn and looked at by every check.
#pragma once

namespace tenon::screens {

class Stage;

/// Walks a window: each mode with nothing run yet, with a run and with a faulty project, panels
/// behind tabs, menus and dialogs, in both themes. Prints each fault with the places where it
/// stands. Returns how many there are.
[[nodiscard]] int walk(Stage& stage, bool pseudo);

}  // namespace tenon::screens
