// SPDX-License-Identifier: GPL-3.0-or-later
// A session over a toy project with one recorded step, as the panels of Inspect see it.
#pragma once

#include <QAction>
#include <QHash>
#include <QLabel>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <cstdlib>
#include <memory>

#include "engine/project/project_file.h"
#include "engine/train/trainer.h"
#include "tests/support/idx_files.h"
#include "ui/session/background.h"
#include "ui/session/commands.h"
#include "ui/session/document.h"
#include "ui/session/engine_requests.h"
#include "ui/session/live_check.h"
#include "ui/session/navigation.h"
#include "ui/session/panel_context.h"
#include "ui/session/prompts.h"
#include "ui/session/recent_projects.h"
#include "ui/session/run_controller.h"
#include "ui/session/run_data.h"
#include "ui/settings/user_settings.h"

namespace tenon::ui::testing {

/// Actions made when first asked for.
class PlainCommands final : public Commands {
 public:
  QAction* action(const QString& id) const override {
    auto& made = actions_[id];
    if (!made) made = std::make_shared<QAction>(id);
    return made.get();
  }
  void openProject(const QString&) override {}

 private:
  mutable QHash<QString, std::shared_ptr<QAction>> actions_;
};

/// Shows nothing; answers with the file or text that a test gives, if it gives one, and keeps what
/// was said.
class SilentPrompts final : public Prompts {
 public:
  void confirm(const Question&, std::function<void(bool)>) override {}
  void pickFile(const FileWish& wish, std::function<void(const QString&)> then) override {
    asked = wish;
    if (!answer.isEmpty()) then(answer);
  }
  void askText(const QString&, const QString&, const QString&,
               std::function<void(const QString&)> then) override {
    if (!answer.isEmpty()) then(answer);
  }
  void showError(const QString& title, const QString& text, const QString&) override {
    errors.append(title + QStringLiteral(": ") + text);
  }
  void notice(const QString& text) override { notices.append(text); }

  QString answer;
  FileWish asked;
  QStringList errors;
  QStringList notices;
};

struct InspectSession {
  static constexpr int kLong = 30000;

  tenon::testing::TemporaryFolder folder;
  QSettings store{QString::fromStdString(folder.path("settings.ini")), QSettings::IniFormat};
  UserSettings settings{store};
  Background background{2, "test"};
  Document document{background};
  LiveCheck check{document, background};
  RunController run{document, check};
  EngineRequests requests{run};
  RunData runs{document, run};
  Selection selection;
  Navigation navigation{selection};
  SilentPrompts prompts;
  PlainCommands commands;
  RecentProjects recents{store};
  PanelContext context{document,   check,   run,      requests, runs,    selection,
                       navigation, prompts, commands, recents,  settings};
  qint64 trained = 0;

  /// Trains two steps and records the first.
  void record() {
    setenv("TENON_CACHE", folder.path("cache").c_str(), 1);
    ReadResult read =
        readProject(tenon::testing::writeToyProject(folder.path(), "\"epochs\": 1, "));
    throwIfErrors(read.issues);
    struct Quiet final : TrainSink {
    } sink;
    TrainControl control;
    control.recordNextStep();
    TrainRequest request{read.project, folder.path()};
    request.maxSteps = 2;
    trained = Trainer(request, Store::open(folder.path()), control, sink).run().run;
  }
  bool open() {
    QSignalSpy opened(&document, &Document::opened);
    document.open(QString::fromStdString(folder.path()));
    return opened.wait(kLong) &&
           QTest::qWaitFor([this] { return runs.runs().find(trained) != nullptr; }, kLong);
  }
};

/// A panel's view in a window of its own.
template <class View>
std::unique_ptr<View> shown(PanelContext& context) {
  auto view = std::make_unique<View>(context);
  view->resize(800, 500);
  view->setVisible(true);  // some views have a show() of their own
  if (!QTest::qWaitForWindowExposed(view.get())) qWarning("not exposed");
  return view;
}

/// What the visible labels of a view say.
inline QStringList texts(const QWidget& view) {
  QStringList found;
  for (const QLabel* label : view.findChildren<QLabel*>())
    if (label->isVisible()) found.append(label->text());
  return found;
}

}  // namespace tenon::ui::testing
