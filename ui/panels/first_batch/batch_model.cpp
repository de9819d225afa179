// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the first batch.
#include "ui/panels/first_batch/batch_model.h"

#include "ui/widgets/image_grid.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

void BatchModel::setBatch(const FirstBatch& batch, const QStringList& classes) {
  beginResetModel();
  batch_ = batch;
  classes_ = classes;
  endResetModel();
}

QString BatchModel::className(int row) const {
  const int64_t target = batch_.targets[size_t(row)];
  if (target < 0) return {};
  return target < classes_.size() ? classes_[qsizetype(target)] : QString::number(target);
}

int BatchModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(batch_.pictures.size());
}

QVariant BatchModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const int row = index.row();
  const int64_t target = batch_.targets[size_t(row)];
  switch (role) {
    case Qt::DecorationRole:
      return batch_.pictures[row].isNull() ? QVariant() : QVariant(batch_.pictures[row]);
    case Qt::DisplayRole:
    case ImageGrid::kChipTextRole:
      return className(row);
    case ImageGrid::kChipColorRole:
      return target >= 0 ? QVariant(currentTheme().seriesColor(int(target))) : QVariant();
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
      return tr("Place %1 of the batch: sample %2, %3")
          .arg(row + 1)
          .arg(batch_.indices[size_t(row)])
          .arg(className(row));
    default:
      return {};
  }
}

}  // namespace tenon::ui
