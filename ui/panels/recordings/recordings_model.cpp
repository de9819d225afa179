// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded steps as rows.
#include "ui/panels/recordings/recordings_model.h"

#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <utility>

#include "ui/widgets/format.h"

namespace tenon::ui {
namespace {

bool sameParts(const RecordingInfo& a, const RecordingInfo& b) {
  return a.key == b.key && a.graphArtifact == b.graphArtifact &&
         a.memoryArtifact == b.memoryArtifact;
}

QDateTime timeOf(const RecordingInfo& info) {
  return QDateTime::fromMSecsSinceEpoch(info.createdUs / 1000);
}

}  // namespace

void RecordingsModel::setRecordings(QList<RecordingInfo> recordings) {
  std::stable_sort(
      recordings.begin(), recordings.end(), [](const RecordingInfo& a, const RecordingInfo& b) {
        return a.createdUs != b.createdUs ? a.createdUs > b.createdUs : a.key.step > b.key.step;
      });
  if (std::equal(recordings.begin(), recordings.end(), recordings_.begin(), recordings_.end(),
                 &sameParts))
    return;
  beginResetModel();
  recordings_ = std::move(recordings);
  endResetModel();
}

void RecordingsModel::setPeaks(const QList<RecordedPeak>& peaks) {
  for (const RecordedPeak& peak : peaks) peaks_.insert(peak.artifact, peak.bytes);
  if (!recordings_.isEmpty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

void RecordingsModel::clear() {
  beginResetModel();
  recordings_.clear();
  peaks_.clear();
  endResetModel();
}

void RecordingsModel::refreshRuns() {
  if (!recordings_.isEmpty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

QList<qint64> RecordingsModel::unread() const {
  QList<qint64> artifacts;
  for (const RecordingInfo& info : recordings_)
    if (info.memoryArtifact > 0 && !peaks_.contains(info.memoryArtifact))
      artifacts.append(info.memoryArtifact);
  return artifacts;
}

int RecordingsModel::rowOf(const RecordingKey& key) const {
  const auto found = std::find_if(recordings_.begin(), recordings_.end(),
                                  [&](const RecordingInfo& info) { return info.key == key; });
  return found == recordings_.end() ? -1 : static_cast<int>(found - recordings_.begin());
}

int RecordingsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(recordings_.size());
}

QVariant RecordingsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const RecordingInfo& info = recordings_[index.row()];
  const auto peak = peaks_.constFind(info.memoryArtifact);
  const bool known = peak != peaks_.constEnd();
  switch (role) {
    case Qt::DisplayRole:
      return tr("Step %1").arg(formatCount(info.key.step));
    case kRunTextRole:
      return runText(info);
    case kTimeRole: {
      const QDateTime time = timeOf(info);
      return time.date() == QDate::currentDate()
                 ? QLocale().toString(time.time(), QLocale::ShortFormat)
                 : QLocale().toString(time.date(), QLocale::ShortFormat);
    }
    case kPeakRole:
      return known && *peak >= 0 ? formatBytes(*peak) : QString();
    case kDamagedRole:
      return known && *peak < 0;
    case kColorIndexRole:
      return RunsModel::colorIndex(info.key.run);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
      return tip(info);
    default:
      return {};
  }
}

QString RecordingsModel::runText(const RecordingInfo& info) const {
  const RunInfo* run = runs_.find(info.key.run);
  const QString name = run && !run->name.empty() ? QString::fromStdString(run->name)
                                                 : tr("Run %1").arg(info.key.run);
  return tr("%1, epoch %2").arg(name).arg(info.epoch + 1);
}

QString RecordingsModel::tip(const RecordingInfo& info) const {
  QStringList lines{tr("Step %1 of %2").arg(formatCount(info.key.step), runText(info)),
                    tr("Recorded %1").arg(QLocale().toString(timeOf(info), QLocale::LongFormat))};
  const auto peak = peaks_.constFind(info.memoryArtifact);
  if (peak != peaks_.constEnd())
    lines.append(*peak >= 0 ? tr("Memory peak %1").arg(formatBytes(*peak))
                            : tr("Its memory cannot be read"));
  if (info.graphArtifact == 0) lines.append(tr("Its graph is not stored"));
  if (info.memoryArtifact == 0) lines.append(tr("Its memory is not stored"));
  lines.append(tr("%1 in the store").arg(formatBytes(info.bytes)));
  return lines.join(u'\n');
}

}  // namespace tenon::ui
