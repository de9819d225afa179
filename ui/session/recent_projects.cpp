// SPDX-License-Identifier: GPL-3.0-or-later
// The list of projects in QSettings, with facts read from their stores.
#include "ui/session/recent_projects.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <algorithm>

#include "engine/store/metrics.h"
#include "engine/store/runs.h"
#include "engine/store/store.h"

#include "ui/session/runs_model.h"

namespace tenon::ui {
namespace {

constexpr size_t kMost = 30;
constexpr int kCurvePoints = 64;
constexpr const char* kList = "recent_projects";

QList<double> curveOf(Store& store, RunId run) {
  SeriesQuery query;
  query.run = run;
  query.name = "train/loss";
  query.maxPoints = kCurvePoints;
  QList<double> values;
  for (const Bucket& bucket : store.metrics().readSeries(query).buckets)
    if (bucket.finiteCount() > 0)
      values.append(bucket.sum / static_cast<double>(bucket.finiteCount()));
  return values;
}

}  // namespace

RecentProjects::RecentProjects(QSettings& settings, QObject* parent)
    : QAbstractListModel(parent), settings_(settings), reader_(1, "tenon-recent") {
  load();
}

RecentProjects::~RecentProjects() = default;

void RecentProjects::load() {
  const int count = settings_.beginReadArray(QLatin1String(kList));
  for (int i = 0; i < count; ++i) {
    settings_.setArrayIndex(i);
    Entry entry;
    entry.folder = settings_.value(QStringLiteral("folder")).toString();
    entry.name = settings_.value(QStringLiteral("name")).toString();
    entry.opened = settings_.value(QStringLiteral("opened")).toDateTime();
    if (!entry.folder.isEmpty()) entries_.push_back(std::move(entry));
  }
  settings_.endArray();
}

void RecentProjects::store() const {
  settings_.remove(QLatin1String(kList));
  settings_.beginWriteArray(QLatin1String(kList), static_cast<int>(entries_.size()));
  for (size_t i = 0; i < entries_.size(); ++i) {
    settings_.setArrayIndex(static_cast<int>(i));
    settings_.setValue(QStringLiteral("folder"), entries_[i].folder);
    settings_.setValue(QStringLiteral("name"), entries_[i].name);
    settings_.setValue(QStringLiteral("opened"), entries_[i].opened);
  }
  settings_.endArray();
}

void RecentProjects::add(const QString& folder, const QString& name) {
  const int row = rowOf(folder);
  Entry entry;
  if (row >= 0) entry = entries_[static_cast<size_t>(row)];
  entry.folder = folder;
  entry.name = name;
  entry.opened = QDateTime::currentDateTime();
  if (row > 0) {
    beginMoveRows({}, row, row, {}, 0);
    std::rotate(entries_.begin(), entries_.begin() + row, entries_.begin() + row + 1);
    endMoveRows();
  } else if (row < 0) {
    if (entries_.size() >= kMost) remove(entries_.back().folder);
    beginInsertRows({}, 0, 0);
    entries_.insert(entries_.begin(), Entry());
    endInsertRows();
  }
  entries_.front() = std::move(entry);
  Q_EMIT dataChanged(index(0), index(0));
  store();
  refreshRow(folder);
}

void RecentProjects::remove(const QString& folder) {
  const int row = rowOf(folder);
  if (row < 0) return;
  beginRemoveRows({}, row, row);
  entries_.erase(entries_.begin() + row);
  endRemoveRows();
  store();
}

void RecentProjects::relocate(const QString& folder, const QString& newFolder) {
  const int row = rowOf(folder);
  if (row < 0 || folder == newFolder) return;
  remove(newFolder);
  const int at = rowOf(folder);
  entries_[static_cast<size_t>(at)].folder = newFolder;
  Q_EMIT dataChanged(index(at), index(at));
  store();
  refreshRow(newFolder);
}

QString RecentProjects::last() const {
  return entries_.empty() ? QString() : entries_.front().folder;
}

void RecentProjects::refresh() {
  for (const Entry& entry : entries_) refreshRow(entry.folder);
}

RecentProjects::Facts RecentProjects::readFacts(const QString& folder) {
  Facts facts;
  facts.missing = !QFileInfo::exists(folder);
  if (facts.missing || !QFileInfo::exists(folder + QLatin1String("/tenon.sqlite"))) return facts;
  const std::shared_ptr<Store> store = Store::open(folder.toStdString(), OpenMode::ReadOnly);
  const std::vector<RunInfo> runs = store->runs().list();
  facts.runs = static_cast<int>(runs.size());
  if (runs.empty()) return facts;
  facts.curve = curveOf(*store, runs.front().id);
  // Which of two values is better depends on the metric; the newest run's best is what one looks
  // for first.
  for (const RunInfo& run : runs) {
    if (run.bestStep < 0) continue;
    facts.best = runBestText(run);
    break;
  }
  return facts;
}

void RecentProjects::refreshRow(const QString& folder) {
  reader_.run(
      this, [folder] { return readFacts(folder); },
      [this, folder](Facts facts) {
        const int row = rowOf(folder);
        if (row < 0) return;
        entries_[static_cast<size_t>(row)].facts = std::move(facts);
        Q_EMIT dataChanged(index(row), index(row));
      },
      [](const QString&) {});  // a damaged store shows no facts; opening it will say why
}

int RecentProjects::rowOf(const QString& folder) const {
  const auto it = std::find_if(entries_.begin(), entries_.end(),
                               [&](const Entry& entry) { return entry.folder == folder; });
  return it == entries_.end() ? -1 : static_cast<int>(it - entries_.begin());
}

int RecentProjects::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

QVariant RecentProjects::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Entry& entry = entries_[static_cast<size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
    case kNameRole:
      return entry.name;
    case Qt::ToolTipRole: {  // what a narrow row cuts
      const QString best = data(index, kBestRole).toString();
      return best.isEmpty() ? entry.folder : entry.folder + u'\n' + best;
    }
    case kPathRole:
      return entry.folder;
    case kOpenedRole:
      return entry.opened;
    case kMissingRole:
      return entry.facts.missing;
    case kBestRole:
      return entry.facts.best;
    case kCurveRole:
      return QVariant::fromValue(entry.facts.curve);
    case kRunsRole:
      return entry.facts.runs;
    default:
      return {};
  }
}

QHash<int, QByteArray> RecentProjects::roleNames() const {
  return {{Qt::DisplayRole, "display"}, {kPathRole, "path"},       {kNameRole, "name"},
          {kOpenedRole, "opened"},      {kMissingRole, "missing"}, {kBestRole, "best"},
          {kCurveRole, "curve"},        {kRunsRole, "runs"}};
}

}  // namespace tenon::ui
