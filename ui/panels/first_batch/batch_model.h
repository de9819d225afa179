// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of the first batch for an ImageGrid.
#pragma once

#include <QAbstractListModel>
#include <QStringList>

#include "ui/panels/first_batch/batch_facts.h"

namespace tenon::ui {

class BatchModel final : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;

  void setBatch(const FirstBatch& batch, const QStringList& classes);
  [[nodiscard]] const FirstBatch& batch() const { return batch_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 private:
  [[nodiscard]] QString className(int row) const;

  FirstBatch batch_;
  QStringList classes_;
};

}  // namespace tenon::ui
