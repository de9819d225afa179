// SPDX-License-Identifier: GPL-3.0-or-later
// CommandSet: an action for each entry of the command table, with the person's own shortcuts.
#pragma once

#include <QAction>
#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>

class QSettings;

namespace tenon::ui {

class CommandSet final : public QObject {
  Q_OBJECT
 public:
  /// `store` keeps changed shortcuts and must outlive this.
  explicit CommandSet(QSettings& store, QObject* parent = nullptr);

  /// Never null.
  [[nodiscard]] QAction* action(const QString& id) const;
  [[nodiscard]] bool contains(const QString& id) const { return actions_.contains(id); }
  /// In the order of the table.
  [[nodiscard]] const QList<QAction*>& all() const { return ordered_; }

  [[nodiscard]] QKeySequence defaultShortcut(const QString& id) const;
  /// All that a command answers to once `keys` are its shortcut: its default brings a second one
  /// for redo.
  [[nodiscard]] QList<QKeySequence> shortcutsWith(const QString& id,
                                                  const QKeySequence& keys) const;
  /// Changes a shortcut and keeps it. Whether anything else answers to it is for the caller to ask.
  void setShortcut(const QString& id, const QKeySequence& keys);
  /// Words without mnemonics, as lists show them.
  [[nodiscard]] static QString plainText(const QAction& action);
  /// Where the settings keep the changed keys of an action, of the window or of a panel.
  [[nodiscard]] static QString storeKey(const QString& id);
  /// Other words for an action as things stand; empty: those of the table.
  void setWords(const QString& id, const QString& text, const QString& help = {}) const;
  /// Enables an action, or disables it and says why in its tooltip.
  void setReady(const QString& id, bool ready, const QString& whyNot = {}) const;
  /// Texts in the language in force.
  void retranslate();

 private:
  void describe(QAction& action) const;

  QSettings& store_;
  QHash<QString, QAction*> actions_;
  QList<QAction*> ordered_;
};

}  // namespace tenon::ui
