// SPDX-License-Identifier: GPL-3.0-or-later
// Notices of the session.
#include "ui/shell/session_notices.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QLocale>
#include <QWidget>
#include <utility>

#include "ui/session/texts.h"
#include "ui/shell/changes_dialog.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/session.h"
#include "ui/shell/shell_prompts.h"

namespace tenon::ui {

SessionNotices::SessionNotices(Session& session, NoticeBar& bar, ShellPrompts& prompts,
                               QWidget& window)
    : QObject(&window), session_(session), bar_(bar), prompts_(prompts), window_(window) {
  connect(&session_.run, &RunController::refused, this, &SessionNotices::refused);
  connect(&session_.run, &RunController::troubleChanged, this, &SessionNotices::trouble);
  connect(&session_.run, &RunController::ended, this, &SessionNotices::ended);
  connect(&session_.run, &RunController::recordingDueChanged, this, [this](bool due) {
    if (due) prompts_.notice(tr("The next step will be recorded"));
  });
  connect(&session_.run, &RunController::artifactLost, this, &SessionNotices::lost);
  connect(&session_.run, &RunController::artifactStored, this,
          [this] { bar_.dismiss(QStringLiteral("lost")); });
  connect(&session_.run, &RunController::started, this, [this] {
    bar_.dismiss(QStringLiteral("refused"));
    bar_.dismiss(QStringLiteral("ended"));
    bar_.dismiss(QStringLiteral("lost"));
    if (session_.settings.flag(setting::kInhibitSuspend)) awake_.hold(tr("A model is training"));
  });
  connect(&session_.check, &LiveCheck::changed, this, [this] {
    if (session_.check.result()->ok()) bar_.dismiss(QStringLiteral("refused"));
  });
  connect(&session_.runs, &RunData::failed, this, &SessionNotices::unreadable);
  connect(&session_.runs, &RunData::recovered, this, [this] {
    unreadable_.clear();
    bar_.dismiss(QStringLiteral("store"));
  });
  connect(&session_.recovery, &Recovery::available, this, &SessionNotices::recovered);
  connect(&session_.document, &Document::fileChangedOutside, this, &SessionNotices::changedOutside);
  connect(&session_.document, &Document::saveFailed, this, &SessionNotices::saveFailed);
  connect(&session_.document, &Document::saved, this, [this] {
    bar_.dismiss(QStringLiteral("save"));
    bar_.dismiss(QStringLiteral("outside"));
    prompts_.notice(tr("Saved"));
  });
  const auto forget = [this] {
    for (const char* key : {"refused", "ended", "lost", "outside", "save", "recovery", "elsewhere"})
      bar_.dismiss(QLatin1String(key));
  };
  connect(&session_.document, &Document::opened, this, forget);
  connect(&session_.document, &Document::closed, this, forget);
}

void SessionNotices::refused(const Issues& reasons) {
  Notice notice;
  notice.key = QStringLiteral("refused");
  notice.kind = Notice::Kind::Error;
  notice.text =
      tr("The training cannot start: %n issue(s)", nullptr, static_cast<int>(reasons.size()));
  for (const Issue& issue : reasons) {
    const QString place = issuePlace(issue);
    NoticeAction line;
    line.text = place.isEmpty() ? issueMessage(issue)
                                : QStringLiteral("%1: %2").arg(place, issueMessage(issue));
    if (!issue.place.node.empty() || !issue.place.field.empty())
      line.run = [this, to = destinationOf(issue)] { session_.navigation.go(to); };
    notice.lines.append(line);
  }
  bar_.show(notice);
  tellDesktop(tr("Training cannot start"), reasons.empty() ? QString() : notice.lines[0].text);
}

void SessionNotices::trouble(const RunTrouble& trouble) {
  if (trouble.isEmpty()) {
    bar_.dismiss(QStringLiteral("trouble"));
    return;
  }
  Notice notice;
  notice.key = QStringLiteral("trouble");
  notice.kind = Notice::Kind::Warning;
  notice.text = QStringLiteral("%1 %2").arg(trouble.text, trouble.advice);
  notice.lines = {{trouble.cause, {}}};
  notice.actions = {{tr("Try again"), [this] { session_.run.retryStore(); }, true, true}};
  notice.stays = true;
  bar_.show(notice);
  tellDesktop(trouble.text, trouble.advice);
}

/// Of a recording graph and memory come one after the other: one notice for both.
void SessionNotices::lost(qint64, const QString& kind, const QString& reason) {
  Notice notice;
  notice.key = QStringLiteral("lost");
  notice.kind = Notice::Kind::Warning;
  notice.text = kind == QLatin1String("predictions")
                    ? tr("The samples of this epoch could not be kept: %1").arg(reason)
                    : tr("The recorded step could not be kept: %1").arg(reason);
  bar_.show(notice);
}

void SessionNotices::ended(const RunOutcome& outcome) {
  awake_.release();
  bar_.dismiss(QStringLiteral("trouble"));
  const bool failed = outcome.status == RunStatus::Failed;
  if (failed) {
    Notice notice;
    notice.key = QStringLiteral("ended");
    notice.kind = Notice::Kind::Error;
    notice.text = tr("The training failed at step %1: %2")
                      .arg(QLocale().toString(outcome.step), outcome.failure);
    notice.actions = {{tr("Copy"),
                       [outcome] { QApplication::clipboard()->setText(outcome.failure); }, false,
                       true}};
    bar_.show(notice);
  }
  if (outcome.status == RunStatus::Stopped) return;
  tellDesktop(
      failed ? tr("Training failed") : tr("Training finished"),
      failed ? outcome.failure
             : tr("%1: %2 steps").arg(session_.document.name(), QLocale().toString(outcome.step)));
}

/// For whoever does not look at the window.
void SessionNotices::tellDesktop(const QString& title, const QString& text) {
  if (window_.isActiveWindow() || !session_.settings.flag(setting::kNotify)) return;
  sendDesktopNotice(title, text);
}

void SessionNotices::recovered(const RecoveredEdits& edits) {
  Notice notice;
  notice.key = QStringLiteral("recovery");
  notice.text = tr("Edits that were not saved are still there, from %1.")
                    .arg(QLocale().toString(edits.when, QLocale::ShortFormat));
  notice.actions = {{tr("Recover"), [this] { session_.recovery.accept(); }, true},
                    {tr("Discard"), [this] { session_.recovery.discard(); }}};
  bar_.show(notice);
}

void SessionNotices::unreadable(const QString& reason) {
  if (std::exchange(unreadable_, reason) == reason) return;  // also when it was closed
  Notice notice;
  notice.key = QStringLiteral("store");
  notice.kind = Notice::Kind::Error;
  notice.text = tr("The runs of this project cannot be read or changed: %1").arg(reason);
  bar_.show(notice);
}

void SessionNotices::changedOutside() {
  Notice notice;
  notice.key = QStringLiteral("outside");
  notice.kind = Notice::Kind::Warning;
  const bool readable = session_.document.outsideSpec() != nullptr;
  notice.text = readable
                    ? tr("Another program has changed the project file.")
                    : tr("Another program has changed the project file, and it has errors now.");
  if (readable) {
    notice.actions = {{tr("Reload"), [this] { Q_EMIT reloadWanted(); }, true, true},
                      {tr("Show differences"), [this] { showDifferences(); }, false, true}};
  }
  notice.actions.append({tr("Keep mine"), [this] { session_.document.keepMine(); }});
  bar_.show(notice);
}

void SessionNotices::showDifferences() {
  if (const ProjectSpec* theirs = session_.document.outsideSpec())
    showChanges(tr("What differs"), {tr("Here"), session_.document.spec()},
                {tr("In the file"), *theirs}, prompts_, &window_);
}

void SessionNotices::saveFailed(const QString& reason) {
  Notice notice;
  notice.key = QStringLiteral("save");
  notice.kind = Notice::Kind::Error;
  notice.text = tr("The project is not saved: %1").arg(reason);
  notice.actions = {{tr("Try again"), [this] { session_.document.save(); }, true}};
  bar_.show(notice);
}

void SessionNotices::openElsewhere(const QString& folder) {
  Notice notice;
  notice.key = QStringLiteral("elsewhere");
  notice.text = tr("%1 is open in another window, which is in front now.")
                    .arg(QDir::toNativeSeparators(folder));
  bar_.show(notice);
}

void SessionNotices::crashed(const QString& report) {
  Notice notice;
  notice.key = QStringLiteral("crash");
  notice.kind = Notice::Kind::Warning;
  notice.text = tr("Tenon ended unexpectedly the last time. A report is kept in %1.")
                    .arg(QDir::toNativeSeparators(report));
  notice.actions = {{tr("Copy report"),
                     [report] {
                       QFile file(report);
                       if (file.open(QIODevice::ReadOnly))
                         QApplication::clipboard()->setText(QString::fromUtf8(file.readAll()));
                     },
                     false, true}};
  bar_.show(notice);
}

}  // namespace tenon::ui
