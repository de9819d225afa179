// SPDX-License-Identifier: GPL-3.0-or-later
// Starting the window and finding one's way in it.
#include "tests/screens/stage.h"

#include <QApplication>
#include <QEvent>
#include <QMenuBar>
#include <QStandardPaths>
#include <QTimer>

#include "app/desktop/application.h"
#include "app/desktop/logging.h"
#include "tests/screens/act.h"
#include "tests/screens/journal.h"
#include "ui/shell/main_window.h"
#include "ui/shell/mode_bar.h"
#include "ui/shell/mode_stack.h"
#include "ui/shell/session.h"
#include "ui/shell/shell.h"

namespace tenon::screens {

bool FirstPaint::eventFilter(QObject* watched, QEvent* event) {
  if (seconds_ == 0 && event->type() == QEvent::Paint &&
      watched->objectName() == QLatin1String("mainWindow")) {
    seconds_ = -1;
    // What was painted goes to the screen at the end of this turn of the loop.
    QTimer::singleShot(0, this, [this] { seconds_ = secondsSinceStart(); });
  }
  return QObject::eventFilter(watched, event);
}

Stage::Stage(QApplication& app, const StageOptions& options) {
  installTranslations(app, options.language);
  const QString data = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation);
  const ui::LogPlace log = startLogging(data + QStringLiteral("/logs"));
  app.installEventFilter(&paint_);
  shell_ = std::make_unique<ui::Shell>(app, store_,
                                       ui::ShellOptions{options.project, data, options.crash, log});
  shell_->begin();
  require(waitUntil([this] { return paint_.seconds() > 0 && window().isActiveWindow(); }, 30'000),
          QStringLiteral("the window is not painted and active after 30 s"));
  app.removeEventFilter(&paint_);
}

Stage::~Stage() = default;

ui::MainWindow& Stage::window() const { return shell_->window(); }

ui::Session& Stage::session() const { return shell_->session(); }

QMenuBar& Stage::menus() const {
  auto* bar = window().findChild<QMenuBar*>();
  require(bar != nullptr, QStringLiteral("the window has no menu bar"));
  return *bar;
}

ui::ModePage& Stage::page() const { return *window().modes().page(); }

QWidget& Stage::panel(const QString& id) const {
  QWidget* panel = page().panel(id);
  require(panel != nullptr, QStringLiteral("the page in front has no panel '%1'").arg(id));
  return *panel;
}

void Stage::missing(const QString& panelId, const char* type, const QString& name) {
  throw Failed(QStringLiteral("panel '%1' has no %2 '%3'").arg(panelId, QLatin1String(type), name));
}

void Stage::setTheme(const QString& theme) {
  session().settings.set(QLatin1String(ui::setting::kTheme), theme.toStdString());
  settle();
}

void Stage::clickMode(ui::Mode mode) {
  auto* bar = window().findChild<QWidget*>(QStringLiteral("modeBar"));
  require(bar != nullptr, QStringLiteral("the window has no mode bar"));
  click(buttonCalled(*bar, ui::modeName(mode)));
  require(waitUntil([&] { return window().modes().mode() == mode; }, 5000),
          QStringLiteral("a click on %1 does not show it").arg(ui::modeName(mode)));
  settle(300);
}

void Stage::awaitProject() {
  require(waitUntil([this] { return session().document.isOpen() && session().check.isCurrent(); },
                    30'000),
          QStringLiteral("no project is open and checked after 30 s"));
}

}  // namespace tenon::screens
