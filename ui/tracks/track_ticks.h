// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks and texts of tracks: time in the caller's unit, bytes in powers of two.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace tenon::ui {

struct TrackTicks {
  std::vector<double> at;  ///< In ticks or bytes.
  QStringList labels;
  QString unit;  ///< Unit of all labels.
};

/// About `count` round numbers of `perUnit` ticks each between two ticks.
TrackTicks timeTicks(double begin, double end, double perUnit, int count);
/// About `count` multiples of a power of two, in KiB below 1 MiB of
/// `high`, else in MiB.
TrackTicks byteTicks(double low, double high, int count);
/// `412.3 MiB`: four significant digits, in B, KiB or MiB.
QString bytesText(double bytes);
/// A time with as many digits as tell apart what a pixel of `resolution` ticks shows.
QString timeText(double ticks, double perUnit, double resolution);

}  // namespace tenon::ui
