// SPDX-License-Identifier: GPL-3.0-or-later
// UserSettings: the person's habits by key, with defaults and help from one schema.
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "engine/schema/param_schema.h"

class QSettings;

namespace tenon::ui {

/// Keys of settings. A key is the name of a parameter of userSettingsSchema().
namespace setting {
inline constexpr const char* kTheme = "theme";                     ///< "system", "dark", "light"
inline constexpr const char* kProjectsFolder = "projects_folder";  ///< where samples are copied to
inline constexpr const char* kWheelZooms = "wheel_zooms";     ///< canvas: wheel zooms, else scrolls
inline constexpr const char* kRefreshCpu = "refresh_hz_cpu";  ///< live plots while the CPU trains
inline constexpr const char* kRefreshGpu = "refresh_hz_gpu";
inline constexpr const char* kNotify = "notify";  ///< desktop notice when a run ends
inline constexpr const char* kInhibitSuspend = "inhibit_suspend";  ///< no suspend during a run
inline constexpr const char* kSmoothing = "plot_smoothing";        ///< 0..1, of new plots
}  // namespace setting

/// All settings with type, default, range, label and help; groups are the dialog's pages.
[[nodiscard]] const ParamSchema& userSettingsSchema();

/// What a choice of a setting is called ("As the desktop"); nothing where its own word will do.
[[nodiscard]] QString settingChoiceName(const QString& key, const QString& choice);

class UserSettings final : public QObject {
  Q_OBJECT
 public:
  /// `store` must outlive this.
  explicit UserSettings(QSettings& store, QObject* parent = nullptr);

  /// The value in force: what the person chose, or the default.
  [[nodiscard]] ParamValue value(const QString& key) const;
  [[nodiscard]] bool flag(const QString& key) const;
  [[nodiscard]] double number(const QString& key) const;
  [[nodiscard]] QString text(const QString& key) const;
  /// Values that differ from their default.
  [[nodiscard]] ParamMap chosen() const;
  /// Sets one; a value that the schema refuses is ignored and false comes back.
  bool set(const QString& key, const ParamValue& value);
  void reset(const QString& key);

 Q_SIGNALS:
  void changed(const QString& key);

 private:
  QSettings& store_;
};

}  // namespace tenon::ui
