// SPDX-License-Identifier: GPL-3.0-or-later
// Windows stay on the screen.
#include <QScreen>
#include <QTest>
#include <QWidget>

#include "ui/shell/window_place.h"

using namespace tenon::ui;

class WindowPlaceTest final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aNewWindowLeavesRoomForItsTitleBar() {
    QWidget window;
    const QSize room = window.screen()->availableGeometry().size();
    QCOMPARE(firstWindowSize(window, {200, 100}), QSize(200, 100));
    const QSize most = firstWindowSize(window, {20000, 20000});
    QVERIFY(most.width() <= room.width());
    QVERIFY(most.height() < room.height() - 10);
    window.setMinimumSize(room + QSize(50, 50));
    QCOMPARE(firstWindowSize(window, {200, 100}), room + QSize(50, 50));
  }

  void aWindowBeyondTheEdgeComesBack() {
    QWidget window;
    const QRect room = window.screen()->availableGeometry();
    window.resize(room.width() + 300, 200);
    window.move(room.right() - 50, room.bottom() - 20);
    window.show();
    keepOnScreen(window);
    QVERIFY(room.contains(window.frameGeometry()));
    QCOMPARE(window.height(), 200);  // it had room
  }

  void aWindowInsideStaysWhereItIs() {
    QWidget window;
    const QPoint at = window.screen()->availableGeometry().topLeft() + QPoint(30, 40);
    window.setGeometry(QRect(at, QSize(300, 200)));
    window.show();
    const QRect before = window.geometry();
    keepOnScreen(window);
    QCOMPARE(window.geometry(), before);
  }

  void oneThatCannotFitShowsItsTitle() {
    QWidget window;
    const QRect room = window.screen()->availableGeometry();
    window.setMinimumSize(room.size() + QSize(100, 100));
    window.move(room.topLeft() - QPoint(60, 60));
    window.show();
    keepOnScreen(window);
    QCOMPARE(window.frameGeometry().topLeft(), room.topLeft());
  }
};

QTEST_MAIN(WindowPlaceTest)
#include "window_place_test.moc"
