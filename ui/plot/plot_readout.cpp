// SPDX-License-Identifier: GPL-3.0-or-later
// Layout and painting of the readout.
#include "ui/plot/plot_readout.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/plot/legend_bar.h"

namespace tenon::ui {

namespace {

struct ReadoutText {
  Q_DECLARE_TR_FUNCTIONS(PlotReadout)
};

constexpr int kRow = 18;
constexpr int kPadX = 8;
constexpr int kPadY = 4;
constexpr int kSample = 14;
constexpr int kNameLeft = kSample + 6;
constexpr int kColumnGap = 12;
constexpr int kWidestName = 200;

int widthOf(const QFontMetricsF& metrics, const QString& text) {
  return text.isEmpty() ? 0 : static_cast<int>(std::ceil(metrics.horizontalAdvance(text))) + 1;
}

void putRight(QPainter& painter, QRect line, int right, const QString& text) {
  line.setWidth(right);
  painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, text);
}

}  // namespace

ReadoutBox::ReadoutBox(const Readout& readout, const QFont& font, int height)
    : readout_(readout),
      font_(font),
      rawTitle_(ReadoutText::tr("raw")),
      smoothTitle_(ReadoutText::tr("smooth")) {
  const auto& rows = readout_.rows;
  smooth_ =
      std::any_of(rows.begin(), rows.end(), [](const auto& r) { return !r.smooth.isEmpty(); });
  const int room = (height - 2 * kPadY) / kRow - 1 - (smooth_ ? 1 : 0);
  shown_ = rows.size() <= room ? rows.size() : std::clamp<qsizetype>(room - 1, 1, rows.size());
  measure();
}

void ReadoutBox::measure() {
  const QFontMetricsF metrics(font_);
  int raw = smooth_ ? widthOf(metrics, rawTitle_) : 0;
  int smooth = smooth_ ? widthOf(metrics, smoothTitle_) : 0;
  int where = 0;
  for (const ReadoutRow& row : readout_.rows.first(shown_)) {
    nameWidth_ = std::max(nameWidth_, widthOf(metrics, row.name));
    raw = std::max(raw, widthOf(metrics, row.raw));
    smooth = std::max(smooth, widthOf(metrics, row.smooth));
    where = std::max(where, widthOf(metrics, row.where));
  }
  nameWidth_ = std::min(nameWidth_, kWidestName);
  rawRight_ = kNameLeft + nameWidth_ + kColumnGap + raw;
  smoothRight_ = smooth_ ? rawRight_ + kColumnGap + smooth : rawRight_;
  const int inner = smoothRight_ + (where > 0 ? kColumnGap + where : 0);
  width_ = 2 * kPadX + std::max(inner, widthOf(metrics, readout_.heading));
}

QSize ReadoutBox::size() const {
  const auto lines = 1 + (smooth_ ? 1 : 0) + shown_ + (shown_ < readout_.rows.size() ? 1 : 0);
  return {width_, static_cast<int>(lines) * kRow + 2 * kPadY};
}

void ReadoutBox::paint(QPainter& painter, const QPoint& corner, const PlotTheme& theme) const {
  const QRect box(corner, size());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.hairline, 1));
  painter.setBrush(theme.raised);
  painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setFont(font_);
  painter.setPen(theme.secondary);
  QRect line(box.left() + kPadX, box.top() + kPadY, box.width() - 2 * kPadX, kRow);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, readout_.heading);
  line.translate(0, kRow);
  if (smooth_) {
    paintTitles(painter, line, theme);
    line.translate(0, kRow);
  }
  for (const ReadoutRow& row : readout_.rows.first(shown_)) {
    paintRow(painter, line, row, theme);
    line.translate(0, kRow);
  }
  const auto left = readout_.rows.size() - shown_;
  painter.setPen(theme.secondary);
  if (left > 0) {
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     ReadoutText::tr("and %n more", nullptr, static_cast<int>(left)));
  }
}

void ReadoutBox::paintTitles(QPainter& painter, const QRect& line, const PlotTheme& theme) const {
  painter.setPen(theme.secondary);
  putRight(painter, line, rawRight_, rawTitle_);
  putRight(painter, line, smoothRight_, smoothTitle_);
}

void ReadoutBox::paintRow(QPainter& painter, const QRect& line, const ReadoutRow& row,
                          const PlotTheme& theme) const {
  paintLineSample(painter, QRectF(line.left(), line.top(), kSample, kRow), row.colour, row.dash);
  painter.setPen(theme.text);
  painter.drawText(line.adjusted(kNameLeft, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(font_).elidedText(row.name, Qt::ElideMiddle, nameWidth_));
  putRight(painter, line, smoothRight_, row.smooth);
  if (!row.smooth.isEmpty()) painter.setPen(theme.secondary);  // the smooth value leads
  putRight(painter, line, rawRight_, row.raw);
  painter.setPen(theme.secondary);
  painter.drawText(line.adjusted(smoothRight_ + kColumnGap, 0, 0, 0),
                   Qt::AlignLeft | Qt::AlignVCenter, row.where);
}

}  // namespace tenon::ui
