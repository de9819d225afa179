// SPDX-License-Identifier: GPL-3.0-or-later
// A stretch of an axis, and how it is zoomed, moved and padded.
#pragma once

namespace tenon::ui {

struct AxisRange {
  double lower = 0;
  double upper = 1;
  double size() const { return upper - lower; }
  bool operator==(const AxisRange&) const = default;
};

/// The range made `factor` times as large (above 1: zoomed out) with `at` kept in its place. On a
/// log axis in orders of magnitude. Never smaller than numbers can tell apart.
AxisRange zoomed(AxisRange range, double at, double factor, bool log = false);
/// The range moved by `share` of its size.
AxisRange moved(AxisRange range, double share, bool log = false);
/// The range with `share` of its size added at either end; an empty one gets room around its value.
AxisRange padded(AxisRange range, double shareBelow, double shareAbove, bool log = false);

}  // namespace tenon::ui
