// SPDX-License-Identifier: GPL-3.0-or-later
// Actions from the table.
#include "ui/shell/command_set.h"

#include <QCoreApplication>
#include <QSettings>

#include "ui/session/commands.h"
#include "ui/shell/command_table.h"
#include "ui/widgets/icon.h"

namespace tenon::ui {
namespace {

constexpr const char* kWhyNot = "whyNot";
constexpr const char* kWords = "words";
constexpr const char* kOtherHelp = "otherHelp";

const CommandSpec* specOf(const QString& id) {
  for (const CommandSpec& spec : commandTable())
    if (id == QLatin1String(spec.id)) return &spec;
  return nullptr;
}

}  // namespace

CommandSet::CommandSet(QSettings& store, QObject* parent) : QObject(parent), store_(store) {
  for (const CommandSpec& spec : commandTable()) {
    auto* action = new QAction(this);
    const QString id = QLatin1String(spec.id);
    action->setObjectName(id);
    if (*spec.icon) action->setIcon(icon(QLatin1String(spec.icon)));
    actions_.insert(id, action);
    ordered_.append(action);
    const QVariant kept = store_.value(storeKey(id));
    const QKeySequence keys = kept.isValid()
                                  ? QKeySequence(kept.toString(), QKeySequence::PortableText)
                                  : defaultShortcut(id);
    action->setShortcuts(shortcutsWith(id, keys));
  }
  retranslate();
}

QAction* CommandSet::action(const QString& id) const {
  QAction* found = actions_.value(id);
  Q_ASSERT_X(found, "CommandSet", qPrintable(id));
  static QAction none;
  return found ? found : &none;
}

QKeySequence CommandSet::defaultShortcut(const QString& id) const {
  const CommandSpec* spec = specOf(id);
  return spec ? QKeySequence(QLatin1String(spec->shortcut), QKeySequence::PortableText)
              : QKeySequence();
}

QList<QKeySequence> CommandSet::shortcutsWith(const QString& id, const QKeySequence& keys) const {
  QList<QKeySequence> all = {keys};
  // The second usual key for redo, as long as nobody chose another.
  if (id == QLatin1String(command::kRedo) && keys == defaultShortcut(id))
    all.append(QKeySequence(Qt::CTRL | Qt::Key_Y));
  return all;
}

void CommandSet::setShortcut(const QString& id, const QKeySequence& keys) {
  action(id)->setShortcuts(shortcutsWith(id, keys));
  describe(*action(id));
  if (keys == defaultShortcut(id)) {
    store_.remove(storeKey(id));
  } else {
    store_.setValue(storeKey(id), keys.toString(QKeySequence::PortableText));
  }
}

QString CommandSet::storeKey(const QString& id) { return QStringLiteral("shortcuts/") + id; }

QString CommandSet::plainText(const QAction& action) {
  QString text = action.text();
  text.remove(u'&');
  return text;
}

void CommandSet::describe(QAction& action) const {
  const CommandSpec* spec = specOf(action.objectName());
  if (!spec) return;
  const QString whyNot = action.property(kWhyNot).toString();
  const QString otherHelp = action.property(kOtherHelp).toString();
  const QString help = !whyNot.isEmpty()      ? whyNot
                       : !otherHelp.isEmpty() ? otherHelp
                                              : QCoreApplication::translate("Command", spec->help);
  const QString keys = action.shortcut().toString(QKeySequence::NativeText);
  const QString name = plainText(action).remove(u'…');
  action.setToolTip(keys.isEmpty() ? QStringLiteral("<b>%1</b><br>%2").arg(name, help)
                                   : QStringLiteral("<b>%1</b> (%2)<br>%3").arg(name, keys, help));
  action.setStatusTip(help);
}

void CommandSet::setWords(const QString& id, const QString& text, const QString& help) const {
  QAction& named = *action(id);
  if (named.property(kWords).toString() == text) return;
  named.setProperty(kWords, text);
  named.setProperty(kOtherHelp, help);
  const CommandSpec* spec = specOf(id);
  named.setText(text.isEmpty() && spec ? QCoreApplication::translate("Command", spec->text) : text);
  describe(named);
}

void CommandSet::setReady(const QString& id, bool ready, const QString& whyNot) const {
  QAction& wanted = *action(id);
  wanted.setEnabled(ready);
  const QString reason = ready ? QString() : whyNot;
  if (wanted.property(kWhyNot).toString() == reason) return;
  wanted.setProperty(kWhyNot, reason);
  describe(wanted);
}

void CommandSet::retranslate() {
  for (QAction* action : ordered_) {
    const CommandSpec* spec = specOf(action->objectName());
    action->setText(QCoreApplication::translate("Command", spec->text));
    action->setProperty(kWords, QString());
    action->setProperty(kOtherHelp, QString());
    describe(*action);
  }
}

}  // namespace tenon::ui
