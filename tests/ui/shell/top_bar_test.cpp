// SPDX-License-Identifier: GPL-3.0-or-later
// The Run button keeps the focus over the moments in which it cannot be pressed.
#include <QAction>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>

#include "ui/session/commands.h"
#include "ui/shell/command_set.h"
#include "ui/shell/session.h"
#include "ui/shell/top_bar.h"

namespace tenon::ui {

class TopBarTest final : public QObject {
  Q_OBJECT

 private:
  struct Frame {
    QTemporaryDir dir;
    QSettings store{dir.filePath(QStringLiteral("s.ini")), QSettings::IniFormat};
    Session session{store, dir.path()};
    CommandSet commands{store};
    QWidget window;
    TopBar* bar;
    QLineEdit* other;

    Frame() {
      auto* column = new QVBoxLayout(&window);
      bar = new TopBar(session, commands, new QMenuBar, &window);
      other = new QLineEdit(&window);
      column->addWidget(bar);
      column->addWidget(other);
      bar->runButton()->show();  // as with a project
      commands.action(command::kRun)->setEnabled(true);
      window.show();
      window.activateWindow();
      (void)QTest::qWaitForWindowActive(&window);
    }
  };

 private Q_SLOTS:
  void focusWaitsForTheButton() {
    Frame f;
    f.bar->focusRun();
    QVERIFY(f.bar->runButton()->hasFocus());
    f.commands.action(command::kRun)->setEnabled(false);
    QVERIFY(!f.bar->runButton()->isEnabled());
    QCOMPARE(f.window.focusWidget(), nullptr);  // and not the next in the row
    f.commands.action(command::kRun)->setEnabled(true);
    QVERIFY(f.bar->runButton()->hasFocus());
  }

  void focusOfAnotherIsNotTaken() {
    Frame f;
    f.bar->focusRun();
    f.commands.action(command::kRun)->setEnabled(false);
    f.other->setFocus();
    f.commands.action(command::kRun)->setEnabled(true);
    QVERIFY(f.other->hasFocus());
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::TopBarTest)
#include "top_bar_test.moc"
