// SPDX-License-Identifier: GPL-3.0-or-later
// RunTableModel: the runs with their colour dots and status icons.
#pragma once

#include <QIdentityProxyModel>
#include <QString>

#include "ui/widgets/icon.h"

namespace tenon::ui {

class RunsModel;

/// What the run that trains in this window does now, where the store does not know it.
struct LiveStatus {
  qint64 run = 0;  ///< 0: nothing is to be said
  QString word;
  QString icon;
  Tint tint = Tint::Text;
  QString why;
  friend bool operator==(const LiveStatus&, const LiveStatus&) = default;
};

/// Adds what a table paints to the session's RunsModel, row for row.
class RunTableModel final : public QIdentityProxyModel {
  Q_OBJECT
 public:
  explicit RunTableModel(RunsModel& runs, QObject* parent = nullptr);

  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  void setLive(const LiveStatus& live);
  /// The id of the run in a row, 0 if there is none.
  [[nodiscard]] qint64 runAt(int row) const;
  /// Colours are others: paint anew.
  void themeChanged();

 private:
  LiveStatus live_;
};

}  // namespace tenon::ui
