// SPDX-License-Identifier: GPL-3.0-or-later
// RecordingsModel: the recorded steps of the project, newest first.
#pragma once

#include <QAbstractListModel>
#include <QHash>
#include <QList>

#include "ui/session/recordings.h"
#include "ui/session/runs_model.h"

namespace tenon::ui {

/// What the memory artifact of a recording says, once read.
struct RecordedPeak {
  qint64 artifact = 0;
  qint64 bytes = -1;  ///< -1: it cannot be read
};

/// DisplayRole is the step ("Step 1200"); the other texts come by role.
class RecordingsModel final : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role {
    kRunTextRole = Qt::UserRole + 1,  ///< "run 3, epoch 2"
    kTimeRole,                        ///< when it was recorded, short
    kPeakRole,                        ///< "79.3 MiB"; empty while unknown
    kDamagedRole,                     ///< bool
    kColorIndexRole,                  ///< int; the run's series hue
  };

  explicit RecordingsModel(const RunsModel& runs, QObject* parent = nullptr)
      : QAbstractListModel(parent), runs_(runs) {}

  /// In any order; shown newest first. Equal lists change nothing.
  void setRecordings(QList<RecordingInfo> recordings);
  void setPeaks(const QList<RecordedPeak>& peaks);
  /// Another project: forgets recordings and peaks, whose numbers mean others there.
  void clear();
  /// Names of runs changed.
  void refreshRuns();

  [[nodiscard]] const QList<RecordingInfo>& recordings() const { return recordings_; }
  /// Memory artifacts whose peak is not known yet, in the order shown.
  [[nodiscard]] QList<qint64> unread() const;
  /// Row of a recording, -1 if it is not there.
  [[nodiscard]] int rowOf(const RecordingKey& key) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

 private:
  [[nodiscard]] QString runText(const RecordingInfo& info) const;
  [[nodiscard]] QString tip(const RecordingInfo& info) const;

  const RunsModel& runs_;
  QList<RecordingInfo> recordings_;
  QHash<qint64, qint64> peaks_;  ///< by memory artifact
};

}  // namespace tenon::ui
