// SPDX-License-Identifier: GPL-3.0-or-later
// From the first window to the orderly end.
#include "ui/shell/shell.h"

#include <QApplication>
#include <QFileInfo>
#include <QSessionManager>
#include <QSettings>

#include "ui/shell/close_guard.h"
#include "ui/shell/main_window.h"
#include "ui/shell/project_desk.h"
#include "ui/shell/sample_projects.h"
#include "ui/shell/session.h"
#include "ui/shell/session_notices.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {

Shell::Shell(QApplication& app, QSettings& store, ShellOptions options)
    : app_(app),
      store_(store),
      options_(std::move(options)),
      session_(std::make_unique<Session>(store, options_.dataFolder)),
      theme_(std::make_unique<ThemeController>(app)),
      window_(std::make_unique<MainWindow>(
          WindowParts{*session_, *theme_, store_, panelDefinitions(), options_.log})) {
  // A hidden window trains on.
  app_.setQuitOnLastWindowClosed(false);
  // Queued: the guard may say so in the middle of the window's own closeEvent.
  connect(
      &window_->guard(), &CloseGuard::finished, this,
      [this] {
        window_->close();
        QCoreApplication::quit();
      },
      Qt::QueuedConnection);
  connect(&app_, &QGuiApplication::commitDataRequest, this, [this](QSessionManager& manager) {
    manager.setRestartHint(QSessionManager::RestartIfRunning);
    quitAtOnce();
  });
}

Shell::~Shell() = default;

void Shell::begin() {
  bool elsewhere = false;
  const auto raised = connect(&window_->desk(), &ProjectDesk::openElsewhere, this,
                              [&elsewhere] { elsewhere = true; });
  openFirst();
  disconnect(raised);
  if (elsewhere) {  // that window is in front now; this process has nothing to do
    QMetaObject::invokeMethod(qApp, &QCoreApplication::quit, Qt::QueuedConnection);
    return;
  }
  window_->show();
  session_->recents.refresh();
  if (!options_.crashReport.isEmpty()) window_->notices().crashed(options_.crashReport);
}

void Shell::openFirst() {
  const QString last = session_->recents.last();
  const bool given = !options_.project.isEmpty();
  if (!given && last.isEmpty() && !firstSample().isEmpty()) {
    window_->desk().openSample();
    return;
  }
  const QString path = given ? options_.project : last;
  if (path.isEmpty() || (!given && !QFileInfo::exists(path))) return;
  if (!shippedSampleOf(path).isEmpty()) {  // its copy opens in Train with Run focused
    window_->desk().open(path);
    return;
  }
  // The mode in which the last window was left, for a project that is opened again.
  const int mode = store_.value(QStringLiteral("window/mode"), int(Mode::Train)).toInt();
  auto* once = new QObject(this);
  connect(&session_->document, &Document::opened, once, [this, once, mode] {
    once->deleteLater();
    const bool known = mode > 0 && mode < static_cast<int>(kModes.size());
    session_->navigation.clear(known ? kModes[static_cast<size_t>(mode)] : Mode::Train);
  });
  connect(&session_->document, &Document::openFailed, once, &QObject::deleteLater);
  window_->desk().open(path);
}

void Shell::quitAtOnce() { window_->guard().quitAtOnce(); }

}  // namespace tenon::ui
