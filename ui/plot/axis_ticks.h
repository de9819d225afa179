// SPDX-License-Identifier: GPL-3.0-or-later
// Where the ticks of an axis stand and how they read.
#pragma once

#include <QStringList>
#include <vector>

#include "ui/plot/axis_range.h"
#include "ui/plot/series_data.h"

namespace tenon::ui {

/// Ticks inside a range: labelled ones, and small ones between them.
struct AxisTicks {
  std::vector<double> major;
  std::vector<double> minor;
  QStringList labels;  ///< One for each major tick.
};

/// About `count` round values, all written with the same decimals.
AxisTicks linearTicks(AxisRange range, int count);
/// Whole steps: `0`, `500`, `20k`, `3M`.
AxisTicks stepTicks(AxisRange range, int count);
/// Round durations: `30 s`, `5 min`, `1 h 30`.
AxisTicks durationTicks(AxisRange range, int count);
/// Powers of ten, with 2 and 5 between them when there is room; `range.lower` > 0.
AxisTicks logTicks(AxisRange range, int count);
/// The ticks an x-axis wants.
AxisTicks xTicks(XAxis axis, AxisRange range, int count);

}  // namespace tenon::ui
