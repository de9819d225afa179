// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that act in panels only: found where their actions are made, changed, and brought back.
#pragma once

#include <QKeySequence>
#include <QList>
#include <QPointer>
#include <QString>
#include <QStringList>

class QAction;
class QSettings;
class QWidget;

namespace tenon::ui {

class ModeStack;

/// What one key does in panels. All widgets that have the action share it.
struct PanelKey {
  QString id;          ///< object name of its actions; empty: the key cannot be changed
  QString text;        ///< without mnemonics
  QStringList places;  ///< titles of the panels in which it acts
  QList<QPointer<QAction>> actions;

  [[nodiscard]] QKeySequence keys() const;
  [[nodiscard]] QKeySequence defaultKeys() const;
  /// All that its actions answer to once they have `wanted`: the default brings its alternatives.
  [[nodiscard]] QList<QKeySequence> keysWith(const QKeySequence& wanted) const;
};

/// Those of all modes, in the order of modes and panels. Makes the pages that are not there yet.
[[nodiscard]] QList<PanelKey> panelKeys(ModeStack& modes);
/// A key of panels is one stroke, or none.
[[nodiscard]] bool canBePanelKeys(const QKeySequence& keys);
/// Changes a key everywhere and keeps it for panels that are made later.
void changeKeys(const PanelKey& key, const QKeySequence& keys, QSettings& store);
/// Brings what a person has changed to a panel just made.
void restoreKeys(QWidget& panel, QSettings& store);

}  // namespace tenon::ui
