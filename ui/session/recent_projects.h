// SPDX-License-Identifier: GPL-3.0-or-later
// RecentProjects: the projects that were open lately, with what became of their last runs.
#pragma once

#include <QAbstractListModel>
#include <QDateTime>
#include <QList>
#include <QString>
#include <vector>

#include "ui/session/background.h"

class QSettings;

namespace tenon::ui {

/// Newest first, at most 30. Facts about a project (best value, curve) are read in the background.
class RecentProjects final : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role {
    kPathRole = Qt::UserRole + 1,  ///< folder
    kNameRole,                     ///< also DisplayRole
    kOpenedRole,                   ///< QDateTime of the last opening
    kMissingRole,                  ///< bool: the folder is not there
    kBestRole,                     ///< "accuracy 93.5", may be empty
    kCurveRole,                    ///< QList<double>: loss of the newest run, at most 64 values
    kRunsRole,                     ///< number of runs
  };

  /// `settings` keeps the list and must outlive this.
  explicit RecentProjects(QSettings& settings, QObject* parent = nullptr);
  ~RecentProjects() override;

  /// Puts a project first.
  void add(const QString& folder, const QString& name);
  void remove(const QString& folder);
  /// The project has moved there.
  void relocate(const QString& folder, const QString& newFolder);
  /// The last one that was open; empty if there is none.
  [[nodiscard]] QString last() const;
  /// Reads the facts anew.
  void refresh();

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

 private:
  struct Facts {
    bool missing = false;
    QString best;
    QList<double> curve;
    int runs = 0;
  };
  struct Entry {
    QString folder;
    QString name;
    QDateTime opened;
    Facts facts;
  };
  static Facts readFacts(const QString& folder);
  void load();
  void store() const;
  void refreshRow(const QString& folder);
  [[nodiscard]] int rowOf(const QString& folder) const;

  QSettings& settings_;
  std::vector<Entry> entries_;
  Background reader_;
};

}  // namespace tenon::ui
