// SPDX-License-Identifier: GPL-3.0-or-later
// Samples as rows.
#include "ui/panels/gallery/gallery_model.h"

#include <algorithm>
#include <limits>

#include "ui/widgets/image_grid.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {
constexpr int kCacheKiB = 64 * 1024;
}

GalleryModel::GalleryModel(QObject* parent) : QAbstractListModel(parent), images_(kCacheKiB) {}

void GalleryModel::setDataset(const DatasetPtr& dataset, const QStringList& classes) {
  beginResetModel();
  if (dataset != dataset_) images_.clear();
  dataset_ = dataset;
  classes_ = classes;
  endResetModel();
}

void GalleryModel::addImages(const QHash<int, QImage>& images) {
  if (images.isEmpty()) return;
  int first = std::numeric_limits<int>::max();
  int last = -1;
  for (auto it = images.begin(); it != images.end(); ++it) {
    if (it.key() < 0 || it.key() >= rowCount()) continue;
    images_.insert(it.key(), new QImage(*it), int(it->sizeInBytes() / 1024) + 1);
    first = std::min(first, it.key());
    last = std::max(last, it.key());
  }
  if (last >= 0) Q_EMIT dataChanged(index(first), index(last));
}

std::pair<int, int> GalleryModel::missing(int first, int last) const {
  first = std::max(first, 0);
  last = std::min(last, rowCount() - 1);
  while (first <= last && images_.contains(first)) ++first;
  while (last >= first && images_.contains(last)) --last;
  return first <= last ? std::pair{first, last} : std::pair{0, -1};
}

QString GalleryModel::className(qint64 target) const {
  if (target < 0) return {};
  return target < classes_.size() ? classes_[target] : QString::number(target);
}

bool GalleryModel::isDamaged(int row) const {
  const QImage* image = images_.object(row);
  return image && image->isNull();
}

int GalleryModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || !dataset_) return 0;
  return int(std::min<int64_t>(dataset_->size(), std::numeric_limits<int>::max()));
}

QVariant GalleryModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  switch (role) {
    case Qt::DisplayRole:
      return QString::number(index.row());
    case Qt::DecorationRole: {
      const QImage* image = images_.object(index.row());
      return image && !image->isNull() ? QVariant(*image) : QVariant();
    }
    case ImageGrid::kBadgeRole:
      return isDamaged(index.row()) ? QStringLiteral("warning") : QString();
    case ImageGrid::kChipTextRole:
      return className(dataset_->target(index.row()));
    case ImageGrid::kChipColorRole: {
      const int64_t target = dataset_->target(index.row());
      return target >= 0 ? QVariant(currentTheme().seriesColor(int(target))) : QVariant();
    }
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
      const QString name = className(dataset_->target(index.row()));
      const QString sample = name.isEmpty() ? tr("Sample %1").arg(index.row())
                                            : tr("Sample %1, %2").arg(index.row()).arg(name);
      return isDamaged(index.row()) ? tr("%1: it cannot be read").arg(sample) : sample;
    }
    default:
      return {};
  }
}

}  // namespace tenon::ui
