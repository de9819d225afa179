// SPDX-License-Identifier: GPL-3.0-or-later
// Tables and trees as every place shows them: sort, filter, choose columns, copy, CSV; 24 px rows.
#pragma once

#include <QByteArray>
#include <QString>
#include <QTableView>
#include <QTreeView>
#include <initializer_list>
#include <utility>

class QHeaderView;
class QSortFilterProxyModel;

namespace tenon::ui {

/// Role by which columns sort when the model offers it; else the display text is used, numbers by
/// value.
inline constexpr int kSortRole = Qt::UserRole + 900;

/// First widths of columns, as (column, width): a column not named keeps its width, and none gets
/// narrower than its title, which is longer in some languages. Call it before columns are hidden.
void setFirstWidths(QHeaderView& header, std::initializer_list<std::pair<int, int>> widths);

/// RFC 4180 text of a model: header line, then rows, each before those below it; `columns` empty
/// means all.
[[nodiscard]] QString csvText(const QAbstractItemModel& model, const QList<int>& columns = {});

/**
 * A flat table over a source model. With `Sorting::ByView` a proxy sorts and filters (to about
 * 100,000 rows); with `Sorting::ByModel` sort() and the filter are the model's affair
 * (setFilterText only emits filterChanged). Selection and current row are spoken in source indexes.
 */
class TableView final : public QTableView {
  Q_OBJECT
 public:
  enum class Sorting { ByView, ByModel };

  explicit TableView(QWidget* parent = nullptr);

  void setSourceModel(QAbstractItemModel* model, Sorting sorting = Sorting::ByView);
  [[nodiscard]] QAbstractItemModel* sourceModel() const { return source_; }
  [[nodiscard]] QModelIndex currentSourceIndex() const;
  void setCurrentSourceRow(int row);
  /// Rows selected, in the order shown, as source rows.
  [[nodiscard]] QList<int> selectedSourceRows() const;

  /// Keeps rows of which any column contains the text (case aside).
  void setFilterText(const QString& text);
  [[nodiscard]] int shownRows() const;

  /// Columns a person may hide through the header's menu; the first always stays.
  [[nodiscard]] QMenu* createColumnMenu();
  /// Widths, order, hidden columns and sorting, for the layout memory.
  [[nodiscard]] QByteArray saveColumns() const;
  bool restoreColumns(const QByteArray& state);

  /// What is shown (filtered, sorted, visible columns) as CSV.
  [[nodiscard]] QString toCsv() const;
  /// Selected cells as tab-separated lines to the clipboard.
  void copySelection() const;
  /// Text in the middle while there are no rows.
  void setPlaceholder(const QString& text);

 Q_SIGNALS:
  void filterChanged(const QString& text);
  /// Current row by source row, -1 for none.
  void currentRowChanged(int sourceRow);
  /// Enter or double click.
  void rowActivated(int sourceRow);
  void contextMenuRequested(int sourceRow, const QPoint& globalPosition);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

 private:
  [[nodiscard]] QModelIndex toSource(const QModelIndex& index) const;
  [[nodiscard]] QModelIndex fromSource(const QModelIndex& index) const;

  QAbstractItemModel* source_ = nullptr;
  QSortFilterProxyModel* proxy_ = nullptr;
  QString placeholder_;
};

/**
 * A tree with the same rows, sorting, filter, columns and copying. Rows are sorted among their
 * siblings; a row that fits the filter keeps those above it in sight and all below it.
 */
class TreeView final : public QTreeView {
  Q_OBJECT
 public:
  explicit TreeView(QWidget* parent = nullptr);

  /// Sorts and filters by a proxy; setModel() shows a model as it is.
  void setSourceModel(QAbstractItemModel* model);
  [[nodiscard]] QModelIndex toSource(const QModelIndex& index) const;
  /// Invalid if the filter leaves the row out.
  [[nodiscard]] QModelIndex fromSource(const QModelIndex& index) const;
  void setFilterText(const QString& text);

  [[nodiscard]] QMenu* createColumnMenu();
  [[nodiscard]] QByteArray saveColumns() const;
  bool restoreColumns(const QByteArray& state);
  /// What is shown as CSV, each row before those below it.
  [[nodiscard]] QString toCsv() const;
  void copySelection() const;
  void setPlaceholder(const QString& text);

 Q_SIGNALS:
  void contextMenuRequested(const QPoint& globalPosition);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  QSortFilterProxyModel* proxy_ = nullptr;
  QString placeholder_;
};

}  // namespace tenon::ui
