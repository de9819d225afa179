// SPDX-License-Identifier: GPL-3.0-or-later
// Walks the actions of panels.
#include "ui/shell/panel_keys.h"

#include <QAction>
#include <QSettings>
#include <QVariant>
#include <QWidget>
#include <algorithm>

#include "ui/session/panel_def.h"
#include "ui/shell/command_set.h"
#include "ui/shell/mode_stack.h"

namespace tenon::ui {
namespace {

constexpr const char* kDefaultKeys = "defaultKeys";
constexpr int kMostStrokes = 1;  // panels look each stroke up by itself
constexpr auto kText = QKeySequence::PortableText;

QList<QKeySequence> firstKeys(const QAction& action) {
  return QKeySequence::listFromString(action.property(kDefaultKeys).toString(), kText);
}

void add(QList<PanelKey>& keys, QAction& action, const QString& place) {
  const QString text = CommandSet::plainText(action);
  // One whose key a person took away can get it back; one that is not offered there has none.
  const bool hasKeys = !action.shortcut().isEmpty() || !firstKeys(action).isEmpty();
  if (!hasKeys || text.isEmpty() || !action.isVisible()) return;
  auto known = std::find_if(keys.begin(), keys.end(), [&](const PanelKey& key) {
    return key.id == action.objectName() && key.text == text && key.keys() == action.shortcut();
  });
  if (known == keys.end()) known = keys.insert(keys.end(), {action.objectName(), text, {}, {}});
  known->actions.append(&action);
  if (!known->places.contains(place)) known->places.append(place);
}

}  // namespace

QKeySequence PanelKey::keys() const {
  return actions.isEmpty() || !actions.first() ? QKeySequence() : actions.first()->shortcut();
}

QKeySequence PanelKey::defaultKeys() const {
  return actions.isEmpty() || !actions.first() ? QKeySequence()
                                               : firstKeys(*actions.first()).value(0);
}

QList<QKeySequence> PanelKey::keysWith(const QKeySequence& wanted) const {
  if (actions.isEmpty() || !actions.first() || wanted != defaultKeys()) return {wanted};
  return firstKeys(*actions.first());
}

QList<PanelKey> panelKeys(ModeStack& modes) {
  QList<PanelKey> keys;
  modes.eachPanel([&keys](const PanelDef& def, QWidget& panel) {
    for (QAction* action : panel.findChildren<QAction*>()) add(keys, *action, panelTitle(def));
  });
  return keys;
}

bool canBePanelKeys(const QKeySequence& keys) { return keys.count() <= kMostStrokes; }

void changeKeys(const PanelKey& key, const QKeySequence& keys, QSettings& store) {
  for (const QPointer<QAction>& action : key.actions)
    if (action) action->setShortcuts(key.keysWith(keys));
  if (keys == key.defaultKeys()) {
    store.remove(CommandSet::storeKey(key.id));
  } else {
    store.setValue(CommandSet::storeKey(key.id), keys.toString(kText));
  }
}

void restoreKeys(QWidget& panel, QSettings& store) {
  for (QAction* action : panel.findChildren<QAction*>()) {
    const QString id = action->objectName();
    if (id.isEmpty() || action->shortcut().isEmpty()) continue;
    action->setProperty(kDefaultKeys, QKeySequence::listToString(action->shortcuts(), kText));
    const QVariant kept = store.value(CommandSet::storeKey(id));
    const QKeySequence keys(kept.toString(), kText);
    if (kept.isValid() && canBePanelKeys(keys)) action->setShortcut(keys);
  }
}

}  // namespace tenon::ui
