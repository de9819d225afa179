// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting and filtering of tables: numbers by value, texts as people count.
#pragma once

#include <QSortFilterProxyModel>
#include <QString>

namespace tenon::ui {

/// "run 9" before "Run 10"; case aside unless all else is equal.
[[nodiscard]] bool naturalLess(const QString& a, const QString& b);

class TableProxy final : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit TableProxy(QObject* parent = nullptr);

  /// Titles stand like the cells below them when the source does not say.
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 protected:
  [[nodiscard]] bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;
};

}  // namespace tenon::ui
