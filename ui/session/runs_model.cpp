// SPDX-License-Identifier: GPL-3.0-or-later
// The table of runs.
#include "ui/session/runs_model.h"

#include <QDateTime>
#include <QLocale>
#include <algorithm>

#include "engine/metrics/metric_def.h"
#include "engine/schema/json.h"
#include "ui/session/texts.h"

namespace tenon::ui {
namespace {

/// Epochs wanted, from the settings as used; 0 if they cannot be read.
qint64 epochsOf(const RunInfo& run) {
  const JsonResult read = readJson(run.settings);
  const Json* train = read.ok() ? read.value.find("train") : nullptr;
  const Json* epochs = train ? train->find("epochs") : nullptr;
  return epochs && epochs->isInt() ? epochs->asInt() : 0;
}

double secondsOf(const RunInfo& run) { return static_cast<double>(run.trainedUs) * 1e-6; }

QString durationText(double seconds) {
  const auto whole = static_cast<qint64>(seconds + 0.5);
  const auto below = [](qint64 part) {
    return QStringLiteral("%1").arg(part, 2, 10, QLatin1Char('0'));
  };
  if (whole >= 3600)
    return RunsModel::tr("%1 h %2 min").arg(whole / 3600).arg(below(whole / 60 % 60));
  if (whole >= 60) return RunsModel::tr("%1 min %2 s").arg(whole / 60).arg(below(whole % 60));
  return RunsModel::tr("%1 s").arg(whole);
}

bool sameRow(const RunInfo& a, const RunInfo& b) {
  return a.name == b.name && a.status == b.status && a.step == b.step && a.epoch == b.epoch &&
         a.endedUs == b.endedUs && a.heartbeatUs == b.heartbeatUs && a.trainedUs == b.trainedUs &&
         a.bestStep == b.bestStep && a.bestValue == b.bestValue && a.failure == b.failure;
}

}  // namespace

QString runBestText(const RunInfo& run) {
  const std::string id = run.bestName.substr(run.bestName.find('/') + 1);
  const MetricDef* metric = findMetric(id);
  const QString name = metric ? engineText(metric->title) : QString::fromStdString(id);
  QString text = QStringLiteral("%1 %2").arg(name).arg(run.bestValue, 0, 'g', 4);
  if (metric && !metric->unit.empty()) text += u' ' + QString::fromStdString(metric->unit);
  return text;
}

QString runStatusText(RunStatus status) {
  switch (status) {
    case RunStatus::Running:
      return RunsModel::tr("Running");
    case RunStatus::Paused:
      return RunsModel::tr("Paused");
    case RunStatus::Finished:
      return RunsModel::tr("Finished");
    case RunStatus::Stopped:
      return RunsModel::tr("Stopped");
    case RunStatus::Failed:
      return RunsModel::tr("Failed");
    case RunStatus::Interrupted:
      break;
  }
  return RunsModel::tr("Interrupted");
}

QString runStatusIcon(RunStatus status) {
  switch (status) {
    case RunStatus::Running:
      return QStringLiteral("run");
    case RunStatus::Paused:
      return QStringLiteral("pause");
    case RunStatus::Finished:
      return QStringLiteral("check");
    case RunStatus::Stopped:
      return QStringLiteral("stop");
    case RunStatus::Failed:
      return QStringLiteral("error");
    case RunStatus::Interrupted:
      break;
  }
  return QStringLiteral("warning");
}

bool isResumable(const RunInfo& run) {
  return run.status == RunStatus::Stopped || run.status == RunStatus::Interrupted ||
         run.status == RunStatus::Failed;
}

void RunsModel::update(std::vector<RunInfo> runs) {
  // Ids fall from row to row, so both lists are walked like one merge.
  size_t row = 0;
  for (RunInfo& run : runs) {
    while (row < runs_.size() && runs_[row].id > run.id) {
      beginRemoveRows({}, static_cast<int>(row), static_cast<int>(row));
      runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(row));
      endRemoveRows();
    }
    const int at = static_cast<int>(row);
    if (row < runs_.size() && runs_[row].id == run.id) {
      const bool same = sameRow(runs_[row], run);
      runs_[row] = std::move(run);
      if (!same) Q_EMIT dataChanged(index(at, 0), index(at, ColumnCount - 1));
    } else {
      beginInsertRows({}, at, at);
      runs_.insert(runs_.begin() + at, std::move(run));
      endInsertRows();
    }
    ++row;
  }
  if (row < runs_.size()) {
    beginRemoveRows({}, static_cast<int>(row), static_cast<int>(runs_.size()) - 1);
    runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(row), runs_.end());
    endRemoveRows();
  }
}

