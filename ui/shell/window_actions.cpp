// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands do.
#include "ui/shell/window_actions.h"

#include <QAction>
#include <QDesktopServices>
#include <QUrl>

#include "ui/session/commands.h"
#include "ui/shell/command_set.h"
#include "ui/shell/command_table.h"
#include "ui/shell/project_desk.h"
#include "ui/shell/session.h"

namespace tenon::ui {

WindowActions::WindowActions(Session& session, const CommandSet& commands, ProjectDesk& desk,
                             QObject* parent)
    : QObject(parent), session_(session), commands_(commands), desk_(desk) {
  connectFiles();
  connectEdits();
  connectPlaces();
  connectRuns();
  update();
}

void WindowActions::connectFiles() {
  const auto on = [this](const char* id, auto act) {
    connect(commands_.action(id), &QAction::triggered, this, act);
  };
  Document& document = session_.document;
  on(command::kOpen, [this] { desk_.askAndOpen(); });
  on(command::kOpenSample, [this] { desk_.openSample(); });
  on(command::kDuplicate, [this] { desk_.duplicate(); });
  on(command::kSave, [&document] { document.save(); });
  on(command::kReload, [this] { desk_.reload(); });
  on(command::kShowFolder,
     [&document] { QDesktopServices::openUrl(QUrl::fromLocalFile(document.folder())); });
  connect(&document, &Document::opened, this, &WindowActions::update);
  connect(&document, &Document::closed, this, &WindowActions::update);
  connect(&document, &Document::openingChanged, this, &WindowActions::update);
  connect(&document, &Document::dirtyChanged, this, &WindowActions::update);
}

void WindowActions::connectEdits() {
  Document& document = session_.document;
  QUndoStack& stack = document.undoStack();
  QAction* undo = commands_.action(command::kUndo);
  QAction* redo = commands_.action(command::kRedo);
  connect(undo, &QAction::triggered, this, [&document] { document.undo(); });
  connect(redo, &QAction::triggered, this, [&document] { document.redo(); });
  connect(&stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
  connect(&stack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
  connect(&stack, &QUndoStack::undoTextChanged, undo, [undo](const QString& text) {
    undo->setText(text.isEmpty() ? tr("&Undo") : tr("&Undo: %1").arg(text));
  });
  connect(&stack, &QUndoStack::redoTextChanged, redo, [redo](const QString& text) {
    redo->setText(text.isEmpty() ? tr("&Redo") : tr("&Redo: %1").arg(text));
  });
  undo->setEnabled(stack.canUndo());
  redo->setEnabled(stack.canRedo());
  connect(&document, &Document::aboutToShow, this, [this](const Destination& where) {
    // What names no node and no setting (a layout) is in sight in its mode.
    const bool elsewhere = where.mode != session_.navigation.current().mode;
    const bool named = !where.node.isEmpty() || !where.field.isEmpty();
    if (where.mode != Mode::Welcome && (elsewhere || named)) session_.navigation.go(where);
  });
}

void WindowActions::connectPlaces() {
  Navigation& navigation = session_.navigation;
  for (const Mode mode : kModes)
    connect(commands_.action(modeCommand(static_cast<int>(mode))), &QAction::triggered, this,
            [&navigation, mode] { navigation.go(mode); });
  connect(commands_.action(command::kBack), &QAction::triggered, &navigation, &Navigation::back);
  connect(commands_.action(command::kForward), &QAction::triggered, &navigation,
          &Navigation::forward);
  connect(commands_.action(command::kIssues), &QAction::triggered, this, [&navigation] {
    Destination to;
    to.mode = Mode::Model;
    to.panel = QStringLiteral("issues");
    navigation.go(to);
  });
  connect(&navigation, &Navigation::historyChanged, this, &WindowActions::update);
}

void WindowActions::connectRuns() {
  RunController& run = session_.run;
  const auto on = [this](const char* id, auto act) {
    connect(commands_.action(id), &QAction::triggered, this, act);
  };
  on(command::kRun, [this] { runOrContinue(); });
  on(command::kPause, [&run] { run.pause(); });
  on(command::kStep, [&run] { run.step(); });
  on(command::kStop, [&run] { run.stop(); });
  QAction* record = commands_.action(command::kRecord);
  record->setCheckable(true);    // armed until the recording has come
  record->setAutoRepeat(false);  // a held key would order and withdraw in turn
  const auto showArmed = [this, &run, record] {
    record->setChecked(run.isRecordingDue());
    update();
  };
  on(command::kRecord, [&run, showArmed] {
    if (run.isRecordingDue()) {
      run.withdrawRecording();
    } else {
      run.recordNextStep();
    }
    showArmed();
  });
  connect(&run, &RunController::recordingDueChanged, record, showArmed);
  connect(&run, &RunController::canWithdrawRecordingChanged, record, showArmed);
  on(command::kCheckpoint, [&run] { run.checkpointNow(); });
  on(command::kResumeRun, [this] { resumeSelected(); });
  connect(&run, &RunController::stateChanged, this, &WindowActions::update);
  connect(&session_.selection, &Selection::runsChanged, this, &WindowActions::update);
  connect(&session_.runs, &RunData::runsChanged, this, &WindowActions::update);
}

void WindowActions::runOrContinue() {
  switch (session_.run.state()) {
    case RunState::Idle:
      session_.run.start();
      break;
    case RunState::Paused:
      session_.run.resume();
      break;
    case RunState::Trouble:
      session_.run.retryStore();
      break;
    default:
      break;
  }
}

QString WindowActions::whyNotResume() const {
  if (session_.document.isOpening()) return tr("A project is being opened");
  return session_.runs.whyNotResumable(session_.selection.currentRun());
}

void WindowActions::resumeSelected() {
  if (!whyNotResume().isEmpty()) return;
  session_.run.resumeRun(session_.selection.currentRun());
  session_.navigation.go(Mode::Train);
}

void WindowActions::update() {
  const bool open = session_.document.isOpen();
  const RunState state = session_.run.state();
  const bool live = session_.run.isLive();
  const bool working = live && state != RunState::Stopping && state != RunState::Starting;
  const bool waits = state == RunState::Paused || state == RunState::Trouble;
  const auto enable = [this](const char* id, bool on) { commands_.action(id)->setEnabled(on); };
  for (const char* id : {command::kDuplicate, command::kShowFolder, command::kIssues})
    enable(id, open);
  for (const Mode mode : kModes)
    commands_.action(modeCommand(static_cast<int>(mode)))
        ->setEnabled(open || mode == Mode::Welcome);
  enable(command::kSave, session_.document.isDirty());
  enable(command::kReload, open);
  enable(command::kBack, session_.navigation.canGoBack());
  enable(command::kForward, session_.navigation.canGoForward());
  enable(command::kRun, live ? waits : open && !session_.document.isOpening());
  enable(command::kPause, working && !waits);
  enable(command::kStep, working && state != RunState::Trouble);
  enable(command::kStop, live && state != RunState::Stopping);
  const bool armed = session_.run.isRecordingDue();
  enable(command::kRecord, working && (!armed || session_.run.canWithdrawRecording()));
  enable(command::kCheckpoint, working);
  commands_.setWords(
      command::kRecord, armed ? tr("Do &not record the next step") : QString(),
      armed ? tr("Take the order to record back, as long as its step has not begun") : QString());
  const QString whyNot = whyNotResume();
  commands_.setReady(command::kResumeRun, whyNot.isEmpty(), whyNot);
  commands_.setWords(command::kRun, state == RunState::Paused    ? tr("&Continue")
                                    : state == RunState::Trouble ? tr("&Try again")
                                                                 : QString());
}

}  // namespace tenon::ui
