// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that a widget answers itself while it has the focus: actions that can be listed and changed.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>
#include <functional>

class QAction;
class QKeyEvent;
class QWidget;

namespace tenon::ui {

/// The keys of one widget. The actions are its children and no shortcuts of its window: the widget
/// asks actionOf() in its key handler, and in ShortcutOverride, so that no command takes the key.
class OwnKeys final {
 public:
  /// `owner` outlives this.
  explicit OwnKeys(QWidget& owner) : owner_(owner) {}

  /// `id` is the action's object name; `act` is what it does.
  void add(const char* id, const QString& text, const QList<QKeySequence>& keys,
           const std::function<void()>& act);
  /// The action that the pressed stroke means; null if none does, or one that is not
  /// offered now (disabled, invisible).
  [[nodiscard]] QAction* actionOf(const QKeyEvent& event) const;
  /// Never null for an id that was added.
  [[nodiscard]] QAction* action(const QString& id) const;

 private:
  QWidget& owner_;
  QList<QAction*> actions_;
};

}  // namespace tenon::ui
