// SPDX-License-Identifier: GPL-3.0-or-later
// RunsModel: the runs of the project as a table, newest first.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "engine/store/runs.h"

namespace tenon::ui {

/// DisplayRole is text for people; kSortValueRole sorts; kRunIdRole and kColorIndexRole are given
/// by every column.
class RunsModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    Name,
    Status,
    Epoch,  ///< "3 / 5"
    Step,
    Best,  ///< "accuracy 93.5"
    Started,
    Duration,
    Seed,
    Device,
    ColumnCount
  };
  static constexpr int kRunIdRole = Qt::UserRole + 1;       ///< qint64
  static constexpr int kColorIndexRole = Qt::UserRole + 2;  ///< int; stable per run: its series hue
  static constexpr int kStatusRole = Qt::UserRole + 3;      ///< int(RunStatus)
  static constexpr int kSortValueRole = Qt::UserRole + 900;  ///< number or text

  explicit RunsModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  /// Brings the table to these runs (newest first) with inserts, removes and changes, not a reset.
  void update(std::vector<RunInfo> runs);

  [[nodiscard]] const std::vector<RunInfo>& runs() const { return runs_; }
  /// Row of a run, -1 if it is not there.
  [[nodiscard]] int rowOf(qint64 run) const;
  /// The run, or null.
  [[nodiscard]] const RunInfo* find(qint64 run) const;
  /// Series hue of a run; the same in every plot and table.
  [[nodiscard]] static int colorIndex(qint64 run) { return static_cast<int>(run - 1); }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role) const override;

 private:
  [[nodiscard]] QString text(const RunInfo& run, int column) const;
  [[nodiscard]] QVariant sortValue(const RunInfo& run, int column) const;

  std::vector<RunInfo> runs_;
};

/// "accuracy 93.46 %": best values are of validation samples, so that needs no word.
[[nodiscard]] QString runBestText(const RunInfo& run);
/// "Running", "Interrupted", ... in the language in force.
[[nodiscard]] QString runStatusText(RunStatus status);
/// Icon name for a status ("run", "pause", "check", "stop", "error", "warning").
[[nodiscard]] QString runStatusIcon(RunStatus status);
/// True if the run can be resumed from a checkpoint.
[[nodiscard]] bool isResumable(const RunInfo& run);

}  // namespace tenon::ui
