// SPDX-License-Identifier: GPL-3.0-or-later
// Tick rules of the charts' axes.
#include "ui/plot/axis_ticks.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/plot/number_text.h"

namespace tenon::ui {

namespace {

struct AxisTickText {
  Q_DECLARE_TR_FUNCTIONS(AxisTicks)
};

constexpr int kMostTicks = 200;

/// A step a little below the rough one still serves.
constexpr double kGive = 0.75;

/// 1, 2 or 5 times a power of ten, about `rough` or the next above.
double roundStep(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (power * factor >= rough * kGive) return power * factor;
  }
  return power * 10;
}

/// The multiples of `step` inside the range.
std::vector<double> multiples(AxisRange range, double step) {
  std::vector<double> ticks;
  const double slack = range.size() * 1e-9;
  const double first = std::ceil((range.lower - slack) / step);
  const double last = std::floor((range.upper + slack) / step);
  for (double k = first; k <= last && ticks.size() < kMostTicks; ++k) ticks.push_back(k * step);
  return ticks;
}

int decimalsOf(double step) {
  return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 15);
}

QString linearText(double value, double step, double largest) {
  if (largest >= 1e6 || step < 1e-5) return QString::number(value, 'g', 6);
  return value == 0 ? QStringLiteral("0") : QString::number(value, 'f', decimalsOf(step));
}

QString stepText(double value, double step) {
  const auto whole = static_cast<std::int64_t>(std::llround(value));
  if (value != 0 && step >= 1e5 && std::abs(value) >= 1e6) {
    return QString::number(value / 1e6, 'g', 6) + QLatin1Char('M');
  }
  if (value != 0 && step >= 1e3 && std::abs(value) >= 1e4) {
    return QString::number(value / 1e3, 'g', 6) + QLatin1Char('k');
  }
  return countText(whole);
}

QString clockText(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return AxisTickText::tr("%1 s").arg(whole);
  const auto two = [](std::int64_t n) { return QStringLiteral("%1").arg(n, 2, 10, QChar(u'0')); };
  if (whole < 3600) {
    return whole % 60 == 0 ? AxisTickText::tr("%1 min").arg(whole / 60)
                           : AxisTickText::tr("%1:%2 min").arg(whole / 60).arg(two(whole % 60));
  }
  const std::int64_t minutes = whole / 60;
  return minutes % 60 == 0 ? AxisTickText::tr("%1 h").arg(minutes / 60)
                           : AxisTickText::tr("%1 h %2").arg(minutes / 60).arg(two(minutes % 60));
}

std::vector<double> mantissas(AxisRange range, std::initializer_list<double> factors) {
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(range.lower)));
  const int last = static_cast<int>(std::ceil(std::log10(range.upper)));
  for (int power = first; power <= last; ++power) {
    for (const double factor : factors) {
      const double tick = factor * std::pow(10.0, power);
      if (tick >= range.lower * (1 - 1e-9) && tick <= range.upper * (1 + 1e-9)) {
        ticks.push_back(tick);
      }
    }
  }
  return ticks;
}

QString logText(double value) {
  const double power = std::floor(std::log10(value) + 1e-9);
  if (power >= -4 && power < 6) {
    return QString::number(value, 'f', static_cast<int>(std::max(0.0, -power)));
  }
  return QString::number(value, 'g', 3);
}

}  // namespace

AxisTicks linearTicks(AxisRange range, int count) {
  AxisTicks ticks;
  if (!(range.size() > 0)) return ticks;
  const double step = roundStep(range.size() / std::max(count, 1));
  ticks.major = multiples(range, step);
  const double largest = std::max(std::abs(range.lower), std::abs(range.upper));
  for (const double tick : ticks.major) ticks.labels.append(linearText(tick, step, largest));
  return ticks;
}

AxisTicks stepTicks(AxisRange range, int count) {
  AxisTicks ticks;
  if (!(range.size() > 0)) return ticks;
  const double step = std::max(1.0, roundStep(range.size() / std::max(count, 1)));
  ticks.major = multiples(range, step);
  for (const double tick : ticks.major) ticks.labels.append(stepText(tick, step));
  return ticks;
}

AxisTicks durationTicks(AxisRange range, int count) {
  static constexpr std::array<double, 17> kSteps = {
      1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200};
  AxisTicks ticks;
  if (!(range.size() > 0)) return ticks;
  const double rough = range.size() / std::max(count, 1);
  if (rough < 0.5) {
    ticks = linearTicks(range, count);
    for (QString& label : ticks.labels) label = AxisTickText::tr("%1 s").arg(label);
    return ticks;
  }
  const auto fitting = std::lower_bound(kSteps.begin(), kSteps.end(), rough * kGive);
  const double step = fitting != kSteps.end() ? *fitting : 86400 * roundStep(rough / 86400);
  ticks.major = multiples(range, step);
  for (const double tick : ticks.major) ticks.labels.append(clockText(tick));
  return ticks;
}

AxisTicks logTicks(AxisRange range, int count) {
  AxisTicks ticks;
  if (!(range.lower > 0) || !(range.size() > 0)) return ticks;
  ticks.major = mantissas(range, {1, 2, 5});
  if (ticks.major.size() < 2) return linearTicks(range, count);
  if (static_cast<int>(ticks.major.size()) > std::max(count, 2)) {
    ticks.major = mantissas(range, {1});
    const auto every = 1 + (ticks.major.size() - 1) / static_cast<std::size_t>(std::max(count, 2));
    std::vector<double> kept;
    for (std::size_t i = 0; i < ticks.major.size(); i += every) kept.push_back(ticks.major[i]);
    ticks.major = kept;
    if (every == 1) ticks.minor = mantissas(range, {2, 3, 4, 5, 6, 7, 8, 9});
  }
  for (const double tick : ticks.major) ticks.labels.append(logText(tick));
  return ticks;
}

AxisTicks xTicks(XAxis axis, AxisRange range, int count) {
  if (axis == XAxis::Step) return stepTicks(range, count);
  if (axis == XAxis::Time) return durationTicks(range, count);
  return linearTicks(range, count);
}

}  // namespace tenon::ui
