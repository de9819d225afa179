// SPDX-License-Identifier: GPL-3.0-or-later
// Sinks of the process's log.
#include "app/desktop/logging.h"

#include <QDir>
#include <QMessageLogContext>

#include "engine/base/environment.h"
#include "engine/base/log.h"

namespace tenon {
namespace {

constexpr size_t kLinesInMemory = 2000;

const FlagVariable kLogOnStderr("TENON_LOG_STDERR");

void onQtMessage(QtMsgType type, const QMessageLogContext&, const QString& text) {
  const std::string line = text.toStdString();
  switch (type) {
    case QtDebugMsg:
      logDebug("qt", line);
      break;
    case QtInfoMsg:
      logInfo("qt", line);
      break;
    case QtWarningMsg:
      logWarning("qt", line);
      break;
    case QtCriticalMsg:
    case QtFatalMsg:
      logError("qt", line);
      break;
  }
}

}  // namespace

ui::LogPlace startLogging(const QString& folder) {
  QDir().mkpath(folder);
  const QString file = QDir(folder).filePath(QStringLiteral("tenon.log"));
  RotatingFileLogSink::Options options;
  options.path = file.toStdString();
  auto recent = std::make_shared<RecentLogSink>(kLinesInMemory);
  processLog().attach(std::make_shared<RotatingFileLogSink>(options));
  processLog().attach(recent);
  if (kLogOnStderr.value()) processLog().attach(std::make_shared<StderrLogSink>());
  qInstallMessageHandler(&onQtMessage);
  return {file, recent};
}

}  // namespace tenon
