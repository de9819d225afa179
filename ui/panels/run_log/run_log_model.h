// SPDX-License-Identifier: GPL-3.0-or-later
// RunLogModel: the events of one run as a table, oldest first.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "engine/store/events.h"

namespace tenon::ui {

class RunLogModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Time, Step, Message, ColumnCount };
  static constexpr int kLevelRole = Qt::UserRole + 1;  ///< int(EventLevel)

  explicit RunLogModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  /// Forgets everything.
  void clear();
  /// Adds events at the end; those with an id that is here already are left out.
  void append(const std::vector<Event>& events);
  /// Takes out what is not among these (by id): a resume took it back.
  void keepOnly(const std::vector<Event>& events);
  /// Id of the newest event, 0 if there is none.
  [[nodiscard]] qint64 lastId() const { return events_.empty() ? 0 : events_.back().id; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  [[nodiscard]] QVariant text(const Event& event, int column) const;
  [[nodiscard]] QVariant sortValue(const Event& event, int column) const;

  std::vector<Event> events_;
};

}  // namespace tenon::ui