int RunsModel::rowOf(qint64 run) const {
  const auto it = std::find_if(runs_.begin(), runs_.end(),
                               [run](const RunInfo& info) { return info.id == run; });
  return it == runs_.end() ? -1 : static_cast<int>(it - runs_.begin());
}

const RunInfo* RunsModel::find(qint64 run) const {
  const int row = rowOf(run);
  return row < 0 ? nullptr : &runs_[static_cast<size_t>(row)];
}

int RunsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(runs_.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const RunInfo& run = runs_[static_cast<size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return text(run, index.column());
    case Qt::ToolTipRole:
      return index.column() == Status && !run.failure.empty() ? QString::fromStdString(run.failure)
                                                              : QVariant();
    case Qt::TextAlignmentRole: {
      const bool number = index.column() == Epoch || index.column() == Step ||
                          index.column() == Duration || index.column() == Seed;
      return QVariant::fromValue(Qt::Alignment(number ? Qt::AlignRight : Qt::AlignLeft) |
                                 Qt::AlignVCenter);
    }
    case kRunIdRole:
      return QVariant::fromValue(qint64{run.id});
    case kColorIndexRole:
      return colorIndex(run.id);
    case kStatusRole:
      return static_cast<int>(run.status);
    case kSortValueRole:
      return sortValue(run, index.column());
    default:
      return {};
  }
}

QString RunsModel::text(const RunInfo& run, int column) const {
  switch (column) {
    case Name:
      return QString::fromStdString(run.name);
    case Status:
      return runStatusText(run.status);
    case Epoch: {
      const qint64 all = epochsOf(run);
      const qint64 now = std::min<qint64>(run.epoch + 1, all > 0 ? all : run.epoch + 1);
      return all > 0 ? QStringLiteral("%1 / %2").arg(now).arg(all) : QString::number(now);
    }
    case Step:
      return run.step < 0 ? QString() : QString::number(run.step);
    case Best:
      return run.bestStep < 0 ? QStringLiteral("–") : runBestText(run);
    case Started:
      return QLocale().toString(QDateTime::fromMSecsSinceEpoch(run.startedUs / 1000),
                                QLocale::ShortFormat);
    case Duration:
      return durationText(secondsOf(run));
    case Seed:
      return QString::number(run.seed);
    case Device:
      return QString::fromStdString(run.device);
    default:
      return {};
  }
}

QVariant RunsModel::sortValue(const RunInfo& run, int column) const {
  switch (column) {
    case Epoch:
      return run.epoch;
    case Step:
      return QVariant::fromValue(qint64{run.step});
    case Best:
      return run.bestStep < 0 ? QVariant() : QVariant(run.bestValue);
    case Started:
      return QVariant::fromValue(qint64{run.startedUs});
    case Duration:
      return secondsOf(run);
    case Seed:
      return QVariant::fromValue(quint64{run.seed});
    default:
      return text(run, column);
  }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::ToolTipRole && section == Duration)
    return tr(
        "Time really trained: pauses, and the time between a stop and a resume, do not count");
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case Name:
      return tr("Run");
    case Status:
      return tr("Status");
    case Epoch:
      return tr("Epoch");
    case Step:
      return tr("Step");
    case Best:
      return tr("Best");
    case Started:
      return tr("Started");
    case Duration:
      return tr("Duration");
    case Seed:
      return tr("Seed");
    case Device:
      return tr("Device");
    default:
      return {};
  }
}

}  // namespace tenon::ui
