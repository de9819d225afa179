// SPDX-License-Identifier: GPL-3.0-or-later
// Calls to org.freedesktop.Notifications and org.freedesktop.login1; never waited for.
#include "ui/shell/desktop.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QVariantMap>

namespace tenon::ui {

void sendDesktopNotice(const QString& title, const QString& text) {
  QDBusMessage call = QDBusMessage::createMethodCall(
      QStringLiteral("org.freedesktop.Notifications"),
      QStringLiteral("/org/freedesktop/Notifications"),
      QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
  const QVariantMap hints = {{QStringLiteral("desktop-entry"), QStringLiteral("tenon")}};
  call << QStringLiteral("Tenon") << uint(0) << QStringLiteral("tenon") << title << text
       << QStringList() << hints << int(-1);
  const QDBusConnection bus = QDBusConnection::sessionBus();
  if (bus.isConnected()) bus.send(call);
}

SuspendGuard::SuspendGuard(QObject* parent) : QObject(parent) {}

void SuspendGuard::hold(const QString& reason) {
  if (wanted_) return;
  wanted_ = true;
  const QDBusConnection bus = QDBusConnection::systemBus();
  if (!bus.isConnected()) return;
  QDBusMessage call = QDBusMessage::createMethodCall(
      QStringLiteral("org.freedesktop.login1"), QStringLiteral("/org/freedesktop/login1"),
      QStringLiteral("org.freedesktop.login1.Manager"), QStringLiteral("Inhibit"));
  call << QStringLiteral("sleep") << QStringLiteral("Tenon") << reason << QStringLiteral("block");
  auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
    const QDBusPendingReply<QDBusUnixFileDescriptor> reply = *watcher;
    if (!reply.isError() && wanted_) inhibitor_ = reply.value();
    watcher->deleteLater();
  });
}

void SuspendGuard::release() {
  wanted_ = false;
  inhibitor_ = QDBusUnixFileDescriptor();
}

}  // namespace tenon::ui
