// SPDX-License-Identifier: GPL-3.0-or-later
// The settings dialog: a page a group of the schema, and pages others add.
#pragma once

#include <QDialog>
#include <QHash>
#include <QString>

#include "ui/properties/param_editor.h"

class QListWidget;
class QStackedWidget;

namespace tenon::ui {

class PropertyForm;
class UserSettings;

/// Changes act at once; there is nothing to confirm. Not modal.
class SettingsDialog final : public QDialog {
  Q_OBJECT
 public:
  SettingsDialog(UserSettings& settings, PathPicker picker, QWidget* parent = nullptr);

  /// Appends a page with a heading; takes the widget.
  void addPage(const QString& title, const QString& iconName, QWidget* page);
  /// Shows the page with this title.
  void showPage(const QString& title);

 private:
  void addSettingsPages(const PathPicker& picker);
  void showValues();

  UserSettings& settings_;
  QListWidget* list_;
  QStackedWidget* stack_;
  QList<PropertyForm*> forms_;
};

}  // namespace tenon::ui
