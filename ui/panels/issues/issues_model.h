// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with the project as a table: kind, text and place, errors first.
#pragma once

#include <QAbstractTableModel>

#include "engine/base/error.h"

namespace tenon::ui {

class IssuesModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Kind, Text, Where, kColumns };

  using QAbstractTableModel::QAbstractTableModel;

  /// Errors, then warnings, then hints; each kind in the order given.
  void setIssues(const Issues& issues);
  [[nodiscard]] const Issue& issue(int row) const { return issues_[size_t(row)]; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  [[nodiscard]] static QString text(const Issue& issue, int column);

  Issues issues_;
};

}  // namespace tenon::ui
