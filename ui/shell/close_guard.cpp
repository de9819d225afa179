// SPDX-License-Identifier: GPL-3.0-or-later
// Closing without losing anything.
#include "ui/shell/close_guard.h"

#include <QWidget>

#include "ui/shell/project_desk.h"
#include "ui/shell/session.h"
#include "ui/shell/shell_prompts.h"

namespace tenon::ui {

CloseGuard::CloseGuard(Session& session, ShellPrompts& prompts, ProjectDesk& desk, QWidget& window)
    : QObject(&window), session_(session), prompts_(prompts), desk_(desk), window_(window) {
  connect(&session_.run, &RunController::ended, this, [this] {
    // Nobody looks: the notice on the desktop has told the end, edits are in the recovery file.
    if (hidden_) finish();
  });
  // What needs a person brings the window back; queued, so that what is to be seen there and the
  // notice on the desktop come first.
  const auto comeBack = [this] {
    if (hidden_) raise();
  };
  connect(&session_.run, &RunController::refused, this, comeBack, Qt::QueuedConnection);
  connect(
      &session_.run, &RunController::troubleChanged, this,
      [comeBack](const RunTrouble& trouble) {
        if (!trouble.isEmpty()) comeBack();
      },
      Qt::QueuedConnection);
}

bool CloseGuard::mayClose() {
  if (ready_) return true;
  if (!asking_) ask();
  return false;
}

void CloseGuard::ask() {
  asking_ = true;
  if (!session_.run.isLive()) {
    asking_ = false;
    desk_.settleEdits([this] { finish(); });
    return;
  }
  prompts_.choose(tr("A training is running"),
                  tr("It can go on without the window; starting Tenon again on this project shows "
                     "it. Or it stops after the current step and can be resumed later."),
                  {tr("Keep training"), tr("Stop and keep"), tr("Cancel")}, [this](int answer) {
                    asking_ = false;
                    if (answer == 0 && session_.run.isLive()) {
                      hidden_ = true;
                      window_.hide();
                    } else if (answer <= 1) {
                      afterRun(true);
                    }
                  });
}

void CloseGuard::afterRun(bool settle) {
  const auto go = [this, settle] {
    if (settle) {
      desk_.settleEdits([this] { finish(); });
    } else {
      finish();
    }
  };
  if (!session_.run.isLive()) {
    go();
    return;
  }
  auto* waiting = new QObject(this);
  connect(&session_.run, &RunController::stateChanged, waiting, [waiting, go](RunState state) {
    if (state != RunState::Idle) return;
    waiting->deleteLater();
    go();
  });
  session_.run.stop();
}

void CloseGuard::quitAtOnce() { afterRun(false); }

void CloseGuard::raise() {
  hidden_ = false;
  window_.show();
  window_.setWindowState(window_.windowState() & ~Qt::WindowMinimized);
  window_.raise();
  window_.activateWindow();
}

void CloseGuard::finish() {
  if (ready_) return;
  ready_ = true;
  session_.recovery.flush();
  Q_EMIT finished();
}

}  // namespace tenon::ui
