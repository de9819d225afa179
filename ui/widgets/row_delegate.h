// SPDX-License-Identifier: GPL-3.0-or-later
// How rows of tables and trees are drawn and what their tooltips say.
#pragma once

#include <QStyledItemDelegate>

class QAbstractItemView;

namespace tenon::ui {

/// Draws no focus frame in selected cells and shows the whole text of a cut cell in front of its
/// tooltip.
class RowDelegate final : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                               const QModelIndex& index) const override;
  bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                 const QModelIndex& index) override;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

/// Selected cells of a view as tab-separated lines in the order shown, to the clipboard.
void copySelectedCells(const QAbstractItemView& view, const QList<int>& columns);

}  // namespace tenon::ui
