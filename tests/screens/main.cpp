// SPDX-License-Identifier: GPL-3.0-or-later
// Program tenon_screens: jobs at the real window. Start it through with_display.sh.
#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QIcon>
#include <QMap>
#include <functional>

#include "app/desktop/application.h"
#include "tests/screens/checks_job.h"
#include "tests/screens/endings_job.h"
#include "tests/screens/journal.h"
#include "tests/screens/main_job.h"
#include "tests/screens/pictures.h"
#include "tests/screens/projects.h"
#include "tests/screens/stage.h"
#include "tests/screens/walk.h"

namespace tenon::screens {
namespace {

/// What was asked for on the command line.
struct Order {
  QString job;
  QString out;
  QString language;
};

Order readOrder(const QApplication& app) {
  QCommandLineParser parser;
  parser.addHelpOption();
  const QCommandLineOption out(QStringLiteral("out"), QStringLiteral("Folder for pictures."),
                               QStringLiteral("folder"), QStringLiteral("."));
  const QCommandLineOption language(QStringLiteral("lang"), QStringLiteral("'pseudo' or nothing."),
                                    QStringLiteral("code"));
  parser.addOptions({out, language});
  parser.addPositionalArgument(
      QStringLiteral("job"),
      QStringLiteral("main-job, first-start, endings, checks, walk or pictures"));
  parser.process(app);
  return {parser.positionalArguments().value(0), parser.value(out), parser.value(language)};
}

/// What lies below a folder, by path; hidden files too, so that a lock left there shows.
QMap<QString, QByteArray> contentOf(const QString& folder) {
  QMap<QString, QByteArray> content;
  QDirIterator all(folder, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                   QDirIterator::Subdirectories);
  while (all.hasNext()) {
    QFile file(all.next());
    const bool read = all.fileInfo().isFile() && file.open(QIODevice::ReadOnly);
    content.insert(all.filePath(), read ? file.readAll() : QByteArray());
  }
  return content;
}

/// Opens the window for a job; if that fails, the screen is kept as it stands then.
int onStage(QApplication& app, const Order& order, const QString& project,
            const std::function<int(Stage&)>& job) {
  Stage stage(app, {project, order.language, QString()});
  try {
    return job(stage);
  } catch (const Failed&) {
    const QString picture = QDir(order.out).filePath(QStringLiteral("failed.png"));
    keepPicture(picture);
    note(QStringLiteral("the screen is in %1").arg(picture));
    throw;
  }
}

/// As `./dev run` does it: the shipped sample is given by its path, in the tree of this build, and
/// stays as it is.
int doMainJobAsDevRun(QApplication& app, const Order& order) {
  const QDir shipped(qEnvironmentVariable("TENON_PROJECTS"));
  const QString sample =
      QFileInfo(shipped.filePath(QStringLiteral("fashion-mnist"))).canonicalFilePath();
  require(!sample.isEmpty(), QStringLiteral("no sample in TENON_PROJECTS"));
  qunsetenv("TENON_PROJECTS");
  const QMap<QString, QByteArray> before = contentOf(sample);
  const int code = onStage(app, order, sample, [](Stage& stage) {
    doMainJob(stage);
    return 0;
  });
  require(contentOf(sample) == before,
          QStringLiteral("the shipped sample in %1 was written to").arg(sample));
  return code;
}

int doJob(QApplication& app, const Order& order) {
  // Runs, settings and copies of samples go into the home folder: never into a person's own.
  const QString home = qEnvironmentVariable("HOME");
  require(!home.isEmpty() && home == qEnvironmentVariable("TENON_SCREENS_HOME"),
          QStringLiteral("start this through tests/screens/with_display.sh"));
  require(QDir().mkpath(order.out), QStringLiteral("cannot make %1").arg(order.out));
  if (order.job == QLatin1String("checks")) {
    checkTheChecks();
    return 0;
  }
  if (order.job == QLatin1String("main-job")) return doMainJobAsDevRun(app, order);
  if (order.job == QLatin1String("first-start")) {
    return onStage(app, order, {}, [](Stage& stage) {
      doFirstStart(stage);
      return 0;
    });
  }
  if (order.job == QLatin1String("endings")) {
    endAndBeginAgain(app, writeSmallProject(home));
    return 0;
  }
  if (order.job == QLatin1String("walk")) {
    const bool pseudo = order.language == QLatin1String("pseudo");
    return onStage(app, order, writeSmallProject(home),
                   [pseudo](Stage& stage) { return walk(stage, pseudo) == 0 ? 0 : 1; });
  }
  if (order.job == QLatin1String("pictures")) {
    return onStage(app, order, writeSmallProject(home), [&order](Stage& stage) {
      takePictures(stage, order.out);
      return 0;
    });
  }
  throw Failed(QStringLiteral("no job '%1'").arg(order.job));
}

}  // namespace
}  // namespace tenon::screens

int main(int argc, char** argv) {
  using namespace tenon::screens;
  (void)secondsSinceStart();
  tenon::nameApplication();
  QApplication app(argc, argv);
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/tenon/tenon.svg")));
  const Order order = readOrder(app);
  try {
    return doJob(app, order);
  } catch (const std::exception& failure) {
    note(QStringLiteral("FAILED: %1").arg(QString::fromUtf8(failure.what())));
    return 1;
  }
}
