// SPDX-License-Identifier: GPL-3.0-or-later
// A recent project as two lines with the loss curve of its newest run.
#pragma once

#include <QStyledItemDelegate>

namespace tenon::ui {

/// Paints name, folder, best value, date and curve; what is missing is grey and says so.
class RecentsDelegate final : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& index) const override;
};

}  // namespace tenon::ui
