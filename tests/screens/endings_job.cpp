// SPDX-License-Identifier: GPL-3.0-or-later
// Kills the program and looks at what is left.
#include "tests/screens/endings_job.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QPushButton>
#include <QStandardPaths>
#include <csignal>
#include <memory>
#include <optional>

#include "app/desktop/crash_report.h"
#include "engine/base/error.h"
#include "engine/project/project_file.h"
#include "engine/store/checkpoints.h"
#include "engine/store/runs.h"
#include "engine/store/store.h"
#include "tests/screens/act.h"
#include "tests/screens/journal.h"
#include "tests/screens/stage.h"
#include "ui/shell/main_window.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/session.h"

namespace tenon::screens {
namespace {

constexpr int kStartMs = 30'000;
constexpr int kEndMs = 30'000;
constexpr int kAgainMs = 3000;

/// bin/tenon in a process of its own, its window in front.
class Program {
 public:
  explicit Program(const QString& project) {
    process_.setProcessChannelMode(QProcess::ForwardedChannels);
    process_.start(QCoreApplication::applicationDirPath() + QStringLiteral("/tenon"), {project});
    await(QStringLiteral("the program shows its window"), kStartMs, [this] {
      require(process_.state() != QProcess::NotRunning, QStringLiteral("the program ended"));
      return hasWindow();
    });
  }
  ~Program() {
    if (process_.state() != QProcess::NotRunning) process_.kill();
    process_.waitForFinished();
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] qint64 id() const { return process_.processId(); }
  /// Sends the signal and waits for the end.
  void end(int signal) {
    require(::kill(static_cast<pid_t>(process_.processId()), signal) == 0,
            QStringLiteral("the signal cannot be sent"));
    await(QStringLiteral("the program ends after signal %1").arg(signal), kEndMs,
          [this] { return process_.state() == QProcess::NotRunning; });
  }
  [[nodiscard]] bool endedInOrder() const {
    return process_.exitStatus() == QProcess::NormalExit && process_.exitCode() == 0;
  }
  /// The signal it died of, if it did (QProcess tells it as the exit code then).
  [[nodiscard]] int signal() const {
    return process_.exitStatus() == QProcess::CrashExit ? process_.exitCode() : 0;
  }

 private:
  [[nodiscard]] bool hasWindow() const {
    QProcess search;
    search.start(QStringLiteral("xdotool"),
                 {QStringLiteral("search"), QStringLiteral("--onlyvisible"),
                  QStringLiteral("--pid"), QString::number(process_.processId())});
    search.waitForFinished();
    return search.exitCode() == 0 && !search.readAllStandardOutput().trimmed().isEmpty();
  }

  QProcess process_;
};

QString dataFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation);
}

QStringList reportsIn(const QString& folder, const char* pattern) {
  return QDir(folder).entryList({QLatin1String(pattern)}, QDir::Files, QDir::Name);
}

/// The newest run as the store has it; nothing while there is none.
std::optional<RunInfo> newestRun(const QString& folder) {
  try {
    const std::vector<RunInfo> runs =
        Store::open(folder.toStdString(), OpenMode::ReadOnly)->runs().list(1);
    return runs.empty() ? std::nullopt : std::optional(runs.front());
  } catch (const Error&) {  // not written yet
    return std::nullopt;
  }
}

/// So that a training of it is still going when it is ended.
void makeLong(const QString& folder) {
  ReadResult read = readProject(folder.toStdString());
  throwIfErrors(read.issues);
  TrainSpec train = *read.project.train;
  train.epochs = 100'000;
  read.project.train = std::make_shared<const TrainSpec>(train);
  writeProject(folder.toStdString(), read.project);
}

