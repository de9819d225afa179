// SPDX-License-Identifier: GPL-3.0-or-later
// Tab follows the place of things, whatever order they were made in, and keeps to it when they
// come, go and move.
#include "ui/shell/focus_order.h"

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTabBar>
#include <QTest>
#include <QVBoxLayout>

namespace tenon::ui {
namespace {

/// Something that stops Tab, at a place of its parent.
QWidget* stop(QWidget& parent, const char* name, const QRect& place) {
  auto* widget = new QWidget(&parent);
  widget->setObjectName(QLatin1String(name));
  widget->setFocusPolicy(Qt::StrongFocus);
  widget->setGeometry(place);
  return widget;
}

QWidget* box(QWidget& parent, const QRect& place) {
  auto* widget = new QWidget(&parent);
  widget->setGeometry(place);
  return widget;
}

QString names(const QList<QWidget*>& widgets) {
  QStringList names;
  for (const QWidget* widget : widgets) names.append(widget->objectName());
  return names.join(u' ');
}

/// The window's named stops in the order of Qt's chain.
QString chained(QWidget& window) {
  QStringList names;
  for (QWidget* next = window.nextInFocusChain(); next != &window; next = next->nextInFocusChain())
    if ((next->focusPolicy() & Qt::TabFocus) && !next->objectName().isEmpty() && next->isVisible())
      names.append(next->objectName());
  return names.join(u' ');
}

QDockWidget* dock(QMainWindow& window, const char* name) {
  auto* dock = new QDockWidget(&window);
  dock->setWidget(new QWidget(dock));
  auto* column = new QVBoxLayout(dock->widget());
  auto* field = new QLineEdit(dock->widget());
  field->setObjectName(QLatin1String(name));
  column->addWidget(field);
  return dock;
}

}  // namespace

class FocusOrderTest final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void rowsFromTopToBottomThenLeftToRight() {
    QWidget window;
    window.resize(400, 200);
    stop(window, "d", {100, 40, 80, 24});
    stop(window, "b", {200, 4, 80, 24});
    stop(window, "c", {0, 40, 80, 26});
    stop(window, "a", {0, 2, 80, 28});  // not on the same line to the pixel
    window.show();
    QCOMPARE(names(readingOrder(window)), QStringLiteral("a b c d"));
  }

  void columnsOneAfterTheOther() {
    QWidget window;
    window.resize(400, 200);
    stop(window, "buttons", {200, 170, 200, 30});
    stop(window, "second", {200, 60, 200, 50});
    stop(window, "first", {200, 0, 200, 50});
    stop(window, "list", {0, 0, 180, 200});
    window.show();
    QCOMPARE(names(readingOrder(window)), QStringLiteral("list first second buttons"));
  }

  void framesMayOverlapByTwoPixels() {
    QWidget window;
    window.resize(400, 200);
    stop(window, "below", {0, 22, 80, 24});
    stop(window, "above", {300, 0, 80, 24});
    window.show();
    QCOMPARE(names(readingOrder(window)), QStringLiteral("above below"));
  }

  /// A container is left before the next one is entered; one that takes the focus comes first.
  void containersStayTogether() {
    QWidget window;
    window.resize(400, 200);
    QWidget* right = box(window, {200, 0, 200, 200});
    stop(*right, "right-low", {0, 100, 50, 24});
    stop(*right, "right-high", {0, 0, 50, 24});
    QWidget* left = stop(window, "plot", {0, 0, 200, 200});
    stop(*left, "key2", {80, 10, 50, 24});
    stop(*left, "key1", {10, 10, 50, 24});
    window.show();
    QCOMPARE(names(readingOrder(window)), QStringLiteral("plot key1 key2 right-high right-low"));
  }

  void leavesOutWhatTabDoesNotReach() {
    QWidget window;
    window.resize(400, 200);
    stop(window, "hidden", {0, 0, 50, 24})->hide();
    stop(window, "beside", {-500, 0, 50, 24});
    stop(window, "clicked", {0, 30, 50, 24})->setFocusPolicy(Qt::ClickFocus);
    QWidget* outer = stop(window, "proxied", {0, 60, 100, 24});
    outer->setFocusProxy(stop(*outer, "inner", {0, 0, 50, 24}));
    auto* spin = new QSpinBox(&window);
    spin->setObjectName(QStringLiteral("spin"));
    spin->setGeometry(0, 100, 100, 24);
    window.show();
    QCOMPARE(names(readingOrder(window)), QStringLiteral("inner spin"));
  }

