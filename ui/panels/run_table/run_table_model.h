// SPDX-License-Identifier: GPL-3.0-or-later
// RunTableModel: the runs with their colour dots and status icons.
#pragma once

#include <QIdentityProxyModel>

namespace tenon::ui {

class RunsModel;

/// Adds what a table paints to the session's RunsModel, row for row.
class RunTableModel final : public QIdentityProxyModel {
  Q_OBJECT
 public:
  explicit RunTableModel(RunsModel& runs, QObject* parent = nullptr);

  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  /// The id of the run in a row, 0 if there is none.
  [[nodiscard]] qint64 runAt(int row) const;
  /// Colours are others: paint anew.
  void themeChanged();
};

}  // namespace tenon::ui
