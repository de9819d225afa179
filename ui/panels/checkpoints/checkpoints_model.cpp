// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints as rows.
#include "ui/panels/checkpoints/checkpoints_model.h"

#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <utility>

#include "ui/widgets/format.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {
namespace {

/// `newest`: of its kind.
QString kindText(CheckpointKind kind, bool newest) {
  switch (kind) {
    case CheckpointKind::Best:
      return CheckpointsModel::tr("Best");
    case CheckpointKind::Manual:
      return CheckpointsModel::tr("Manual");
    case CheckpointKind::Last:
      break;
  }
  return newest ? CheckpointsModel::tr("Latest") : CheckpointsModel::tr("Earlier");
}

QIcon kindIcon(CheckpointKind kind) {
  switch (kind) {
    case CheckpointKind::Best:
      return icon(QStringLiteral("target"), Tint::Good);
    case CheckpointKind::Manual:
      return icon(QStringLiteral("pin"), Tint::Secondary);
    case CheckpointKind::Last:
      break;
  }
  return icon(QStringLiteral("save"), Tint::Secondary);
}

QString kindHelp(CheckpointKind kind) {
  switch (kind) {
    case CheckpointKind::Best:
      return CheckpointsModel::tr("Best value on the validation data so far");
    case CheckpointKind::Manual:
      return CheckpointsModel::tr("Saved by hand; kept until the run is deleted");
    case CheckpointKind::Last:
      break;
  }
  return CheckpointsModel::tr("Saved while training, to go on from");
}

QDateTime timeOf(const CheckpointInfo& info) {
  return QDateTime::fromMSecsSinceEpoch(info.createdUs / 1000);
}

/// Of today the time says it all, and fits in a narrow panel.
QString createdText(const QDateTime& time) {
  const bool today = time.date() == QDate::currentDate();
  return today ? QLocale().toString(time.time(), QLocale::ShortFormat)
               : QLocale().toString(time, QLocale::ShortFormat);
}

}  // namespace

/// Rows are newest first.
qint64 CheckpointsModel::newestLast() const {
  for (const CheckpointInfo& info : checkpoints_)
    if (info.kind == CheckpointKind::Last) return info.id;
  return 0;
}

void CheckpointsModel::setCheckpoints(std::vector<CheckpointInfo> checkpoints) {
  std::reverse(checkpoints.begin(), checkpoints.end());
  // A checkpoint never changes: equal ids are equal lists.
  if (std::equal(checkpoints.begin(), checkpoints.end(), checkpoints_.begin(), checkpoints_.end(),
                 [](const CheckpointInfo& a, const CheckpointInfo& b) { return a.id == b.id; }))
    return;
  beginResetModel();
  checkpoints_ = std::move(checkpoints);
  endResetModel();
}

int CheckpointsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(checkpoints_.size());
}

int CheckpointsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant CheckpointsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const CheckpointInfo& info = checkpoints_[static_cast<size_t>(index.row())];
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return text(info, column);
    case Qt::DecorationRole:
      return column == Kind ? QVariant(kindIcon(info.kind)) : QVariant();
    case Qt::ToolTipRole:
      if (column == Kind) return kindHelp(info.kind);
      if (column == Created) return QLocale().toString(timeOf(info), QLocale::LongFormat);
      return column == Size ? tr("%1, of which %2 were new")
                                  .arg(formatBytes(info.bytes), formatBytes(info.bytesStored))
                            : QVariant();
    case Qt::TextAlignmentRole: {
      const bool number = column == Step || column == Epoch || column == Size;
      return QVariant::fromValue(Qt::Alignment(number ? Qt::AlignRight : Qt::AlignLeft) |
                                 Qt::AlignVCenter);
    }
    case kIdRole:
      return QVariant::fromValue(qint64{info.id});
    case kSortRole:
      return sortValue(info, column);
    default:
      return {};
  }
}

QString CheckpointsModel::text(const CheckpointInfo& info, int column) const {
  switch (column) {
    case Kind:
      return kindText(info.kind, info.id == newestLast());
    case Step:
      return formatCount(info.step);
    case Epoch:
      return QString::number(info.epoch + 1);
    case Size:
      return formatBytes(info.bytes);
    case Created:
      return createdText(timeOf(info));
    default:
      return {};
  }
}

QVariant CheckpointsModel::sortValue(const CheckpointInfo& info, int column) const {
  switch (column) {
    case Step:
      return QVariant::fromValue(qint64{info.step});
    case Epoch:
      return info.epoch;
    case Size:
      return QVariant::fromValue(qint64{info.bytes});
    case Created:
      return QVariant::fromValue(qint64{info.createdUs});
    default:
      return text(info, column);
  }
}

QVariant CheckpointsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Kind:
      return tr("Kind");
    case Step:
      return tr("Step");
    case Epoch:
      return tr("Epoch");
    case Size:
      return tr("Size");
    case Created:
      return tr("Created");
    default:
      return {};
  }
}

}  // namespace tenon::ui
