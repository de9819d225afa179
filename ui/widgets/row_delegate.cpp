// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing and copying of rows (row_delegate.h).
#include "ui/widgets/row_delegate.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <map>

#include "ui/widgets/cut_text.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

QSize RowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QSize base = QStyledItemDelegate::sizeHint(option, index);
  return {base.width() + 8, measure::kRow};
}

bool RowDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view,
                            const QStyleOptionViewItem& option, const QModelIndex& index) {
  const QString text = index.data(Qt::DisplayRole).toString();
  const bool cut = event->type() == QEvent::ToolTip && !text.isEmpty() &&
                   sizeHint(option, index).width() > view->visualRect(index).width();
  if (!cut) return QStyledItemDelegate::helpEvent(event, view, option, index);
  const QString tip = index.data(Qt::ToolTipRole).toString();
  QToolTip::showText(event->globalPos(), tipWithWhole(text, tip), view);
  return true;
}

void RowDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  // The selection shows where the focus is; only a current cell beside the selection needs a ring.
  if (option->state.testFlag(QStyle::State_Selected)) option->state &= ~QStyle::State_HasFocus;
}

void copySelectedCells(const QAbstractItemView& view, const QList<int>& columns) {
  const QItemSelectionModel* selection = view.selectionModel();
  if (!selection || !selection->hasSelection()) return;
  QModelIndexList rows = selection->selectedRows(columns.isEmpty() ? 0 : columns.constFirst());
  if (rows.isEmpty()) rows = selection->selectedIndexes();
  std::sort(rows.begin(), rows.end(), [&](const QModelIndex& a, const QModelIndex& b) {
    return view.visualRect(a).top() < view.visualRect(b).top();
  });
  QStringList lines;
  for (const QModelIndex& row : std::as_const(rows)) {
    QStringList cells;
    for (const int column : columns) {
      cells.append(row.siblingAtColumn(column).data(Qt::DisplayRole).toString());
    }
    lines.append(cells.join(u'\t'));
  }
  QGuiApplication::clipboard()->setText(lines.join(u'\n'));
}

}  // namespace tenon::ui
