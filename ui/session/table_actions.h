// SPDX-License-Identifier: GPL-3.0-or-later
// TableActions: copy, CSV and choice of columns of a table as actions for context menu and dock.
#pragma once

#include <QObject>
#include <QString>

class QAction;
class QMenu;

namespace tenon::ui {

class Prompts;
class TableView;

/**
 * What every table can do besides sorting and filtering. Adds its actions to `owner` (a panel: they
 * become buttons and entries of its dock); addTo() puts them into a context menu.
 */
class TableActions final : public QObject {
  Q_OBJECT
 public:
  /// `name` is suggested for the CSV file ("runs"). The table must outlive this.
  TableActions(TableView& table, Prompts& prompts, const QString& name, QWidget* owner);

  void addTo(QMenu& menu);

 private:
  void save();

  TableView& table_;
  Prompts& prompts_;
  QString name_;
  QAction* copy_;
  QAction* csv_;
};

}  // namespace tenon::ui
