// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of details; a section's title takes the whole width with its sum at the right.
#pragma once

#include <QStyledItemDelegate>

namespace tenon::ui {

class DetailDelegate final : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& index) const override;
};

}  // namespace tenon::ui
