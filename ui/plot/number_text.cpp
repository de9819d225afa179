// SPDX-License-Identifier: GPL-3.0-or-later
// Number texts of charts.
#include "ui/plot/number_text.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QLocale>
#include <algorithm>
#include <cmath>

namespace tenon::ui {

namespace {

struct NumberText {
  Q_DECLARE_TR_FUNCTIONS(NumberText)
};

}  // namespace

QString metricText(double value) {
  if (std::isnan(value)) return QStringLiteral("NaN");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("+inf") : QStringLiteral("-inf");
  const double size = std::abs(value);
  if (value == std::floor(value) && size < 1e6) return QString::number(value, 'f', 0);
  if (size < 1e-4 || size >= 1e6) return QString::number(value, 'g', 4);
  const int decimals = std::max(0, 3 - static_cast<int>(std::floor(std::log10(size))));
  return QString::number(value, 'f', decimals);
}

QString countText(std::int64_t value) {
  QString digits = QString::number(value);
  const int first = value < 0 ? 1 : 0;
  for (auto at = digits.size() - 3; at > first; at -= 3) digits.insert(at, QChar(0x202F));
  return digits;
}

QString durationText(double seconds) {
  if (!std::isfinite(seconds)) return metricText(seconds);
  if (seconds < 0) return QLatin1Char('-') + durationText(-seconds);
  if (seconds < 9.995) return NumberText::tr("%1 s").arg(QString::number(seconds, 'f', 2));
  if (seconds < 59.95) return NumberText::tr("%1 s").arg(QString::number(seconds, 'f', 1));
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  const auto two = [](std::int64_t n) { return QStringLiteral("%1").arg(n, 2, 10, QChar(u'0')); };
  if (whole < 3600) return NumberText::tr("%1 min %2 s").arg(whole / 60).arg(two(whole % 60));
  const std::int64_t minutes = (whole + 30) / 60;
  return NumberText::tr("%1 h %2 min").arg(countText(minutes / 60), two(minutes % 60));
}

QFont digitsFont(const QFont& font) {
  const QFontMetricsF metrics(font);
  const double width = metrics.horizontalAdvance(QChar(u'0'));
  for (char16_t digit = u'1'; digit <= u'9'; ++digit) {
    if (std::abs(metrics.horizontalAdvance(QChar(digit)) - width) < 0.01) continue;
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.pointSizeF() > 0 ? fixed.setPointSizeF(font.pointSizeF())
                          : fixed.setPixelSize(font.pixelSize());
    return fixed;
  }
  return font;
}

}  // namespace tenon::ui
