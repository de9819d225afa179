// SPDX-License-Identifier: GPL-3.0-or-later
// Zooming and moving of axis ranges.
#include "ui/plot/axis_range.h"

#include <algorithm>
#include <cmath>

namespace tenon::ui {

namespace {

constexpr double kLargest = 1e15;

AxisRange toLog(AxisRange range) { return {std::log10(range.lower), std::log10(range.upper)}; }
AxisRange fromLog(AxisRange range) {
  return {std::pow(10, std::max(range.lower, -300.0)), std::pow(10, std::min(range.upper, 300.0))};
}

}  // namespace

AxisRange zoomed(AxisRange range, double at, double factor, bool log) {
  if (log) return fromLog(zoomed(toLog(range), std::log10(at), factor));
  const double least = 1e-10 * std::max({1e-3, std::abs(range.lower), std::abs(range.upper)});
  const double size = std::clamp(range.size() * factor, least, kLargest);
  const double share = (at - range.lower) / range.size();
  return {at - share * size, at + (1 - share) * size};
}

AxisRange moved(AxisRange range, double share, bool log) {
  if (log) return fromLog(moved(toLog(range), share));
  const double by = range.size() * share;
  return {range.lower + by, range.upper + by};
}

AxisRange padded(AxisRange range, double shareBelow, double shareAbove, bool log) {
  if (log) return fromLog(padded(toLog(range), shareBelow, shareAbove));
  if (range.size() <= 0) {
    const double room = range.lower == 0 ? 1 : std::abs(range.lower) * 0.1;
    return {range.lower - room, range.lower + room};
  }
  return {range.lower - range.size() * shareBelow, range.upper + range.size() * shareAbove};
}

}  // namespace tenon::ui
