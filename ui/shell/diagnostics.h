// SPDX-License-Identifier: GPL-3.0-or-later
// What the program says about itself: version, machine, licences, log.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <memory>

class QWidget;

namespace tenon {
class RecentLogSink;
}

namespace tenon::ui {

class Background;

/// Where the log is.
struct LogPlace {
  QString file;  ///< the rotating log file
  std::shared_ptr<const RecentLogSink> recent;
};

/// Version, system, Qt, screens and devices, a line each. Opens drivers: not on the GUI thread.
[[nodiscard]] QStringList machineFacts(const QStringList& screens);
/// A line for each screen: "1920x1080 at 150 %". GUI thread.
[[nodiscard]] QStringList screenFacts();

/// Puts version, machine and the newest log lines on the clipboard, then calls `done`.
void copyDiagnostics(Background& background, const LogPlace& log, QWidget* window,
                     std::function<void()> done);
void showAbout(Background& background, QWidget* window);
void showLog(const LogPlace& log, QWidget* window);

}  // namespace tenon::ui
