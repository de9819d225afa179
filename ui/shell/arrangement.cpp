// SPDX-License-Identifier: GPL-3.0-or-later
// Storing and bringing back docks.
#include "ui/shell/arrangement.h"

#include <QDockWidget>
#include <QGuiApplication>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>

namespace tenon::ui {
namespace {

QStringList dockNames(const QMainWindow& window) {
  QStringList names;
  for (const QDockWidget* dock : window.findChildren<QDockWidget*>()) names << dock->objectName();
  names.sort();
  return names;
}

bool isOnScreen(const QRect& frame) {
  for (const QScreen* screen : QGuiApplication::screens()) {
    const QRect seen = screen->availableGeometry().intersected(frame);
    if (seen.width() >= 80 && seen.height() >= 40) return true;
  }
  return false;
}

}  // namespace

void saveArrangement(const QMainWindow& window, QSettings& store, const QString& key) {
  store.setValue(key + QStringLiteral("/docks"), dockNames(window));
  store.setValue(key + QStringLiteral("/state"), window.saveState(kArrangementVersion));
}

bool restoreArrangement(QMainWindow& window, const QSettings& store, const QString& key) {
  const QByteArray state = store.value(key + QStringLiteral("/state")).toByteArray();
  if (state.isEmpty()) return false;
  if (store.value(key + QStringLiteral("/docks")).toStringList() != dockNames(window)) return false;
  if (!window.restoreState(state, kArrangementVersion)) return false;
  for (QDockWidget* dock : window.findChildren<QDockWidget*>())
    if (dock->isFloating() && !isOnScreen(dock->frameGeometry())) dock->setFloating(false);
  return true;
}

}  // namespace tenon::ui
