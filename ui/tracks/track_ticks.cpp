// SPDX-License-Identifier: GPL-3.0-or-later
// Tick rules of tracks.
#include "ui/tracks/track_ticks.h"

#include <algorithm>
#include <cmath>

namespace tenon::ui {

namespace {

constexpr double kKiB = 1024;
constexpr double kMiB = 1024 * 1024;
constexpr double kGive = 0.75;  // a step a little below the rough one still serves
constexpr std::size_t kMostTicks = 200;

double roundStep(double rough) {
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (power * factor >= rough * kGive) return power * factor;
  }
  return power * 10;
}

std::vector<double> multiples(double low, double high, double step) {
  std::vector<double> ticks;
  const double slack = (high - low) * 1e-9;
  const double last = std::floor((high + slack) / step);
  for (double k = std::ceil((low - slack) / step); k <= last && ticks.size() < kMostTicks; ++k) {
    ticks.push_back(k * step);
  }
  return ticks;
}

int decimalsOf(double step) {
  return std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 12);
}

QString grouped(double value, int decimals) {
  QString text = QString::number(value, 'f', decimals);
  const auto point = text.indexOf(QLatin1Char('.'));
  const int first = value < 0 ? 1 : 0;
  for (auto at = (point < 0 ? text.size() : point) - 3; at > first; at -= 3) {
    text.insert(at, QChar(0x202F));
  }
  return text;
}

}  // namespace

TrackTicks timeTicks(double begin, double end, double perUnit, int count) {
  TrackTicks ticks;
  if (!(end > begin) || !(perUnit > 0)) return ticks;
  const double step = roundStep((end - begin) / perUnit / std::max(count, 1));
  for (const double value : multiples(begin / perUnit, end / perUnit, step)) {
    ticks.at.push_back(value * perUnit);
    ticks.labels.append(value == 0 ? QStringLiteral("0") : grouped(value, decimalsOf(step)));
  }
  return ticks;
}

TrackTicks byteTicks(double low, double high, int count) {
  TrackTicks ticks;
  if (!(high > low)) return ticks;
  const double unit = high < kMiB ? kKiB : kMiB;
  ticks.unit = high < kMiB ? QStringLiteral("KiB") : QStringLiteral("MiB");
  const double rough = (high - low) / std::max(count, 1) / unit;
  const double step = std::exp2(std::ceil(std::log2(rough * kGive)));
  for (const double value : multiples(low / unit, high / unit, step)) {
    ticks.at.push_back(value * unit);
    ticks.labels.append(step >= 1 ? grouped(value, 0) : QString::number(value, 'g', 8));
  }
  return ticks;
}

QString bytesText(double bytes) {
  if (std::abs(bytes) < kKiB) return QStringLiteral("%1 B").arg(bytes, 0, 'f', 0);
  const bool small = std::abs(bytes) < kMiB;
  const double value = bytes / (small ? kKiB : kMiB);
  const int digits = std::max(0, 3 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
  const bool whole = value == std::floor(value);
  return grouped(value, whole ? 0 : digits) +
         (small ? QStringLiteral(" KiB") : QStringLiteral(" MiB"));
}

QString timeText(double ticks, double perUnit, double resolution) {
  const double step = std::max(resolution, 1.0) / perUnit;
  return grouped(ticks / perUnit, decimalsOf(step));
}

}  // namespace tenon::ui
