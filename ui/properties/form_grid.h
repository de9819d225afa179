// SPDX-License-Identifier: GPL-3.0-or-later
// The columns that all forms share, so that their fields stand in one line. Inside this room only.
#pragma once

class QGridLayout;
class QWidget;

namespace tenon::ui {

namespace form {
inline constexpr int kLabel = 112;      // room that every label column has
inline constexpr int kLongLabel = 160;  // a label takes what it needs up to here
inline constexpr int kDot = 8;
inline constexpr int kReset = 24;
}  // namespace form

/// Label, dot of a changed value, field, reset arrow.
[[nodiscard]] QGridLayout* newFormGrid(QWidget* parent = nullptr);

}  // namespace tenon::ui
