// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the desktop asks for dark or light: the settings portal over D-Bus, with its changes.
#pragma once

#include <QDBusConnection>
#include <QDBusVariant>
#include <QObject>
#include <QVariant>

namespace tenon::ui {

class SystemScheme final : public QObject {
  Q_OBJECT
 public:
  enum class Preference { None, Dark, Light };

  /// Asks the portal and waits at most 100 ms; a later answer comes as changed().
  explicit SystemScheme(const QDBusConnection& bus, QObject* parent = nullptr);

  [[nodiscard]] Preference preference() const { return preference_; }
  /// The portal's value: 1 dark, 2 light, else none; variants within variants are opened.
  [[nodiscard]] static Preference fromPortal(const QVariant& value);

 Q_SIGNALS:
  void changed();

 private Q_SLOTS:
  void onSettingChanged(const QString& group, const QString& key, const QDBusVariant& value);

 private:
  void askLater();
  void take(Preference preference);

  QDBusConnection bus_;
  Preference preference_ = Preference::None;
};

}  // namespace tenon::ui
