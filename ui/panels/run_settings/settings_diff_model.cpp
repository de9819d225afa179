// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the settings that runs kept.
#include "ui/panels/run_settings/settings_diff_model.h"

#include <algorithm>
#include <vector>

#include "engine/project/settings.h"
#include "engine/schema/json.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

void SettingsDiffModel::setRuns(const QList<RunSettings>& runs) {
  if (runs == runs_) return;
  beginResetModel();
  runs_ = runs;
  compare();
  endResetModel();
}

SettingsDiffModel::Row& SettingsDiffModel::rowOf(const QString& path, const QString& firstValue) {
  const auto known =
      std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.path == path; });
  if (known != rows_.end()) return *known;
  Row row{path, {}};
  for (qsizetype i = 0; i < runs_.size(); ++i) row.values.append(firstValue);
  rows_.append(row);
  return rows_.last();
}

void SettingsDiffModel::compare() {
  rows_.clear();
  unreadable_.clear();
  std::vector<Json> settings;
  for (const RunSettings& run : runs_) {
    JsonResult read = readJson(run.settings);
    if (!read.ok()) unreadable_.append(run.name);
    settings.push_back(read.ok() && read.value.isObject() ? std::move(read.value) : Json::object());
  }
  if (settings.empty()) return;
  // One run alone is compared with nothing, which lists everything it has.
  const bool alone = settings.size() == 1;
  const Json base = alone ? Json::object() : settings.front();
  for (size_t i = alone ? 0 : 1; i < settings.size(); ++i) {
    for (const SettingChange& change : diffSettings(base, settings[i])) {
      Row& row = rowOf(QString::fromStdString(change.path), QString::fromStdString(change.before));
      row.values[static_cast<qsizetype>(i)] = QString::fromStdString(change.after);
    }
  }
}

int SettingsDiffModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int SettingsDiffModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : 1 + static_cast<int>(runs_.size());
}

QVariant SettingsDiffModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_.at(index.row());
  const bool isPath = index.column() == 0;
  const QString text = isPath ? row.path : row.values.value(index.column() - 1);
  const bool differs = !isPath && text != row.values.first();
  switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
      return text;
    case Qt::FontRole:
      return differs ? QVariant(textFont(TextSize::Body, true)) : QVariant();
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    case kDiffersRole:
      return differs;
    default:
      return {};
  }
}

QVariant SettingsDiffModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  if (section == 0) return tr("Setting");
  return section <= runs_.size() ? QVariant(runs_.at(section - 1).name) : QVariant();
}

}  // namespace tenon::ui
