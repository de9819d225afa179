// SPDX-License-Identifier: GPL-3.0-or-later
// The desktop program: arguments, translations, log, signals, then the shell.
#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QSettings>
#include <QStandardPaths>

#include "app/desktop/application.h"
#include "app/desktop/crash_report.h"
#include "app/desktop/logging.h"
#include "app/desktop/termination.h"
#include "engine/base/log.h"
#include "ui/shell/shell.h"
#include "ui/shell/start_refusal.h"

namespace {

/// What was asked for on the command line.
struct Arguments {
  QString project;
  QString language;
};

Arguments readArguments(const QApplication& app) {
  QCommandLineParser parser;
  parser.setApplicationDescription(
      QApplication::translate("Main", "Train neural networks and watch them learn."));
  parser.addHelpOption();
  parser.addVersionOption();
  const QCommandLineOption language(
      QStringLiteral("lang"),
      QApplication::translate("Main", "Language of the texts; 'pseudo' marks each of them."),
      QStringLiteral("code"));
  parser.addOption(language);
  parser.addPositionalArgument(QStringLiteral("project"),
                               QApplication::translate("Main", "Project folder or file."),
                               QStringLiteral("[project]"));
  parser.process(app);
  return {parser.positionalArguments().value(0), parser.value(language)};
}

}  // namespace

int main(int argc, char** argv) {
  tenon::nameApplication();
  QApplication app(argc, argv);
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/tenon/tenon.svg")));
  const Arguments arguments = readArguments(app);
  tenon::installTranslations(app, arguments.language);
  if (const QString bad = tenon::ui::badEnvironment(); !bad.isEmpty())
    return tenon::ui::refuseStart(bad);

  const QString data = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation);
  const tenon::ui::LogPlace log = tenon::startLogging(data + QStringLiteral("/logs"));
  const QString crash = tenon::newestCrashReport(data + QStringLiteral("/crashes"));
  tenon::watchForCrashes(data + QStringLiteral("/crashes"));
  tenon::logInfo("desktop", "Tenon " TENON_VERSION " started");

  QSettings store;
  tenon::ui::Shell shell(app, store, {arguments.project, data, crash, log});
  tenon::Termination termination;
  QObject::connect(&termination, &tenon::Termination::requested, &shell,
                   &tenon::ui::Shell::quitAtOnce);
  shell.begin();
  const int result = QApplication::exec();
  tenon::logInfo("desktop", "ended");
  return result;
}
