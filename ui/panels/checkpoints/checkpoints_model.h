// SPDX-License-Identifier: GPL-3.0-or-later
// CheckpointsModel: the checkpoints of a run as a table, newest first.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "engine/store/checkpoints.h"

namespace tenon::ui {

class CheckpointsModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Kind, Step, Epoch, Size, Created, ColumnCount };
  static constexpr int kIdRole = Qt::UserRole + 1;  ///< qint64, id of the checkpoint

  explicit CheckpointsModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  /// `checkpoints`: oldest first, as the store lists them. Equal lists change nothing.
  void setCheckpoints(std::vector<CheckpointInfo> checkpoints);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  [[nodiscard]] QString text(const CheckpointInfo& info, int column) const;
  [[nodiscard]] qint64 newestLast() const;
  [[nodiscard]] QVariant sortValue(const CheckpointInfo& info, int column) const;

  std::vector<CheckpointInfo> checkpoints_;
};

}  // namespace tenon::ui
