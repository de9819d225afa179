// SPDX-License-Identifier: GPL-3.0-or-later
// Decorations of the table of runs.
#include "ui/panels/run_table/run_table_model.h"

#include <QPainter>
#include <QPixmap>
#include <utility>

#include "ui/session/runs_model.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

/// The dot that stands for a run in tables and, as a line, in plots.
QPixmap dot(const QColor& colour) {
  constexpr int kScale = 4;  // sharp up to 400 %
  QPixmap picture(measure::kIconSmall * kScale, measure::kIconSmall * kScale);
  picture.setDevicePixelRatio(kScale);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawEllipse(QRectF(3, 3, 10, 10));
  return picture;
}

Tint statusTint(RunStatus status) {
  switch (status) {
    case RunStatus::Running:
    case RunStatus::Finished:
      return Tint::Good;
    case RunStatus::Failed:
      return Tint::Bad;
    case RunStatus::Paused:
    case RunStatus::Interrupted:
      return Tint::Warn;
    case RunStatus::Stopped:
      break;
  }
  return Tint::Secondary;
}

}  // namespace

RunTableModel::RunTableModel(RunsModel& runs, QObject* parent) : QIdentityProxyModel(parent) {
  setSourceModel(&runs);
}

void RunTableModel::setLive(const LiveStatus& live) {
  if (std::exchange(live_, live) == live || rowCount() == 0) return;
  Q_EMIT dataChanged(index(0, RunsModel::Status), index(rowCount() - 1, RunsModel::Status));
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
  if (live_.run > 0 && index.column() == RunsModel::Status && runAt(index.row()) == live_.run) {
    if (role == Qt::DisplayRole) return live_.word;
    if (role == Qt::DecorationRole) return icon(live_.icon, live_.tint);
    if (role == Qt::ToolTipRole && !live_.why.isEmpty()) return live_.why;
  }
  if (role == Qt::DecorationRole && index.column() == RunsModel::Name)
    return dot(currentTheme().seriesColor(index.data(RunsModel::kColorIndexRole).toInt()));
  if (role == Qt::DecorationRole && index.column() == RunsModel::Status) {
    const auto status = static_cast<RunStatus>(index.data(RunsModel::kStatusRole).toInt());
    return icon(runStatusIcon(status), statusTint(status));
  }
  return QIdentityProxyModel::data(index, role);
}

qint64 RunTableModel::runAt(int row) const {
  return row < 0 ? 0 : index(row, 0).data(RunsModel::kRunIdRole).toLongLong();
}

void RunTableModel::themeChanged() {
  if (rowCount() > 0)
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::DecorationRole});
}

}  // namespace tenon::ui
