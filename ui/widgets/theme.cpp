// SPDX-License-Identifier: GPL-3.0-or-later
// Colour tokens, palettes and fonts of both themes.
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <cmath>

#include "ui/widgets/tenon_style.h"

namespace tenon::ui {
namespace {

QColor rgb(unsigned value) { return QColor::fromRgb(0xFF000000U | value); }

Theme darkTheme() {
  Theme t;
  t.kind = Theme::Kind::Dark;
  t.surface = rgb(0x1E1F22);
  t.raised = rgb(0x27282C);
  t.sunken = rgb(0x18191B);
  t.hairline = rgb(0x3A3C42);
  t.fieldBorder = rgb(0x70737C);
  t.text = rgb(0xE6E6E4);
  t.secondary = rgb(0xA9ABB0);
  t.accent = rgb(0xE0A458);
  t.accentText = rgb(0x1F1A14);
  t.selection = rgb(0x4A3A22);
  t.good = rgb(0x5FBF77);
  t.bad = rgb(0xF0766B);
  t.warn = rgb(0xE3C34A);
  t.series = {rgb(0x6CB4EE), rgb(0xF28E5C), rgb(0x5CC8A1), rgb(0xD58BD8),
              rgb(0xC9C24A), rgb(0x8FA3FF), rgb(0xF27FA0), rgb(0xA8B0B8)};
  return t;
}

Theme lightTheme() {
  Theme t;
  t.kind = Theme::Kind::Light;
  t.surface = rgb(0xF7F6F4);
  t.raised = rgb(0xFFFFFF);
  t.sunken = rgb(0xEDEBE7);
  t.hairline = rgb(0xD6D3CD);
  t.fieldBorder = rgb(0x8A867E);
  t.text = rgb(0x1F1F1D);
  t.secondary = rgb(0x5C5A55);
  t.accent = rgb(0x9A5F12);
  t.accentText = rgb(0xFFFFFF);
  t.selection = rgb(0xF3E2C6);
  t.good = rgb(0x1E7F3C);
  t.bad = rgb(0xB3261E);
  t.warn = rgb(0x7A5F00);
  t.series = {rgb(0x0F6CB6), rgb(0xC4501B), rgb(0x0B8464), rgb(0x9A3FA0),
              rgb(0x7E7400), rgb(0x4A55C8), rgb(0xB8325F), rgb(0x5B636B)};
  return t;
}

double linearChannel(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
  return 0.2126 * linearChannel(color.redF()) + 0.7152 * linearChannel(color.greenF()) +
         0.0722 * linearChannel(color.blueF());
}

bool hasEqualDigits(const QFont& font) {
  const QFontMetricsF metrics(font);
  const qreal width = metrics.horizontalAdvance(u'0');
  for (char16_t digit = u'1'; digit <= u'9'; ++digit) {
    if (std::fabs(metrics.horizontalAdvance(digit) - width) > 0.01) return false;
  }
  return true;
}

double pointSize(TextSize size) {
  switch (size) {
    case TextSize::Small:
      return 9;
    case TextSize::Body:
      return 10;
    case TextSize::Title:
      return 12;
    case TextSize::Display:
      return 16;
  }
  return 10;
}

}  // namespace

const Theme& Theme::dark() {
  static const Theme theme = darkTheme();
  return theme;
}

const Theme& Theme::light() {
  static const Theme theme = lightTheme();
  return theme;
}

QPalette Theme::palette() const {
  QPalette p;
  const auto set = [&](QPalette::ColorRole role, const QColor& color) {
    p.setColor(QPalette::All, role, color);
  };
  set(QPalette::Window, surface);
  set(QPalette::WindowText, text);
  set(QPalette::Base, raised);
  set(QPalette::AlternateBase, mixed(text, raised, 0.03));
  set(QPalette::Text, text);
  set(QPalette::Button, raised);
  set(QPalette::ButtonText, text);
  set(QPalette::BrightText, bad);
  set(QPalette::Light, raised);
  set(QPalette::Midlight, hovered(raised));
  set(QPalette::Mid, hairline);
  set(QPalette::Dark, fieldBorder);
  set(QPalette::Shadow, sunken);
  set(QPalette::Highlight, selection);
  set(QPalette::HighlightedText, text);
  set(QPalette::Link, accent);
  set(QPalette::LinkVisited, accent);
  set(QPalette::ToolTipBase, raised);
  set(QPalette::ToolTipText, text);
  set(QPalette::PlaceholderText, secondary);
  const QColor faded = mixed(secondary, surface, 0.6);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText,
                          QPalette::HighlightedText, QPalette::PlaceholderText}) {
    p.setColor(QPalette::Disabled, role, faded);
  }
  p.setColor(QPalette::Disabled, QPalette::Highlight, hairline);
  return p;
}

Tint seriesTint(int index) {
  return static_cast<Tint>(static_cast<int>(Tint::Series0) + ((index % 8) + 8) % 8);
}

QColor Theme::color(Tint tint) const {
  switch (tint) {
    case Tint::Text:
      return text;
    case Tint::Secondary:
      return secondary;
    case Tint::Accent:
      return accent;
    case Tint::AccentText:
      return accentText;
    case Tint::Good:
      return good;
    case Tint::Bad:
      return bad;
    case Tint::Warn:
      return warn;
    default:
      return seriesColor(static_cast<int>(tint) - static_cast<int>(Tint::Series0));
  }
}

QColor Theme::seriesColor(int index) const {
  const int count = static_cast<int>(series.size());
  return series[static_cast<std::size_t>(((index % count) + count) % count)];
}

QColor Theme::hovered(const QColor& base) const {
  return mixed(text, base, isDark() ? 0.08 : 0.06);
}

double contrastRatio(const QColor& a, const QColor& b) {
  const double la = luminance(a);
  const double lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor mixed(const QColor& top, const QColor& bottom, double share) {
  const auto channel = [share](int over, int under) {
    return static_cast<int>(std::lround(under + (over - under) * share));
  };
  return {channel(top.red(), bottom.red()), channel(top.green(), bottom.green()),
          channel(top.blue(), bottom.blue())};
}

QFont textFont(TextSize size, bool bold) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
  font.setPointSizeF(pointSize(size));
  font.setBold(bold);
  return font;
}

QFont numberFont(TextSize size) {
  QFont font = textFont(size);
  if (hasEqualDigits(font)) return font;
  font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSizeF(pointSize(size));
  return font;
}

const Theme& currentTheme() {
  if (const auto* style = qobject_cast<const TenonStyle*>(QApplication::style())) {
    return style->theme();
  }
  const bool dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
  return dark ? Theme::dark() : Theme::light();
}

}  // namespace tenon::ui
