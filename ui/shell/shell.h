// SPDX-License-Identifier: GPL-3.0-or-later
// Shell: session, theme and window of one process, from the first window to the orderly end.
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "ui/shell/diagnostics.h"

class QApplication;
class QSettings;

namespace tenon::ui {

class MainWindow;
class ThemeController;
struct Session;

struct ShellOptions {
  QString project;      ///< folder or file to open; empty: the last project, or the sample at first
  QString dataFolder;   ///< for recovery files
  QString crashReport;  ///< file of a crash since the last start; empty: none
  LogPlace log;
};

class Shell final : public QObject {
  Q_OBJECT
 public:
  Shell(QApplication& app, QSettings& store, ShellOptions options);
  ~Shell() override;

  /// Shows the window and opens the project.
  void begin();
  /// Ends without questions: checkpoint, recovery file, exit.
  void quitAtOnce();
  [[nodiscard]] MainWindow& window() const { return *window_; }
  [[nodiscard]] Session& session() const { return *session_; }

 private:
  void openFirst();

  QApplication& app_;
  QSettings& store_;
  ShellOptions options_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<ThemeController> theme_;
  std::unique_ptr<MainWindow> window_;
};

}  // namespace tenon::ui
