// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of details.
#include "ui/panels/node_details/detail_delegate.h"

#include <QPainter>

#include "ui/panels/node_details/node_details_model.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

QSize DetailDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const bool section = !index.parent().isValid();
  // A section spans all columns: it must not widen the one it stands in.
  const int width = section ? 0 : QStyledItemDelegate::sizeHint(option, index).width();
  return {width, section ? measure::kRow + measure::kGap1 : measure::kRow - 2};
}

void DetailDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
  if (index.parent().isValid()) {
    QStyledItemDelegate::paint(painter, option, index);
    return;
  }
  if (index.column() != NodeDetailsModel::Name) return;
  const Theme& theme = currentTheme();
  painter->save();
  if (index.row() > 0)
    painter->fillRect(QRect(option.rect.left(), option.rect.top(), option.rect.width(), 1),
                      theme.hairline);
  const QRect room = option.rect.adjusted(measure::kGap1, measure::kGap1, -measure::kGap1, 0);
  painter->setPen(theme.secondary);
  painter->setFont(textFont(TextSize::Small));
  const QString note = index.data(NodeDetailsModel::kNoteRole).toString();
  painter->drawText(room, int(Qt::AlignRight | Qt::AlignVCenter), note);
  const int taken = painter->fontMetrics().horizontalAdvance(note) + measure::kGap2;
  painter->setFont(textFont(TextSize::Small, true));
  painter->drawText(room, int(Qt::AlignLeft | Qt::AlignVCenter),
                    painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight,
                                                      room.width() - taken));
  painter->restore();
}

}  // namespace tenon::ui
