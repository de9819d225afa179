// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of recent projects.
#include "ui/panels/welcome/recents_delegate.h"

#include <QDateTime>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/session/recent_projects.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kHeight = 52;
constexpr int kCurveWidth = 96;
constexpr int kSideWidth = 132;

void paintCurve(QPainter& painter, const QRect& area, const QList<double>& curve) {
  QList<double> finite;
  std::copy_if(curve.begin(), curve.end(), std::back_inserter(finite),
               [](double value) { return std::isfinite(value); });
  if (finite.size() < 2) return;
  const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
  const double span = *high > *low ? *high - *low : 1.0;
  QPainterPath path;
  for (qsizetype i = 0; i < finite.size(); ++i) {
    const QPointF at(area.left() + area.width() * double(i) / double(finite.size() - 1),
                     area.bottom() - area.height() * (finite[i] - *low) / span);
    i == 0 ? path.moveTo(at) : path.lineTo(at);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(currentTheme().seriesColor(0), 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
}

void paintLine(QPainter& painter, const QRect& area, const QString& text, const QFont& font,
               const QColor& color, Qt::TextElideMode mode, Qt::Alignment side = Qt::AlignLeft) {
  painter.setFont(font);
  painter.setPen(color);
  painter.drawText(area, int(side | Qt::AlignVCenter),
                   painter.fontMetrics().elidedText(text, mode, area.width()));
}

}  // namespace

QSize RecentsDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {320, kHeight};
}

void RecentsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
  const Theme& theme = currentTheme();
  painter->save();
  if (option.state & QStyle::State_Selected) {
    painter->fillRect(option.rect, theme.selection);
  } else if (option.state & QStyle::State_MouseOver) {
    painter->fillRect(option.rect, theme.hovered(theme.surface));
  }
  const bool missing = index.data(RecentProjects::kMissingRole).toBool();
  const QRect room =
      option.rect.adjusted(measure::kGap3, measure::kGap2, -measure::kGap3, -measure::kGap2);
  const int half = room.height() / 2;
  QRect side(room.right() - kSideWidth + 1, room.top(), kSideWidth, half);
  QRect curve(side.left() - kCurveWidth - measure::kGap3, room.top() + 4, kCurveWidth,
              room.height() - 8);
  const QRect name(room.left(), room.top(), curve.left() - room.left() - measure::kGap3, half);
  const QRect path = name.translated(0, half);
  paintLine(*painter, name, index.data(RecentProjects::kNameRole).toString(),
            textFont(TextSize::Body, true), missing ? theme.secondary : theme.text, Qt::ElideRight);
  paintLine(*painter, path, index.data(RecentProjects::kPathRole).toString(),
            textFont(TextSize::Small), theme.secondary, Qt::ElideMiddle);
  const QString best =
      missing ? tr("Missing – click to locate") : index.data(RecentProjects::kBestRole).toString();
  paintLine(*painter, side, best, textFont(TextSize::Small), missing ? theme.secondary : theme.text,
            Qt::ElideRight, Qt::AlignRight);
  const QDateTime opened = index.data(RecentProjects::kOpenedRole).toDateTime();
  paintLine(*painter, side.translated(0, half),
            QLocale().toString(opened.date(), QLocale::ShortFormat), textFont(TextSize::Small),
            theme.secondary, Qt::ElideRight, Qt::AlignRight);
  if (!missing)
    paintCurve(*painter, curve, index.data(RecentProjects::kCurveRole).value<QList<double>>());
  if (option.state & QStyle::State_HasFocus) {
    painter->setPen(QPen(theme.accent, measure::kFocusRing));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
  }
  painter->restore();
}

}  // namespace tenon::ui
