// SPDX-License-Identifier: GPL-3.0-or-later
// Names, scaling, languages.
#include "app/desktop/application.h"

#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include "app/desktop/pseudo_translator.h"

namespace tenon {

void nameApplication() {
  QApplication::setApplicationName(QStringLiteral("Tenon"));
  QApplication::setOrganizationName(QStringLiteral("Tenon"));
  QApplication::setApplicationVersion(QStringLiteral(TENON_VERSION));
  QApplication::setDesktopFileName(QStringLiteral("tenon"));
  QApplication::setHighDpiScaleFactorRoundingPolicy(
      Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
}

void installTranslations(QApplication& app, const QString& language) {
  if (language == QLatin1String("pseudo")) {
    QCoreApplication::installTranslator(new PseudoTranslator(&app));
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

}  // namespace tenon
