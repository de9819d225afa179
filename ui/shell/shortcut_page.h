// SPDX-License-Identifier: GPL-3.0-or-later
// The settings page of shortcuts: every command and every key of panels, which can be changed.
#pragma once

#include <QList>
#include <QWidget>
#include <functional>

#include "ui/shell/panel_keys.h"

class QKeySequenceEdit;
class QLabel;
class QPushButton;
class QSettings;
class QStandardItemModel;

namespace tenon::ui {

class CommandSet;
class Prompts;
class TableActions;
class TableView;

/// Where shortcuts come from and where changed ones are kept. All outlive the page.
struct ShortcutSources {
  CommandSet& commands;
  std::function<QList<PanelKey>()> panelKeys;  ///< asked when the page is first shown
  QSettings& store;
  Prompts& prompts;  ///< for saving the list
};

class ShortcutPage final : public QWidget {
  Q_OBJECT
 public:
  explicit ShortcutPage(const ShortcutSources& sources, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void build();
  void fill();
  void append(const QIcon& icon, const QStringList& cells, const QString& help);
  void showRow(int row);
  void change(const QKeySequence& keys);
  void reset();
  [[nodiscard]] int commandCount() const;
  [[nodiscard]] bool isFixed(int row) const;
  [[nodiscard]] QKeySequence keysOf(int row) const;
  [[nodiscard]] QString nameOf(int row) const;
  [[nodiscard]] QList<QKeySequence> allKeysOf(int row) const;
  [[nodiscard]] QList<QKeySequence> allKeysWith(int row, const QKeySequence& keys) const;
  [[nodiscard]] bool meets(int row, int other) const;
  [[nodiscard]] QString refusal(int row, const QKeySequence& keys) const;
  [[nodiscard]] QString conflict(int row, const QKeySequence& keys) const;

  ShortcutSources sources_;
  QList<PanelKey> panelKeys_;  ///< rows after those of the commands
  QStandardItemModel* model_;
  TableView* table_;
  TableActions* tableActions_ = nullptr;
  QKeySequenceEdit* keys_;
  QPushButton* reset_;
  QLabel* message_;
  int row_ = -1;
};

}  // namespace tenon::ui
