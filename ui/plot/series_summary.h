// SPDX-License-Identifier: GPL-3.0-or-later
// A curve in words, for those who do not see it.
#pragma once

#include <QString>

#include "ui/plot/series_data.h"

namespace tenon::ui {

enum class Trend { Falling, Steady, Rising };

/// Where a curve tends: the mean of its last fifth against that of the fifth before, when they
/// differ by more than 2 % of its span.
Trend trendOf(const SeriesData& data);

/// "training: last 0.2841, minimum 0.2, maximum 2.3, falling".
QString seriesSummary(const QString& name, const SeriesData& data);

}  // namespace tenon::ui
