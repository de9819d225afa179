// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of plots taken from the window's theme.
#pragma once

#include "ui/plot/palette.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

/// What a plot paints with in this theme.
[[nodiscard]] PlotTheme plotThemeOf(const Theme& theme);

}  // namespace tenon::ui
