// SPDX-License-Identifier: GPL-3.0-or-later
// What the desktop can do for us over D-Bus: notices, and staying awake during a run. Where it
// cannot, nothing happens.
#pragma once

#include <QDBusUnixFileDescriptor>
#include <QObject>
#include <QString>

namespace tenon::ui {

/// Shows a desktop notice.
void sendDesktopNotice(const QString& title, const QString& text);

/// Keeps the computer from suspending while held.
class SuspendGuard final : public QObject {
  Q_OBJECT
 public:
  explicit SuspendGuard(QObject* parent = nullptr);
  void hold(const QString& reason);
  void release();
  [[nodiscard]] bool isHeld() const { return wanted_; }

 private:
  bool wanted_ = false;
  QDBusUnixFileDescriptor inhibitor_;  ///< the lock lasts as long as this is open
};

}  // namespace tenon::ui
