// SPDX-License-Identifier: GPL-3.0-or-later
// Reads org.freedesktop.appearance color-scheme (XDG Desktop Portal, Settings).
#include "ui/widgets/system_scheme.h"

#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>

namespace tenon::ui {
namespace {

constexpr int kPatienceMs = 100;
const QLatin1String kService("org.freedesktop.portal.Desktop");
const QLatin1String kPath("/org/freedesktop/portal/desktop");
const QLatin1String kInterface("org.freedesktop.portal.Settings");
const QLatin1String kGroup("org.freedesktop.appearance");
const QLatin1String kKey("color-scheme");

QDBusMessage question() {
  QDBusMessage message = QDBusMessage::createMethodCall(kService, kPath, kInterface, "Read");
  message << QString(kGroup) << QString(kKey);
  return message;
}

}  // namespace

SystemScheme::SystemScheme(const QDBusConnection& bus, QObject* parent)
    : QObject(parent), bus_(bus) {
  if (!bus_.isConnected()) return;
  bus_.connect(kService, kPath, kInterface, "SettingChanged", this,
               SLOT(onSettingChanged(QString, QString, QDBusVariant)));
  const QDBusMessage answer = bus_.call(question(), QDBus::Block, kPatienceMs);
  if (answer.type() == QDBusMessage::ReplyMessage && !answer.arguments().isEmpty()) {
    preference_ = fromPortal(answer.arguments().constFirst());
  } else if (answer.errorName() == QLatin1String("org.freedesktop.DBus.Error.NoReply")) {
    askLater();
  }
}

SystemScheme::Preference SystemScheme::fromPortal(const QVariant& value) {
  QVariant inner = value;
  while (inner.canConvert<QDBusVariant>()) inner = inner.value<QDBusVariant>().variant();
  switch (inner.toUInt()) {
    case 1:
      return Preference::Dark;
    case 2:
      return Preference::Light;
    default:
      return Preference::None;
  }
}

void SystemScheme::askLater() {
  auto* watcher = new QDBusPendingCallWatcher(bus_.asyncCall(question()), this);
  connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
    const QDBusPendingReply<QDBusVariant> reply = *watcher;
    if (!reply.isError()) take(fromPortal(QVariant::fromValue(reply.value())));
    watcher->deleteLater();
  });
}

void SystemScheme::onSettingChanged(const QString& group, const QString& key,
                                    const QDBusVariant& value) {
  if (group == kGroup && key == kKey) take(fromPortal(QVariant::fromValue(value)));
}

void SystemScheme::take(Preference preference) {
  if (preference == preference_) return;
  preference_ = preference;
  Q_EMIT changed();
}

}  // namespace tenon::ui
