// SPDX-License-Identifier: GPL-3.0-or-later
// The two palettes, as the look of the workbench sets them.
#include "ui/plot/palette.h"

#include <algorithm>
#include <array>

namespace tenon::ui {

PlotTheme PlotTheme::dark() {
  PlotTheme t;
  t.surface = QColor(0x1E1F22);
  t.raised = QColor(0x27282C);
  t.sunken = QColor(0x18191B);
  t.hairline = QColor(0x3A3C42);
  t.fieldBorder = QColor(0x70737C);
  t.text = QColor(0xE6E6E4);
  t.secondary = QColor(0xA9ABB0);
  t.accent = QColor(0xE0A458);
  t.accentText = QColor(0x1F1A14);
  t.selection = QColor(0x4A3A22);
  t.good = QColor(0x5FBF77);
  t.bad = QColor(0xF0766B);
  t.warn = QColor(0xE3C34A);
  for (const QRgb rgb :
       {0x6CB4EEu, 0xF28E5Cu, 0x5CC8A1u, 0xD58BD8u, 0xC9C24Au, 0x8FA3FFu, 0xF27FA0u, 0xA8B0B8u}) {
    t.series.append(QColor(rgb));
  }
  return t;
}

PlotTheme PlotTheme::light() {
  PlotTheme t;
  t.surface = QColor(0xF7F6F4);
  t.raised = QColor(0xFFFFFF);
  t.sunken = QColor(0xEDEBE7);
  t.hairline = QColor(0xD6D3CD);
  t.fieldBorder = QColor(0x8A867E);
  t.text = QColor(0x1F1F1D);
  t.secondary = QColor(0x5C5A55);
  t.accent = QColor(0x9A5F12);
  t.accentText = QColor(0xFFFFFF);
  t.selection = QColor(0xF3E2C6);
  t.good = QColor(0x1E7F3C);
  t.bad = QColor(0xB3261E);
  t.warn = QColor(0x7A5F00);
  for (const QRgb rgb :
       {0x0F6CB6u, 0xC4501Bu, 0x0B8464u, 0x9A3FA0u, 0x7E7400u, 0x4A55C8u, 0xB8325Fu, 0x5B636Bu}) {
    t.series.append(QColor(rgb));
  }
  return t;
}

QColor PlotTheme::seriesColour(int run) const {
  if (run < 0 || series.isEmpty()) return secondary;
  return series.at(run % series.size());
}

QList<qreal> seriesDash(int run, bool validation) {
  constexpr int kColours = 8;
  static const std::array<QList<qreal>, 4> kTraining = {
      QList<qreal>{}, {9, 3}, {2, 2}, {9, 3, 2, 3}};
  static const std::array<QList<qreal>, 4> kValidation = {
      QList<qreal>{4, 3}, {5, 2, 1, 2}, {1, 3}, {5, 2, 1, 2, 1, 2}};
  const auto round = static_cast<std::size_t>(std::max(run, 0) / kColours) % kTraining.size();
  return validation ? kValidation[round] : kTraining[round];
}

QColor blend(const QColor& over, const QColor& under, double share) {
  const auto mix = [share](int a, int b) {
    return std::clamp(static_cast<int>(b + (a - b) * share + 0.5), 0, 255);
  };
  return QColor(mix(over.red(), under.red()), mix(over.green(), under.green()),
                mix(over.blue(), under.blue()));
}

}  // namespace tenon::ui
