// SPDX-License-Identifier: GPL-3.0-or-later
// The modes of the window, in the order of the work.
#pragma once

#include <QMetaType>
#include <array>

namespace tenon::ui {

enum class Mode { Welcome, Data, Model, Train, Inspect, Results };

inline constexpr std::array<Mode, 6> kModes = {Mode::Welcome, Mode::Data,    Mode::Model,
                                               Mode::Train,   Mode::Inspect, Mode::Results};

}  // namespace tenon::ui
