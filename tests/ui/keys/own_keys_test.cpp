// SPDX-License-Identifier: GPL-3.0-or-later
// OwnKeys: pressed strokes find their action, keypad or not, as long as it is offered.
#include "ui/keys/own_keys.h"

#include <QAction>
#include <QKeyEvent>
#include <QSignalSpy>
#include <QTest>
#include <QWidget>

namespace tenon::ui {

class OwnKeysTest final : public QObject {
  Q_OBJECT

 private:
  static QKeyEvent pressed(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    return QKeyEvent(QEvent::KeyPress, key, modifiers);
  }

 private Q_SLOTS:
  void strokesFindTheirAction() {
    QWidget widget;
    OwnKeys keys(widget);
    int fitted = 0;
    keys.add("x.fit", QStringLiteral("Fit"), {Qt::Key_F, Qt::Key_Home}, [&] { ++fitted; });
    keys.add("x.closer", QStringLiteral("Closer"), {Qt::Key_Plus}, [] {});
    QAction* fit = keys.action(QStringLiteral("x.fit"));
    QVERIFY(fit);
    QCOMPARE(fit->text(), QStringLiteral("Fit"));
    QCOMPARE(fit->parent(), &widget);
    QVERIFY(widget.actions().isEmpty());  // no shortcut of the window
    QCOMPARE(keys.actionOf(pressed(Qt::Key_F)), fit);
    QCOMPARE(keys.actionOf(pressed(Qt::Key_Home)), fit);
    QCOMPARE(keys.actionOf(pressed(Qt::Key_F, Qt::ControlModifier)), nullptr);
    QCOMPARE(keys.actionOf(pressed(Qt::Key_G)), nullptr);
    QCOMPARE(keys.actionOf(pressed(Qt::Key_Plus, Qt::KeypadModifier)),
             keys.action(QStringLiteral("x.closer")));
    QCOMPARE(keys.action(QStringLiteral("x.none")), nullptr);
    keys.actionOf(pressed(Qt::Key_Home))->trigger();
    QCOMPARE(fitted, 1);
    fit->setShortcut(Qt::Key_G);
    QCOMPARE(keys.actionOf(pressed(Qt::Key_F)), nullptr);
    QCOMPARE(keys.actionOf(pressed(Qt::Key_G)), fit);
  }

  void whatIsNotOfferedLeavesItsKey() {
    QWidget widget;
    OwnKeys keys(widget);
    keys.add("x.delete", QStringLiteral("Delete"), {Qt::Key_Delete}, [] {});
    QAction* remove = keys.action(QStringLiteral("x.delete"));
    remove->setVisible(false);
    QCOMPARE(keys.actionOf(pressed(Qt::Key_Delete)), nullptr);
    remove->setVisible(true);
    QCOMPARE(keys.actionOf(pressed(Qt::Key_Delete)), remove);
    remove->setEnabled(false);
    QCOMPARE(keys.actionOf(pressed(Qt::Key_Delete)), nullptr);
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::OwnKeysTest)
#include "own_keys_test.moc"
