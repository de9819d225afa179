// SPDX-License-Identifier: GPL-3.0-or-later
// The settings page of shortcuts: every command with its keys, which can be changed.
#pragma once

#include <QWidget>

class QKeySequenceEdit;
class QLabel;
class QPushButton;
class QStandardItemModel;

namespace tenon::ui {

class CommandSet;
class TableView;

class ShortcutPage final : public QWidget {
  Q_OBJECT
 public:
  explicit ShortcutPage(CommandSet& commands, QWidget* parent = nullptr);

 private:
  void fill();
  void showRow(int row);
  void change(const QKeySequence& keys);

  CommandSet& commands_;
  QStandardItemModel* model_;
  TableView* table_;
  QKeySequenceEdit* keys_;
  QPushButton* reset_;
  QLabel* message_;
  int row_ = -1;
};

}  // namespace tenon::ui
