// SPDX-License-Identifier: GPL-3.0-or-later
// The samples of a data set for an ImageGrid: number, class, picture where it was loaded.
#pragma once

#include <QAbstractListModel>
#include <QCache>
#include <QHash>
#include <QImage>
#include <QStringList>

#include "engine/data/dataset.h"

namespace tenon::ui {

/// Keeps the pictures seen last (64 MiB).
class GalleryModel final : public QAbstractListModel {
  Q_OBJECT
 public:
  explicit GalleryModel(QObject* parent = nullptr);

  /// Null shows nothing.
  void setDataset(const DatasetPtr& dataset, const QStringList& classes);
  [[nodiscard]] const DatasetPtr& dataset() const { return dataset_; }
  void addImages(const QHash<int, QImage>& images);
  /// The rows of first..last without a picture, as one range; (0, -1) if none is wanting.
  [[nodiscard]] std::pair<int, int> missing(int first, int last) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 private:
  [[nodiscard]] QString className(qint64 target) const;
  [[nodiscard]] bool isDamaged(int row) const;

  DatasetPtr dataset_;
  QStringList classes_;
  QCache<int, QImage> images_;
};

}  // namespace tenon::ui
