// SPDX-License-Identifier: GPL-3.0-or-later
// Commands: the window's actions by id, so that a panel's button is the menu's entry with the same
// state, text and shortcut.
#pragma once

#include <QString>

class QAction;

namespace tenon::ui {

/// Ids of the window's commands.
namespace command {
inline constexpr const char* kOpen = "file.open";
inline constexpr const char* kOpenSample = "file.open-sample";
inline constexpr const char* kDuplicate = "file.duplicate";  ///< a copy without its runs
inline constexpr const char* kSave = "file.save";
inline constexpr const char* kReload = "file.reload";
inline constexpr const char* kShowFolder = "file.show-folder";
inline constexpr const char* kQuit = "file.quit";
inline constexpr const char* kUndo = "edit.undo";
inline constexpr const char* kRedo = "edit.redo";
inline constexpr const char* kSettings = "edit.settings";
inline constexpr const char* kBack = "view.back";
inline constexpr const char* kForward = "view.forward";
inline constexpr const char* kIssues = "view.issues";
inline constexpr const char* kResetArrangement = "view.reset-arrangement";
inline constexpr const char* kSwitchTheme = "view.switch-theme";
inline constexpr const char* kFullScreen = "view.full-screen";
inline constexpr const char* kRun = "run.start";  ///< starts, or goes on when paused
inline constexpr const char* kPause = "run.pause";
inline constexpr const char* kStep = "run.step";  ///< one step, then pause
inline constexpr const char* kStop = "run.stop";
inline constexpr const char* kRecord = "run.record";  ///< record the next step
inline constexpr const char* kCheckpoint = "run.checkpoint";
inline constexpr const char* kResumeRun = "run.resume";  ///< the selected run, from its checkpoint
inline constexpr const char* kPalette = "help.palette";
inline constexpr const char* kShortcuts = "help.shortcuts";
inline constexpr const char* kShowLog = "help.log";
inline constexpr const char* kDiagnostics = "help.diagnostics";
inline constexpr const char* kAbout = "help.about";
}  // namespace command

class Commands {
 public:
  virtual ~Commands() = default;
  /// The action; never null. An unknown id is a fault of ours and stops a debug build.
  [[nodiscard]] virtual QAction* action(const QString& id) const = 0;
  /// Opens a project folder or file in this window, or raises the window that has it.
  virtual void openProject(const QString& path) = 0;
};

}  // namespace tenon::ui
