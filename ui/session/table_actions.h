// SPDX-License-Identifier: GPL-3.0-or-later
// TableActions: copy, CSV and choice of columns of a table as actions for context menu and dock.
#pragma once

#include <QObject>
#include <QString>
#include <functional>

class QAction;
class QMenu;

namespace tenon::ui {

class FilterRow;
class Prompts;
class TableView;
class TreeView;

/**
 * What every table can do besides sorting and filtering. Adds its actions to `owner` (a panel: they
 * become buttons and entries of its dock); addTo() puts them into a context menu.
 */
class TableActions final : public QObject {
  Q_OBJECT
 public:
  /// `name` is suggested for the CSV file ("runs"). The table must outlive this.
  TableActions(TableView& table, Prompts& prompts, const QString& name, QWidget* owner);
  TableActions(TreeView& tree, Prompts& prompts, const QString& name, QWidget* owner);

  /// The menu offers the field of this row while it is out of sight. The row must outlive this.
  void setFilter(FilterRow& row) { filter_ = &row; }
  void addTo(QMenu& menu);

 private:
  /// A table or a tree, as far as it matters here.
  struct Table {
    std::function<void()> copy;
    std::function<QString()> csv;
    std::function<QMenu*()> columns;  ///< null: it has no titles to choose by
  };
  TableActions(Table table, Prompts& prompts, const QString& name, QWidget* owner);
  template <class View>
  static Table tableOf(View& view, bool titled);
  void save();

  Table table_;
  Prompts& prompts_;
  QString name_;
  FilterRow* filter_ = nullptr;
  QAction* copy_;
  QAction* csv_;
};

}  // namespace tenon::ui
