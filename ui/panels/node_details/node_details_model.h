// SPDX-License-Identifier: GPL-3.0-or-later
// NodeDetailsModel: what was recorded of a node, by sections; or of the whole step.
#pragma once

#include <QAbstractItemModel>
#include <QList>
#include <QString>
#include <memory>

#include "ui/session/recorded_step.h"

namespace tenon::ui {

/// A line of a section.
struct DetailRow {
  QString name;
  QString value;      ///< shape and type, implementation, ...
  QString amount;     ///< bytes or time
  quint64 block = 0;  ///< of the allocator, to go to; 0: none
  bool blockedLayout = false;
  int node = -1;  ///< recorded node to go to; -1: none
  bool operator==(const DetailRow&) const = default;
};

struct DetailSection {
  QString title;
  QString note;  ///< sum of the amounts
  QList<DetailRow> rows;
  bool operator==(const DetailSection&) const = default;
};

/// Inputs, outputs, saved tensors, kernels, blocks and parameters of a node, as far as it has any,
/// and what else its layer did.
[[nodiscard]] QList<DetailSection> nodeDetails(const StepData& step, int node);
/// What a step took in all, and its memory by category at a tick.
[[nodiscard]] QList<DetailSection> stepDetails(const StepData& step, qint64 tick);

/// A tree of two levels: sections, then their lines.
class NodeDetailsModel final : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { Name, Value, Amount, ColumnCount };
  static constexpr int kBlockRole = Qt::UserRole + 1;  ///< quint64
  static constexpr int kNoteRole = Qt::UserRole + 2;   ///< text; of sections only
  static constexpr int kNodeRole = Qt::UserRole + 3;   ///< int

  explicit NodeDetailsModel(QObject* parent = nullptr) : QAbstractItemModel(parent) {}

  /// Equal sections change nothing.
  void setSections(QList<DetailSection> sections);
  [[nodiscard]] const QList<DetailSection>& sections() const { return sections_; }

  [[nodiscard]] QModelIndex index(int row, int column,
                                  const QModelIndex& parent = {}) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  QList<DetailSection> sections_;
};

}  // namespace tenon::ui
