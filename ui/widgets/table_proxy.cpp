// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing of table cells (table_proxy.h).
#include "ui/widgets/table_proxy.h"

#include "ui/widgets/format.h"
#include "ui/widgets/table_view.h"

namespace tenon::ui {
namespace {

QVariant keyOf(const QModelIndex& index) {
  const QVariant key = index.data(kSortRole);
  return key.isValid() ? key : index.data(Qt::DisplayRole);
}

std::optional<double> numberOf(const QVariant& value) {
  if (value.typeId() == QMetaType::QString) return parseNumber(value.toString());
  bool ok = false;
  const double number = value.toDouble(&ok);
  return ok ? std::optional(number) : std::nullopt;
}

/// End of the run of digits, or of other characters, that begins at `from`.
qsizetype runEnd(const QString& text, qsizetype from) {
  const bool digits = text[from].isDigit();
  qsizetype at = from;
  while (at < text.size() && text[at].isDigit() == digits) ++at;
  return at;
}

int compareDigits(QStringView a, QStringView b) {
  while (a.size() > 1 && a.front() == u'0') a = a.mid(1);
  while (b.size() > 1 && b.front() == u'0') b = b.mid(1);
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

}  // namespace

bool naturalLess(const QString& a, const QString& b) {
  qsizetype i = 0;
  qsizetype k = 0;
  while (i < a.size() && k < b.size()) {
    const qsizetype endA = runEnd(a, i);
    const qsizetype endB = runEnd(b, k);
    const QStringView left = QStringView(a).mid(i, endA - i);
    const QStringView right = QStringView(b).mid(k, endB - k);
    const bool digits = left.front().isDigit() && right.front().isDigit();
    const int order = digits ? compareDigits(left, right)
                             : QString::localeAwareCompare(left.toString().toCaseFolded(),
                                                           right.toString().toCaseFolded());
    if (order != 0) return order < 0;
    i = endA;
    k = endB;
  }
  if (i < a.size() || k < b.size()) return i >= a.size();
  return a < b;
}

TableProxy::TableProxy(QObject* parent) : QSortFilterProxyModel(parent) {
  setFilterCaseSensitivity(Qt::CaseInsensitive);
  setFilterKeyColumn(-1);
}

QVariant TableProxy::headerData(int section, Qt::Orientation orientation, int role) const {
  const QVariant given = QSortFilterProxyModel::headerData(section, orientation, role);
  const bool asks = role == Qt::TextAlignmentRole && orientation == Qt::Horizontal;
  if (!asks || given.isValid() || !sourceModel() || sourceModel()->rowCount() == 0) return given;
  return sourceModel()->index(0, section).data(Qt::TextAlignmentRole);
}

bool TableProxy::lessThan(const QModelIndex& a, const QModelIndex& b) const {
  const QVariant left = keyOf(a);
  const QVariant right = keyOf(b);
  const auto x = numberOf(left);
  const auto y = numberOf(right);
  if (x && y) return *x < *y;
  // Cells without a number stand behind those with one.
  if (x.has_value() != y.has_value()) return x.has_value();
  return naturalLess(left.toString(), right.toString());
}

}  // namespace tenon::ui
