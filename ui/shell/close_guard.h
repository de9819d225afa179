// SPDX-License-Identifier: GPL-3.0-or-later
// CloseGuard: nothing is lost when the window closes: a run goes on hidden or stops with a
// checkpoint, edits are saved or kept.
#pragma once

#include <QObject>

class QWidget;

namespace tenon::ui {

class ProjectDesk;
class ShellPrompts;
struct Session;

class CloseGuard final : public QObject {
  Q_OBJECT
 public:
  CloseGuard(Session& session, ShellPrompts& prompts, ProjectDesk& desk, QWidget& window);

  /// For closeEvent: true if the window may go now; otherwise a question is on its way.
  [[nodiscard]] bool mayClose();
  /// No questions: a live run stops with a checkpoint, edits stay in the recovery file (SIGTERM,
  /// log-out).
  void quitAtOnce();
  /// The window is wanted again.
  void raise();
  /// True while a training goes on without the window. A start that is refused and a store that
  /// cannot be written bring the window back.
  [[nodiscard]] bool isTrainingHidden() const { return hidden_; }

 Q_SIGNALS:
  /// Everything is settled; the program may end.
  void finished();

 private:
  void ask();
  void afterRun(bool settle);
  void finish();

  Session& session_;
  ShellPrompts& prompts_;
  ProjectDesk& desk_;
  QWidget& window_;
  bool ready_ = false;
  bool asking_ = false;
  bool hidden_ = false;
};

}  // namespace tenon::ui
