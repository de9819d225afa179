// SPDX-License-Identifier: GPL-3.0-or-later
// The command table: unique ids and shortcuts, texts, changed shortcuts, the palette's search.
#include "ui/shell/command_table.h"

#include <QHash>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "ui/session/commands.h"
#include "ui/session/recent_projects.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/command_set.h"
#include "ui/shell/menus.h"
#include "ui/widgets/icon.h"

namespace tenon::ui {

class CommandTableTest final : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<QTemporaryDir> dir_;
  std::unique_ptr<QSettings> store_;

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    store_ =
        std::make_unique<QSettings>(dir_->filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
  }
  void cleanup() {
    store_.reset();
    dir_.reset();
  }

  void idsAndShortcutsAreUnique() {
    QSet<QString> ids;
    QHash<QString, QString> keys;
    for (const CommandSpec& spec : commandTable()) {
      const QString id = QLatin1String(spec.id);
      QVERIFY2(!ids.contains(id), spec.id);
      ids.insert(id);
      QVERIFY2(*spec.text && *spec.help, spec.id);
      if (*spec.icon) QVERIFY2(hasIcon(QLatin1String(spec.icon)), spec.icon);
    }
    CommandSet commands(*store_);
    for (const QAction* action : commands.all()) {
      for (const QKeySequence& sequence : action->shortcuts()) {
        if (sequence.isEmpty()) continue;
        const QString text = sequence.toString();
        QVERIFY2(!keys.contains(text), qPrintable(text + u' ' + action->objectName()));
        keys.insert(text, action->objectName());
      }
    }
    QCOMPARE(keys.value(QStringLiteral("F5")), QString(command::kRun));
    QCOMPARE(keys.value(QStringLiteral("Shift+F5")), QString(command::kStop));
    QCOMPARE(keys.value(QStringLiteral("Ctrl+K")), QString(command::kPalette));
    QCOMPARE(keys.value(QStringLiteral("Ctrl+4")), modeCommand(3));
    QCOMPARE(keys.value(QStringLiteral("Alt+Left")), QString(command::kBack));
  }

  void mnemonicsOfAMenuDiffer() {
    QHash<Menu, QString> used;
    for (const CommandSpec& spec : commandTable()) {
      const QString text = QString::fromUtf8(spec.text);
      const qsizetype at = text.indexOf(u'&');
      QVERIFY2(at >= 0 && at + 1 < text.size(), spec.id);
      const QChar letter = text[at + 1].toLower();
      QVERIFY2(!used[spec.menu].contains(letter), spec.text);
      used[spec.menu] += letter;
    }
  }

  void shortcutsCanBeChanged() {
    {
      CommandSet commands(*store_);
      QCOMPARE(commands.action(command::kPause)->shortcut(), QKeySequence(Qt::Key_F7));
      commands.setShortcut(command::kPause, QKeySequence(Qt::Key_Pause));
      QCOMPARE(commands.action(command::kPause)->shortcut(), QKeySequence(Qt::Key_Pause));
      QVERIFY(commands.action(command::kPause)->toolTip().contains(QStringLiteral("Pause")));
    }
    CommandSet again(*store_);
    QCOMPARE(again.action(command::kPause)->shortcut(), QKeySequence(Qt::Key_Pause));
    again.setShortcut(command::kPause, again.defaultShortcut(command::kPause));
    QCOMPARE(again.action(command::kPause)->shortcut(), QKeySequence(Qt::Key_F7));
    QVERIFY(store_->allKeys().isEmpty());
  }

  void redoHasASecondKeyWithItsDefault() {
    CommandSet commands(*store_);
    const QKeySequence usual = commands.defaultShortcut(command::kRedo);
    const QList<QKeySequence> both{usual, QKeySequence(Qt::CTRL | Qt::Key_Y)};
    QCOMPARE(commands.action(command::kRedo)->shortcuts(), both);
    QCOMPARE(commands.shortcutsWith(command::kRedo, usual), both);
    commands.setShortcut(command::kRedo, QKeySequence(Qt::Key_F11));
    QCOMPARE(commands.action(command::kRedo)->shortcuts(), {QKeySequence(Qt::Key_F11)});
    commands.setShortcut(command::kRedo, usual);
    QCOMPARE(commands.action(command::kRedo)->shortcuts(), both);
  }

  void menusHoldEveryCommand() {
    CommandSet commands(*store_);
    RecentProjects recents(*store_);
    QWidget window;
    const QMenuBar* bar = buildMenus(
        commands, {recents, [](const QString&) {}, [] { return QList<QAction*>(); }}, &window);
    QSet<QAction*> found;
    for (const QMenu* menu : bar->findChildren<QMenu*>())
      for (QAction* action : menu->actions()) found.insert(action);
    for (QAction* action : commands.all())
      QVERIFY2(found.contains(action), qPrintable(action->objectName()));
    QCOMPARE(bar->actions().size(), 5);
  }

  void paletteFindsByLettersAndWords() {
    QVERIFY(matchScore(QStringLiteral("run"), QStringLiteral("Run")) >
            matchScore(QStringLiteral("run"), QStringLiteral("Resume selected run")));
    QVERIFY(matchScore(QStringLiteral("rec"), QStringLiteral("Record next step")) >
            matchScore(QStringLiteral("rec"), QStringLiteral("Direct")));
    QVERIFY(matchScore(QStringLiteral("rns"), QStringLiteral("Record next step")) >= 0);
    QVERIFY(matchScore(QStringLiteral("xyz"), QStringLiteral("Record next step")) < 0);
  }

  void paletteTriggers() {
    QWidget window;
    window.resize(1024, 640);
    window.show();
    QAction first(QStringLiteral("&Open"));
    QAction second(QStringLiteral("&Stop"));
    QAction off(QStringLiteral("St&ep"));
    off.setEnabled(false);
    int opened = 0;
    int stopped = 0;
    connect(&first, &QAction::triggered, this, [&] { ++opened; });
    connect(&second, &QAction::triggered, this, [&] { ++stopped; });
    CommandPalette palette(&window);
    palette.open({&first, &second, &off});
    QVERIFY(palette.isVisible());
    auto* line = palette.findChild<QLineEdit*>();
    QTest::keyClicks(line, QStringLiteral("st"));
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(!palette.isVisible());
    QCOMPARE(stopped, 1);
    QCOMPARE(opened, 0);
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::CommandTableTest)
#include "command_table_test.moc"
