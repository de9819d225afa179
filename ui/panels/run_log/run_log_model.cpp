// SPDX-License-Identifier: GPL-3.0-or-later
// Events as rows with a level icon.
#include "ui/panels/run_log/run_log_model.h"

#include <QDateTime>
#include <algorithm>

#include "ui/session/texts.h"
#include "ui/widgets/format.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {
namespace {

QIcon levelIcon(EventLevel level) {
  switch (level) {
    case EventLevel::Warning:
      return icon(QStringLiteral("warning"), Tint::Warn);
    case EventLevel::Error:
      return icon(QStringLiteral("error"), Tint::Bad);
    case EventLevel::Info:
      break;
  }
  return icon(QStringLiteral("info"), Tint::Secondary);
}

QString levelText(EventLevel level) {
  switch (level) {
    case EventLevel::Warning:
      return RunLogModel::tr("Warning");
    case EventLevel::Error:
      return RunLogModel::tr("Error");
    case EventLevel::Info:
      break;
  }
  return RunLogModel::tr("Information");
}

QDateTime timeOf(const Event& event) { return QDateTime::fromMSecsSinceEpoch(event.timeUs / 1000); }

}  // namespace

void RunLogModel::clear() {
  if (events_.empty()) return;
  beginResetModel();
  events_.clear();
  endResetModel();
}

void RunLogModel::append(const std::vector<Event>& events) {
  const auto first = std::find_if(events.begin(), events.end(),
                                  [this](const Event& event) { return event.id > lastId(); });
  if (first == events.end()) return;
  const int row = static_cast<int>(events_.size());
  beginInsertRows({}, row, row + static_cast<int>(events.end() - first) - 1);
  events_.insert(events_.end(), first, events.end());
  endInsertRows();
}

/// Rows that stay are not touched: selection and scroll position stay with them.
void RunLogModel::keepOnly(const std::vector<Event>& events) {
  const auto isKept = [&](const Event& event) {
    return std::binary_search(events.begin(), events.end(), event,
                              [](const Event& a, const Event& b) { return a.id < b.id; });
  };
  for (size_t end = events_.size(); end > 0;) {
    if (isKept(events_[end - 1])) {
      --end;
      continue;
    }
    size_t begin = end - 1;
    while (begin > 0 && !isKept(events_[begin - 1])) --begin;
    beginRemoveRows({}, static_cast<int>(begin), static_cast<int>(end) - 1);
    events_.erase(events_.begin() + static_cast<std::ptrdiff_t>(begin),
                  events_.begin() + static_cast<std::ptrdiff_t>(end));
    endRemoveRows();
    end = begin;
  }
}

int RunLogModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(events_.size());
}

int RunLogModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunLogModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Event& event = events_[static_cast<size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      return text(event, index.column());
    case Qt::DecorationRole:
      return index.column() == Message ? QVariant(levelIcon(event.level)) : QVariant();
    case Qt::ToolTipRole:
      return index.column() == Time ? timeOf(event).toString(Qt::ISODate) : eventMessage(event);
    case Qt::AccessibleTextRole:
      return index.column() == Message
                 ? tr("%1: %2").arg(levelText(event.level), eventMessage(event))
                 : text(event, index.column());
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(
          Qt::Alignment((index.column() == Step ? Qt::AlignRight : Qt::AlignLeft)) |
          Qt::AlignVCenter);
    case kLevelRole:
      return static_cast<int>(event.level);
    case kSortRole:
      return sortValue(event, index.column());
    default:
      return {};
  }
}

QVariant RunLogModel::text(const Event& event, int column) const {
  switch (column) {
    case Time:
      return timeOf(event).toString(QStringLiteral("HH:mm:ss"));
    case Step:
      return event.step < 0 ? QString() : formatCount(event.step);
    case Message:
      return eventMessage(event);
    default:
      return {};
  }
}

QVariant RunLogModel::sortValue(const Event& event, int column) const {
  switch (column) {
    case Time:
      return QVariant::fromValue(qint64{event.id});  // in the order written, also within a second
    case Step:
      return QVariant::fromValue(qint64{event.step});
    default:
      return eventMessage(event);
  }
}

QVariant RunLogModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Time:
      return tr("Time");
    case Step:
      return tr("Step");
    case Message:
      return tr("Message");
    default:
      return {};
  }
}

}  // namespace tenon::ui