/// SIGTERM in a training: no question, a checkpoint, exit code 0.
void endInATraining(const QString& folder) {
  makeLong(folder);
  Program program(folder);
  QElapsedTimer pressed;
  await(QStringLiteral("the training has begun"), kStartMs, [&] {
    const auto run = newestRun(folder);
    // A key that came before the project was open did nothing.
    if (!run && (!pressed.isValid() || pressed.hasExpired(kAgainMs))) {
      press(QStringLiteral("F5"));
      pressed.start();
    }
    return run && run->step > 2;
  });
  program.end(SIGTERM);
  require(program.endedInOrder(), QStringLiteral("SIGTERM does not end the program in order"));
  const auto run = newestRun(folder);
  require(run && run->status == RunStatus::Stopped,
          QStringLiteral("the run is not Stopped in the store"));
  const auto kept =
      Store::open(folder.toStdString(), OpenMode::ReadOnly)->checkpoints().list(run->id);
  require(!kept.empty() && kept.back().step == run->step,
          QStringLiteral("the end left no checkpoint of the last step"));
  note(QStringLiteral("SIGTERM at step %1: stopped with a checkpoint").arg(run->step));
  require(reportsIn(dataFolder() + QStringLiteral("/crashes"), "*crash-*").isEmpty(),
          QStringLiteral("an end in order left a crash report"));
}

/// A crash leaves a report that names the signal and the places in the program.
QString crash(const QString& folder) {
  const QString crashes = dataFolder() + QStringLiteral("/crashes");
  Program program(folder);
  const qint64 id = program.id();
  program.end(SIGSEGV);
  require(
      program.signal() == SIGSEGV,
      QStringLiteral("the program did not die of the signal but with %1").arg(program.signal()));
  const QStringList reports = reportsIn(crashes, "crash-*.txt");
  require(reports.size() == 1, QStringLiteral("%1 crash reports").arg(reports.size()));
  require(reports[0].contains(QString::number(id)), QStringLiteral("the report is of another"));
  QFile file(QDir(crashes).filePath(reports[0]));
  require(file.open(QIODevice::ReadOnly), QStringLiteral("the report cannot be read"));
  const QString text = QString::fromUtf8(file.readAll());
  require(text.startsWith(QLatin1String("Tenon ")) &&
              text.section(u'\n', 0, 0).contains(QLatin1String("segmentation fault")),
          QStringLiteral("the report does not say what happened: ") + text);
  require(text.contains(QLatin1String("bin/tenon")) && text.count(u'\n') > 5,
          QStringLiteral("the report has no backtrace: ") + text);
  note(QStringLiteral("SIGSEGV left a report of %1 lines").arg(text.count(u'\n')));
  return text;
}

/// The start after a crash tells of the report, once.
void beginAgain(QApplication& app, const QString& folder, const QString& report) {
  const QString crashes = dataFolder() + QStringLiteral("/crashes");
  const QString seen = newestCrashReport(crashes);
  require(!seen.isEmpty(), QStringLiteral("the next start does not find the report"));
  require(newestCrashReport(crashes).isEmpty(), QStringLiteral("the report is offered twice"));
  Stage stage(app, {folder, QString(), seen});
  stage.awaitProject();
  auto* bar = stage.window().findChild<ui::NoticeBar*>();
  require(bar && bar->isVisible() && bar->isShowing(QStringLiteral("crash")),
          QStringLiteral("the window does not tell of the crash"));
  for (QPushButton* button : bar->findChildren<QPushButton*>())
    if (button->isVisible() && button->text() == ui::NoticeBar::tr("Copy report")) click(*button);
  await(QStringLiteral("Copy report copies it"), 5000,
        [&report] { return QApplication::clipboard()->text() == report; });
  require(bar->isShowing(QStringLiteral("crash")), QStringLiteral("copying closes the notice"));
}

}  // namespace

void endAndBeginAgain(QApplication& app, const QString& folder) {
  endInATraining(folder);
  const QString report = crash(folder);
  {
    // The real next start takes the report, too; it is put back for the window of this process.
    Program next(folder);
    const QDir crashes(dataFolder() + QStringLiteral("/crashes"));
    const QStringList seen = reportsIn(crashes.path(), "seen-crash-*.txt");
    require(seen.size() == 1 && reportsIn(crashes.path(), "crash-*.txt").isEmpty(),
            QStringLiteral("the next start did not take the report"));
    next.end(SIGTERM);
    require(next.endedInOrder(), QStringLiteral("SIGTERM does not end an idle program in order"));
    require(QFile::rename(crashes.filePath(seen[0]), crashes.filePath(seen[0].mid(5))),
            QStringLiteral("the report cannot be put back"));
  }
  beginAgain(app, folder, report);
}

}  // namespace tenon::screens
