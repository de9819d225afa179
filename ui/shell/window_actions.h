// SPDX-License-Identifier: GPL-3.0-or-later
// WindowActions: what the commands of files, edits, places and runs do, and when they can be done.
#pragma once

#include <QObject>
#include <QString>

namespace tenon::ui {

class CommandSet;
class ProjectDesk;
struct Session;

/// Commands that concern the frame itself (theme, palette, dialogs) are MainWindow's.
class WindowActions final : public QObject {
  Q_OBJECT
 public:
  WindowActions(Session& session, const CommandSet& commands, ProjectDesk& desk,
                QObject* parent = nullptr);

 private:
  void connectFiles();
  void connectEdits();
  void connectPlaces();
  void connectRuns();
  void update();
  void runOrContinue();
  void resumeSelected();
  /// Empty: the selected run can go on.
  [[nodiscard]] QString whyNotResume() const;

  Session& session_;
  const CommandSet& commands_;
  ProjectDesk& desk_;
};

}  // namespace tenon::ui