  void countsWhatIsScrolledAway() {
    QScrollArea area;
    area.setFocusPolicy(Qt::NoFocus);
    area.resize(200, 100);
    auto* body = new QWidget;
    body->resize(180, 1000);
    area.setWidget(body);
    stop(*body, "last", {0, 900, 100, 24});
    stop(*body, "first", {0, 0, 100, 24});
    area.show();
    QCOMPARE(names(readingOrder(area)), QStringLiteral("first last"));
    area.ensureVisible(0, 1000);
    QCOMPARE(names(readingOrder(area)), QStringLiteral("first last"));
  }

  void docksByPlaceTheirTabsBeforeThem() {
    FocusOrder order;
    QMainWindow window;
    window.resize(600, 400);
    QDockWidget* low = dock(window, "low");
    QDockWidget* behind = dock(window, "behind");
    QDockWidget* left = dock(window, "left");
    auto* centre = new QLineEdit(&window);
    centre->setObjectName(QStringLiteral("centre"));
    window.setCentralWidget(centre);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window.addDockWidget(Qt::BottomDockWidgetArea, low);
    window.tabifyDockWidget(low, behind);
    window.addDockWidget(Qt::LeftDockWidgetArea, left);
    low->raise();
    window.show();
    QTRY_VERIFY(window.findChild<QTabBar*>());
    window.findChild<QTabBar*>()->setObjectName(QStringLiteral("tabs"));
    // The one behind keeps some place in the chain: Qt puts it away without hiding it.
    const auto seen = [&window](const QString& hidden) {
      QStringList names = chained(window).split(u' ');
      names.removeAll(hidden);
      return names.join(u' ');
    };
    QTRY_COMPARE(seen(QStringLiteral("behind")), QStringLiteral("left centre tabs low"));
    QCOMPARE(names(readingOrder(window)), QStringLiteral("left centre tabs low"));
    behind->raise();
    QTRY_COMPARE(seen(QStringLiteral("low")), QStringLiteral("left centre tabs behind"));
    window.addDockWidget(Qt::RightDockWidgetArea, left);
    QTRY_COMPARE(seen(QStringLiteral("low")), QStringLiteral("centre left tabs behind"));
  }

  void whatComesLaterIsPutInItsPlace() {
    FocusOrder order;
    QWidget window;
    window.resize(400, 200);
    stop(window, "c", {0, 100, 80, 24});
    QWidget* a = stop(window, "a", {0, 0, 80, 24});
    window.show();
    QTRY_COMPARE(chained(window), QStringLiteral("a c"));
    QWidget* form = box(window, {0, 50, 400, 40});
    stop(*form, "b2", {100, 0, 80, 24});
    stop(*form, "b1", {0, 0, 80, 24});
    form->show();
    QTRY_COMPARE(chained(window), QStringLiteral("a b1 b2 c"));
    a->move(0, 150);
    QTRY_COMPARE(chained(window), QStringLiteral("b1 b2 c a"));
  }

  void dialogsToo() {
    FocusOrder order;
    QWidget window;
    QDialog dialog(&window);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    buttons->button(QDialogButtonBox::Close)->setObjectName(QStringLiteral("close"));
    auto* field = new QComboBox(&dialog);
    field->setObjectName(QStringLiteral("field"));
    auto* list = new QListWidget(&dialog);
    list->setObjectName(QStringLiteral("list"));
    auto* row = new QHBoxLayout(&dialog);
    auto* right = new QVBoxLayout;
    right->addWidget(field);
    right->addWidget(buttons);
    row->addWidget(list);
    row->addLayout(right);
    window.show();
    dialog.show();
    QTRY_COMPARE(chained(dialog), QStringLiteral("list field close"));
  }

  /// The keys a person presses.
  void tabGoesThatWay() {
    FocusOrder order;
    QWidget window;
    window.resize(400, 200);
    QWidget* last = stop(window, "last", {0, 100, 80, 24});
    QWidget* first = stop(window, "first", {0, 0, 80, 24});
    QWidget* middle = stop(window, "middle", {100, 0, 80, 24});
    window.show();
    QTRY_COMPARE(chained(window), QStringLiteral("first middle last"));
    window.activateWindow();
    first->setFocus();
    QTRY_COMPARE(QApplication::focusWidget(), first);
    QTest::keyClick(first, Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), middle);
    QTest::keyClick(middle, Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), last);
    QTest::keyClick(last, Qt::Key_Backtab);
    QCOMPARE(QApplication::focusWidget(), middle);
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::FocusOrderTest)
#include "focus_order_test.moc"
