// SPDX-License-Identifier: GPL-3.0-or-later
// Looks pressed strokes up among a widget's actions.
#include "ui/keys/own_keys.h"

#include <QAction>
#include <QKeyEvent>
#include <QWidget>

namespace tenon::ui {

void OwnKeys::add(const char* id, const QString& text, const QList<QKeySequence>& keys,
                  const std::function<void()>& act) {
  auto* action = new QAction(text, &owner_);
  action->setObjectName(QLatin1String(id));
  action->setShortcuts(keys);
  QObject::connect(action, &QAction::triggered, &owner_, act);
  actions_.append(action);
}

QAction* OwnKeys::actionOf(const QKeyEvent& event) const {
  const QKeySequence pressed(
      QKeyCombination(event.modifiers() & ~Qt::KeypadModifier, Qt::Key(event.key())));
  for (QAction* action : actions_)
    if (action->isVisible() && action->isEnabled() && action->shortcuts().contains(pressed))
      return action;
  return nullptr;
}

QAction* OwnKeys::action(const QString& id) const {
  for (QAction* action : actions_)
    if (action->objectName() == id) return action;
  return nullptr;
}

}  // namespace tenon::ui
