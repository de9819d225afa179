// SPDX-License-Identifier: GPL-3.0-or-later
// Wording of curve summaries.
#include "ui/plot/series_summary.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "ui/plot/number_text.h"

namespace tenon::ui {

namespace {

struct SummaryText {
  Q_DECLARE_TR_FUNCTIONS(SeriesSummary)
};

/// Mean of at most 200 evenly spread finite values; NaN if there is none.
double sampleMean(const SeriesData& data, std::size_t first, std::size_t last) {
  constexpr std::size_t kMost = 200;
  const std::size_t stride = std::max<std::size_t>(1, (last - first) / kMost);
  double sum = 0;
  int count = 0;
  for (std::size_t i = first; i < last; i += stride) {
    const double value = data.value(i);
    if (!std::isfinite(value)) continue;
    sum += value;
    ++count;
  }
  return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Trend trendOf(const SeriesData& data) {
  const Extent extent = data.extent(0, data.size());
  const std::size_t fifth = data.size() / 5;
  if (fifth == 0 || !(extent.max > extent.min)) return Trend::Steady;
  const double now = sampleMean(data, data.size() - fifth, data.size());
  const double before = sampleMean(data, data.size() - 2 * fifth, data.size() - fifth);
  const double change = (now - before) / (extent.max - extent.min);
  if (!(std::abs(change) > 0.02)) return Trend::Steady;
  return change > 0 ? Trend::Rising : Trend::Falling;
}

QString seriesSummary(const QString& name, const SeriesData& data) {
  if (data.empty()) return SummaryText::tr("%1: no points").arg(name);
  const Extent extent = data.extent(0, data.size());
  const QString last = metricText(data.value(data.size() - 1));
  if (extent.empty()) return SummaryText::tr("%1: last %2, no finite values").arg(name, last);
  const QString words[] = {SummaryText::tr("falling"), SummaryText::tr("steady"),
                           SummaryText::tr("rising")};
  return SummaryText::tr("%1: last %2, minimum %3, maximum %4, %5")
      .arg(name, last, metricText(extent.min), metricText(extent.max),
           words[static_cast<int>(trendOf(data))]);
}

}  // namespace tenon::ui
