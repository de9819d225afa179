// SPDX-License-Identifier: GPL-3.0-or-later
// The desktop program: arguments, translations, log, signals, then the shell.
#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QLibraryInfo>
#include <QSettings>
#include <QStandardPaths>
#include <QTranslator>
#include <memory>

#include "app/desktop/crash_report.h"
#include "app/desktop/logging.h"
#include "app/desktop/pseudo_translator.h"
#include "app/desktop/termination.h"
#include "engine/base/log.h"
#include "ui/shell/shell.h"

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

void installTranslations(QApplication& app, const QString& language) {
  if (language == QLatin1String("pseudo")) {
    QCoreApplication::installTranslator(new tenon::PseudoTranslator(&app));
    return;
  }
  const QLocale locale = language.isEmpty() ? QLocale() : QLocale(language);
  const QString ours = QStringLiteral(":/tenon/translations");
  const auto install = [&app](const QLocale& of, const QString& name, const QString& folder) {
    auto* translator = new QTranslator(&app);
    if (translator->load(of, name, QStringLiteral("_"), folder))
      QCoreApplication::installTranslator(translator);
  };
  install(locale, QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
  install(QLocale(QLocale::English), QStringLiteral("tenon"),
          ours);  // plurals of untranslated texts
  install(locale, QStringLiteral("tenon"), ours);
}

}  // namespace

int main(int argc, char** argv) {
  QApplication::setApplicationName(QStringLiteral("Tenon"));
  QApplication::setOrganizationName(QStringLiteral("Tenon"));
  QApplication::setApplicationVersion(QStringLiteral(TENON_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("tenon"));
  QApplication::setHighDpiScaleFactorRoundingPolicy(
      Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
  QApplication app(argc, argv);
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/tenon/tenon.svg")));
  const Arguments arguments = readArguments(app);
  installTranslations(app, arguments.language);

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
