// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as charts write them: '.' as decimal sign everywhere, four significant digits.
#pragma once

#include <QFont>
#include <QString>
#include <cstdint>

namespace tenon::ui {

/// A metric with four significant digits: `0.2841`, `1.2e-05`, `NaN`, `+inf`.
QString metricText(double value);
/// A count with thin groups: `60 000`.
QString countText(std::int64_t value);
/// A duration: `0.42 s`, `12.3 s`, `4 min 05 s`, `1 h 02 min`.
QString durationText(double seconds);
/// `font` if its digits are equally wide, else the system's fixed font at the same size.
QFont digitsFont(const QFont& font);

}  // namespace tenon::ui
