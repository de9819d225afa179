// SPDX-License-Identifier: GPL-3.0-or-later
// SettingsDiffModel: settings of runs side by side; of several runs only those that differ.
#pragma once

#include <QAbstractTableModel>
#include <QList>
#include <QString>
#include <QStringList>
#include <string>

namespace tenon::ui {

/// A run with the settings it used.
struct RunSettings {
  qint64 run = 0;
  QString name;
  std::string settings;  ///< JSON text
  friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

/// Column 0 is the path of a setting, then a column a run. A setting a run does not have is empty.
class SettingsDiffModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  /// True for a cell that differs from the first run's.
  static constexpr int kDiffersRole = Qt::UserRole + 1;

  explicit SettingsDiffModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  /// Compares; does nothing if these are shown already.
  void setRuns(const QList<RunSettings>& runs);
  [[nodiscard]] const QList<RunSettings>& runs() const { return runs_; }
  /// Names of runs whose settings cannot be read.
  [[nodiscard]] const QStringList& unreadable() const { return unreadable_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  struct Row {
    QString path;
    QStringList values;  ///< one a run
  };
  void compare();
  Row& rowOf(const QString& path, const QString& firstValue);

  QList<RunSettings> runs_;
  QStringList unreadable_;
  QList<Row> rows_;
};

}  // namespace tenon::ui
