// SPDX-License-Identifier: GPL-3.0-or-later
// SessionNotices: what the session has to say while a person works, as notices below the top bar
// and on the desktop.
#pragma once

#include <QObject>
#include <QString>

#include "engine/base/error.h"
#include "ui/shell/desktop.h"

namespace tenon::ui {

class NoticeBar;
class ShellPrompts;
struct RecoveredEdits;
struct RunOutcome;
struct RunTrouble;
struct Session;

class SessionNotices final : public QObject {
  Q_OBJECT
 public:
  SessionNotices(Session& session, NoticeBar& bar, ShellPrompts& prompts, QWidget& window);

  void openElsewhere(const QString& folder);
  /// The program ended unexpectedly the last time; `report` is the file with the backtrace.
  void crashed(const QString& report);

 Q_SIGNALS:
  /// The project file is to be read again.
  void reloadWanted();

 private:
  void refused(const Issues& reasons);
  void trouble(const RunTrouble& trouble);
  void ended(const RunOutcome& outcome);
  void lost(qint64 run, const QString& kind, const QString& reason);
  void recovered(const RecoveredEdits& edits);
  void unreadable(const QString& reason);
  void changedOutside();
  void saveFailed(const QString& reason);
  void showDifferences();
  void tellDesktop(const QString& title, const QString& text);

  Session& session_;
  NoticeBar& bar_;
  ShellPrompts& prompts_;
  QWidget& window_;
  SuspendGuard awake_;
  QString unreadable_;  ///< said already; empty: the runs can be read
};

}  // namespace tenon::ui
