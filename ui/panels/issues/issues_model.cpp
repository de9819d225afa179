// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of issues.
#include "ui/panels/issues/issues_model.h"

#include <algorithm>

#include "ui/session/texts.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {
namespace {

QIcon severityIcon(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return icon(QStringLiteral("error"), Tint::Bad);
    case Severity::Warning:
      return icon(QStringLiteral("warning"), Tint::Warn);
    case Severity::Hint:
      break;
  }
  return icon(QStringLiteral("info"), Tint::Secondary);
}

QString severityText(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return IssuesModel::tr("Error");
    case Severity::Warning:
      return IssuesModel::tr("Warning");
    case Severity::Hint:
      break;
  }
  return IssuesModel::tr("Hint");
}

}  // namespace

void IssuesModel::setIssues(const Issues& issues) {
  beginResetModel();
  issues_ = issues;
  std::stable_sort(issues_.begin(), issues_.end(),
                   [](const Issue& a, const Issue& b) { return a.severity < b.severity; });
  endResetModel();
}

int IssuesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(issues_.size());
}

int IssuesModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QString IssuesModel::text(const Issue& issue, int column) {
  switch (column) {
    case Kind:
      return severityText(issue.severity);
    case Text:
      return issueMessage(issue);
    default:
      return issuePlace(issue);
  }
}

QVariant IssuesModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Issue& issue = issues_[size_t(index.row())];
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
      return text(issue, column);
    case kSortRole:
      return column == Kind ? QVariant(int(issue.severity)) : QVariant();
    case Qt::DecorationRole:
      return column == Kind ? QVariant(severityIcon(issue.severity)) : QVariant();
    case Qt::AccessibleTextRole:
      return column == Text ? tr("%1: %2").arg(severityText(issue.severity), text(issue, column))
                            : text(issue, column);
    default:
      return {};
  }
}

QVariant IssuesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case Kind:
      return tr("Kind");
    case Text:
      return tr("Issue");
    default:
      return tr("Place");
  }
}

}  // namespace tenon::ui
