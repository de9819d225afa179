// SPDX-License-Identifier: GPL-3.0-or-later
// BlockListModel: the blocks live at an instant of a recorded step, largest first.
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "ui/session/recorded_step.h"

namespace tenon::ui {

class BlockListModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    Layer,  ///< who asked for it; with the category's colour
    Op,
    Bytes,
    Share,  ///< of all bytes live at the instant
    Category,
    Phase,
    Requested,
    From,
    Until,
    Stream,
    Pool,
    Block,
    Address,
    ColumnCount
  };
  static constexpr int kBlockRole = Qt::UserRole + 1;  ///< quint64, the allocator's id

  explicit BlockListModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  /// Shows what is live at a tick; nothing if the step has no memory.
  void setInstant(std::shared_ptr<const StepData> step, qint64 tick);
  [[nodiscard]] qint64 totalBytes() const { return total_; }
  [[nodiscard]] qint64 bytesAt(int row) const;
  [[nodiscard]] quint64 blockAt(int row) const;
  /// Row of a block by the allocator's id, -1 if it does not live then.
  [[nodiscard]] int rowOf(quint64 block) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  [[nodiscard]] const StepBlock& block(int row) const;
  [[nodiscard]] QString text(int row, int column) const;
  [[nodiscard]] QVariant sortValue(int row, int column) const;
  [[nodiscard]] QString tip(int row) const;
  [[nodiscard]] QString layer(int row) const;
  [[nodiscard]] QString op(int row) const;
  [[nodiscard]] memory::Category category(int row) const;

  std::shared_ptr<const StepData> step_;
  std::vector<int> rows_;  ///< indexes into StepMemory::blocks()
  qint64 tick_ = 0;
  qint64 total_ = 0;
};

}  // namespace tenon::ui
