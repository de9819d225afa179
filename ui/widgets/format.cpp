// SPDX-License-Identifier: GPL-3.0-or-later
// Formats and reads numbers by the rules of the interface (format.h).
#include "ui/widgets/format.h"

#include <QLocale>
#include <array>
#include <cmath>

namespace tenon::ui {
namespace {

constexpr QChar kThinSpace(0x2009);
constexpr QChar kNoBreakSpace(0x00A0);

/// At most `digits` significant digits in fixed notation, whole digits never cut.
QString fixedDigits(double value, int digits) {
  const double magnitude = std::fabs(value);
  int whole = magnitude < 1.0 ? 1 : static_cast<int>(std::floor(std::log10(magnitude))) + 1;
  int behind = std::max(0, digits - whole);
  QString text = QString::number(value, 'f', behind);
  // Rounding may carry into a new digit (9.999 -> 10.00): take one digit less then.
  if (behind > 0 && std::fabs(text.toDouble()) >= std::pow(10.0, whole)) {
    text = QString::number(value, 'f', behind - 1);
  }
  return text;
}

QString withoutTrailingZeros(QString text) {
  if (!text.contains(u'.')) return text;
  while (text.endsWith(u'0')) text.chop(1);
  if (text.endsWith(u'.')) text.chop(1);
  return text;
}

QString scaled(double value, double base, const std::array<const char*, 5>& units, bool spaceless) {
  std::size_t unit = 0;
  // 999.5 would print as 1000 of the smaller unit.
  while (unit + 1 < units.size() && std::fabs(value) >= (unit == 0 ? base : base * 0.9995)) {
    value /= base;
    ++unit;
  }
  const QString name = QString::fromLatin1(units[unit]);
  const QString number =
      unit == 0 ? QString::number(value, 'f', 0) : withoutTrailingZeros(fixedDigits(value, 3));
  return name.isEmpty() && spaceless ? number : number + kNoBreakSpace + name;
}

QString twoDigits(qint64 value) { return QString::number(value).rightJustified(2, u'0'); }

QString pair(qint64 big, const char* bigUnit, qint64 small, const char* smallUnit) {
  return QString::number(big) + kNoBreakSpace + QLatin1String(bigUnit) + u' ' + twoDigits(small) +
         kNoBreakSpace + QLatin1String(smallUnit);
}

}  // namespace

QString formatBytes(qint64 bytes) {
  return scaled(static_cast<double>(bytes), 1024.0, {"B", "KiB", "MiB", "GiB", "TiB"}, false);
}

QString formatCompact(double value) {
  if (!std::isfinite(value)) return formatNumber(value);
  if (std::fabs(value) < 1000 && value != std::floor(value)) return formatNumber(value, 3);
  return scaled(value, 1000.0, {"", "k", "M", "G", "T"}, true);
}

QString formatDuration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0 || seconds > 3.2e9) return QStringLiteral("–");
  if (seconds < 0.9995) {
    return QString::number(std::llround(seconds * 1e3)) + kNoBreakSpace + QLatin1String("ms");
  }
  if (seconds < 59.95) return QString::number(seconds, 'f', 1) + kNoBreakSpace + u's';
  const qint64 whole = std::llround(seconds);
  if (whole < 3600) return pair(whole / 60, "min", whole % 60, "s");
  const qint64 minutes = (whole + 30) / 60;
  if (minutes < 24 * 60) return pair(minutes / 60, "h", minutes % 60, "min");
  const qint64 hours = (minutes + 30) / 60;
  return pair(hours / 24, "d", hours % 24, "h");
}

QString formatNumber(double value, int digits) {
  if (std::isnan(value)) return QStringLiteral("NaN");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("∞") : QStringLiteral("-∞");
  if (value == 0) return QStringLiteral("0");
  const double magnitude = std::fabs(value);
  if (magnitude < 1e-4 || magnitude >= 1e7) return QString::number(value, 'e', digits - 1);
  if (magnitude >= 1.0) return fixedDigits(value, digits);
  // Below 1 zeros behind the point are not significant.
  const int zeros = -static_cast<int>(std::floor(std::log10(magnitude))) - 1;
  return QString::number(value, 'f', digits + zeros);
}

QString formatCount(qint64 count) {
  QString text = QString::number(count);
  const int sign = count < 0 ? 1 : 0;
  if (text.size() - sign <= 4) return text;
  for (qsizetype at = text.size() - 3; at > sign; at -= 3) text.insert(at, kThinSpace);
  return text;
}

QString formatPercent(double share) {
  if (!std::isfinite(share)) return QStringLiteral("–");
  return QString::number(share * 100.0, 'f', 2) + kNoBreakSpace + u'%';
}

QString shortestNumber(double value) {
  if (!std::isfinite(value)) return formatNumber(value);
  const QString shortest = QString::number(value, 'g', QLocale::FloatingPointShortest);
  // 1e+06 reads worse than 1000000, and 2e-3 worse than 0.002.
  const double magnitude = std::fabs(value);
  if (shortest.contains(u'e') && magnitude >= 1e-4 && magnitude < 1e10) {
    return QString::number(value, 'f', QLocale::FloatingPointShortest);
  }
  QString text = shortest;
  return text.replace(QLatin1String("e+"), QLatin1String("e"));
}

std::optional<double> parseNumber(QStringView text) {
  QString clean;
  for (const QChar sign : text.trimmed()) {
    if (sign == kThinSpace || sign == kNoBreakSpace || sign == u'_' || sign == QChar(0x202F)) {
      continue;
    }
    clean += sign == QChar(0x2212) ? QChar(u'-') : sign;
  }
  const auto number = [](QStringView part) -> std::optional<double> {
    part = part.trimmed();
    if (part.isEmpty() || part.contains(u',')) return std::nullopt;
    bool ok = false;
    const double value = QLocale::c().toDouble(part, &ok);
    if (!ok || !std::isfinite(value)) return std::nullopt;
    return value;
  };
  const qsizetype slash = clean.indexOf(u'/');
  if (slash < 0) return number(clean);
  const auto above = number(QStringView(clean).left(slash));
  const auto below = number(QStringView(clean).mid(slash + 1));
  if (!above || !below || *below == 0) return std::nullopt;
  return std::isfinite(*above / *below) ? std::optional(*above / *below) : std::nullopt;
}

}  // namespace tenon::ui
