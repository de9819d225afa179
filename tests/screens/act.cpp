// SPDX-License-Identifier: GPL-3.0-or-later
// The display's mouse and keys.
#include "tests/screens/act.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QMenu>
#include <QMenuBar>
#include <QProcess>
#include <QScreen>
#include <QTimer>
#include <QToolButton>

#include "tests/screens/journal.h"

namespace tenon::screens {
namespace {

constexpr int kLookMs = 20;
constexpr int kToolMs = 15'000;

/// Runs xdotool while this program goes on serving events: it is the one that is clicked.
void xdotool(const QStringList& arguments) {
  QProcess process;
  process.start(QStringLiteral("xdotool"), arguments);
  require(waitUntil([&] { return process.state() == QProcess::NotRunning; }, kToolMs),
          QStringLiteral("xdotool does not end"));
  require(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
          QStringLiteral("xdotool %1: %2")
              .arg(arguments.join(u' '), QString::fromUtf8(process.readAllStandardError())));
}

/// A place of the screen in the display's own pixels.
QStringList native(QPoint global) {
  const QScreen* screen = QGuiApplication::primaryScreen();
  const QPointF place = QPointF(global) * screen->devicePixelRatio();
  return {QString::number(qRound(place.x())), QString::number(qRound(place.y()))};
}

void clickAt(QPoint global) {
  xdotool(QStringList{QStringLiteral("mousemove")} + native(global));
  settle(60);
  xdotool({QStringLiteral("click"), QStringLiteral("1")});
  settle(60);
}

QString nameOf(const QWidget& widget) {
  return QStringLiteral("%1 '%2' \"%3\"")
      .arg(QLatin1String(widget.metaObject()->className()), widget.objectName(),
           widget.accessibleName());
}

QAbstractButton& buttonThat(const QWidget& root, const QString& what,
                            const std::function<bool(const QAbstractButton&)>& fits) {
  for (QAbstractButton* button : root.findChildren<QAbstractButton*>())
    if (button->isVisible() && fits(*button)) return *button;
  throw Failed(QStringLiteral("no button %1 in %2").arg(what, nameOf(root)));
}

}  // namespace

bool waitUntil(const std::function<bool()>& done, int limitMs) {
  QElapsedTimer clock;
  clock.start();
  while (!done()) {
    if (clock.hasExpired(limitMs)) return false;
    settle(kLookMs);
  }
  return true;
}

double await(const QString& what, int limitMs, const std::function<bool()>& done) {
  QElapsedTimer clock;
  clock.start();
  require(waitUntil(done, limitMs),
          QStringLiteral("waited %1 s in vain for: %2").arg(limitMs / 1000.0).arg(what));
  const double seconds = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
  note(QStringLiteral("%1 (after %2 s)").arg(what).arg(seconds, 0, 'f', 2));
  return seconds;
}

void settle(int ms) {
  QEventLoop loop;
  QTimer::singleShot(ms, &loop, &QEventLoop::quit);
  loop.exec();
}

void click(QWidget& widget) { click(widget, widget.rect().center()); }

void click(QWidget& widget, QPoint at) {
  require(widget.isVisible(), nameOf(widget) + QStringLiteral(" is hidden"));
  require(widget.isEnabled(), nameOf(widget) + QStringLiteral(" is disabled"));
  const QPoint global = widget.mapToGlobal(at);
  QWidget* there = QApplication::widgetAt(global);
  require(there && (there == &widget || widget.isAncestorOf(there)),
          nameOf(widget) + QStringLiteral(" is covered by ") +
              (there ? nameOf(*there) : QStringLiteral("another window")));
  clickAt(global);
}

void choose(QMenuBar& bar, QAction& action) {
  for (QMenu* menu : bar.findChildren<QMenu*>()) {
    if (!menu->actions().contains(&action)) continue;
    require(action.isEnabled(), QStringLiteral("%1 is disabled").arg(action.text()));
    click(bar, bar.actionGeometry(menu->menuAction()).center());
    require(waitUntil([menu] { return menu->isVisible(); }, 3000),
            QStringLiteral("the menu %1 does not open").arg(menu->title()));
    settle();
    click(*menu, menu->actionGeometry(&action).center());
    require(waitUntil([menu] { return !menu->isVisible(); }, 3000),
            QStringLiteral("the menu %1 does not close").arg(menu->title()));
    return;
  }
  throw Failed(QStringLiteral("no menu has %1").arg(action.text()));
}

void press(const QString& keys) {
  xdotool({QStringLiteral("key"), keys});
  settle(60);
}

void parkPointer() {
  const QRect screen = QGuiApplication::primaryScreen()->geometry();
  xdotool(QStringList{QStringLiteral("mousemove")} + native(screen.bottomRight()));
  settle(60);
}

QAbstractButton& buttonOf(const QWidget& root, const QString& action) {
  return buttonThat(root, action, [&action](const QAbstractButton& button) {
    const auto* tool = qobject_cast<const QToolButton*>(&button);
    return tool && tool->defaultAction() && tool->defaultAction()->objectName() == action;
  });
}

QAbstractButton& buttonCalled(const QWidget& root, const QString& name) {
  return buttonThat(root, name, [&name](const QAbstractButton& button) {
    return button.accessibleName() == name;
  });
}

}  // namespace tenon::screens
