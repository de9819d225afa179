// SPDX-License-Identifier: GPL-3.0-or-later
// MainWindow: the frame. Mode bar left, top bar, notices, the page of the mode in front, job bar.
#pragma once

#include <QPointer>
#include <QWidget>

#include "ui/session/commands.h"
#include "ui/session/panel_context.h"
#include "ui/shell/command_set.h"
#include "ui/shell/diagnostics.h"
#include "ui/shell/mode_page.h"
#include "ui/shell/shell_prompts.h"

class QSettings;

namespace tenon::ui {

class CloseGuard;
class CommandPalette;
class DropVeil;
class JobBar;
class ModeBar;
class ModeStack;
class NoticeBar;
class ProjectDesk;
class SessionNotices;
class SettingsDialog;
class ThemeController;
class TopBar;
struct Destination;
struct Session;

/// What the window is given by who starts the program.
struct WindowParts {
  Session& session;
  ThemeController& theme;
  QSettings& store;
  PanelTable panels;
  LogPlace log;
};

class MainWindow final : public QWidget, public Commands {
  Q_OBJECT
 public:
  explicit MainWindow(const WindowParts& parts);
  ~MainWindow() override;

  [[nodiscard]] QAction* action(const QString& id) const override { return commands_.action(id); }
  void openProject(const QString& path) override;

  [[nodiscard]] const CommandSet& commands() const { return commands_; }
  [[nodiscard]] ModeStack& modes() const { return *modes_; }
  [[nodiscard]] ProjectDesk& desk() const { return *desk_; }
  [[nodiscard]] CloseGuard& guard() const { return *guard_; }
  [[nodiscard]] SessionNotices& notices() const { return *sessionNotices_; }
  void focusRun();
  /// Writes geometry and arrangements into the settings.
  void save();

 protected:
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void build();
  void connectFrame();
  void connectSession();
  void arrive(const Destination& to);
  void showTitle();
  void showBadges();
  void showSettings(const QString& page);
  void applySetting(const QString& key);
  void switchTheme();
  void openPalette();

  WindowParts parts_;
  CommandSet commands_;
  ShellPrompts prompts_;
  PanelContext context_;
  ProjectDesk* desk_;
  CloseGuard* guard_;
  TopBar* top_ = nullptr;
  ModeBar* modeBar_ = nullptr;
  NoticeBar* noticeBar_ = nullptr;
  ModeStack* modes_ = nullptr;
  DropVeil* veil_ = nullptr;
  JobBar* job_ = nullptr;
  CommandPalette* palette_ = nullptr;
  SessionNotices* sessionNotices_ = nullptr;
  QPointer<SettingsDialog> settings_;
  QString folder_;       ///< whose things are selected
  bool placed_ = false;  ///< on the screen, after it was shown first
};

}  // namespace tenon::ui
