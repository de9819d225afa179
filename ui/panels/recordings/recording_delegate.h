// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded step as two lines.
#pragma once

#include <QStyledItemDelegate>

namespace tenon::ui {

/// Paints step and peak, below them run, epoch and time; the run's colour stands at the left.
class RecordingDelegate final : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& index) const override;
};

}  // namespace tenon::ui
