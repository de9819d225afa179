// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of recorded steps.
#include "ui/panels/recordings/recording_delegate.h"

#include <QPainter>

#include "ui/panels/recordings/recordings_model.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

constexpr int kHeight = 44;
constexpr int kDot = 8;

/// Left and right text of a line; the right one keeps its width.
void paintPair(QPainter& painter, const QRect& area, const QString& left, const QString& right,
               const QColor& leftColor, const QColor& rightColor) {
  const QFontMetrics metrics = painter.fontMetrics();
  const int taken = right.isEmpty() ? 0 : metrics.horizontalAdvance(right) + measure::kGap2;
  painter.setPen(rightColor);
  painter.drawText(area, int(Qt::AlignRight | Qt::AlignVCenter), right);
  const QRect room = area.adjusted(0, 0, -taken, 0);
  painter.setPen(leftColor);
  painter.drawText(room, int(Qt::AlignLeft | Qt::AlignVCenter),
                   metrics.elidedText(left, Qt::ElideRight, room.width()));
}

}  // namespace

QSize RecordingDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {160, kHeight};
}

void RecordingDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
  const Theme& theme = currentTheme();
  painter->save();
  if (option.state & QStyle::State_Selected) {
    painter->fillRect(option.rect, theme.selection);
  } else if (option.state & QStyle::State_MouseOver) {
    painter->fillRect(option.rect, theme.hovered(theme.raised));
  }
  const QRect room =
      option.rect.adjusted(measure::kGap2, measure::kGap1, -measure::kGap2, -measure::kGap1);
  const int half = room.height() / 2;
  const int indent = kDot + measure::kGap2;
  const QRect first(room.left() + indent, room.top(), room.width() - indent, half);
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  painter->setBrush(theme.seriesColor(index.data(RecordingsModel::kColorIndexRole).toInt()));
  painter->drawEllipse(QRectF(room.left(), first.center().y() - kDot / 2.0 + 1, kDot, kDot));
  painter->setRenderHint(QPainter::Antialiasing, false);
  const bool damaged = index.data(RecordingsModel::kDamagedRole).toBool();
  const QString peak = damaged ? tr("damaged") : index.data(RecordingsModel::kPeakRole).toString();
  painter->setFont(textFont(TextSize::Body));
  paintPair(*painter, first, index.data().toString(), peak, theme.text,
            damaged ? theme.bad : theme.text);
  painter->setFont(textFont(TextSize::Small));
  paintPair(*painter, first.translated(0, half),
            index.data(RecordingsModel::kRunTextRole).toString(),
            index.data(RecordingsModel::kTimeRole).toString(), theme.secondary, theme.secondary);
  if (option.state & QStyle::State_HasFocus && !(option.state & QStyle::State_Selected)) {
    painter->setPen(QPen(theme.accent, measure::kFocusRing));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
  }
  painter->restore();
}

}  // namespace tenon::ui
