// SPDX-License-Identifier: GPL-3.0-or-later
// ProjectDesk: which project this window has: opening, samples, copies, one window a project.
#pragma once

#include <QObject>
#include <QString>
#include <functional>

#include "engine/base/error.h"
#include "ui/shell/single_instance.h"

namespace tenon::ui {

class ShellPrompts;
struct Session;

class ProjectDesk final : public QObject {
  Q_OBJECT
 public:
  ProjectDesk(Session& session, ShellPrompts& prompts, QObject* parent = nullptr);

  /// Opens a project folder or file here; of a shipped sample the person's copy. During a run it
  /// opens in a window of its own; if another window has it that one is raised. Asks about unsaved
  /// edits first.
  void open(const QString& path);
  /// Asks for a folder, then open().
  void askAndOpen();
  /// Copies the sample into the person's projects folder and opens the copy.
  void openSample();
  /// Asks for a place, copies the project there without its runs and opens the copy.
  void duplicate();
  /// Reads the project file again; asks first if that loses unsaved edits.
  void reload();
  /// Asks to save, discard or cancel if there are unsaved edits; `then` unless cancelled.
  void settleEdits(std::function<void()> then);

 Q_SIGNALS:
  /// The project in `folder` is open in another window, which was raised.
  void openElsewhere(const QString& folder);
  /// Another start asks for this window.
  void raiseRequested();
  /// The person's copy of a sample is open, ready to run.
  void sampleOpened();

 private:
  void openShipped(const QString& sample);
  void openOwn(const QString& path);
  bool openBeside(const QString& path) const;
  void openHere(const QString& path);
  void saveThen(const std::function<void()>& then);
  void copyAndOpen(const QString& folder, const QString& parent, bool sample);
  void explainFailure(const QString& path, const QString& reason, const Issues& issues);

  Session& session_;
  ShellPrompts& prompts_;
  SingleInstance instance_;
  QString sampleCopy_;
};

}  // namespace tenon::ui
