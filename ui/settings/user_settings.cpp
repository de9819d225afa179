// SPDX-License-Identifier: GPL-3.0-or-later
// The table of settings and their values in QSettings.
#include "ui/settings/user_settings.h"

#include <QDir>
#include <QSettings>
#include <QVariant>

#include "engine/schema/validate.h"

namespace tenon::ui {
namespace {

constexpr const char* kLook = QT_TRANSLATE_NOOP("Engine", "Look");
constexpr const char* kProjects = QT_TRANSLATE_NOOP("Engine", "Projects");
constexpr const char* kCanvas = QT_TRANSLATE_NOOP("Engine", "Canvas");
constexpr const char* kPlots = QT_TRANSLATE_NOOP("Engine", "Plots");
constexpr const char* kTraining = QT_TRANSLATE_NOOP("Engine", "Training");

std::vector<ParamSpec> lookSettings() {
  std::vector<ParamSpec> specs;
  specs.push_back(choiceParam(setting::kTheme, "system", {"system", "dark", "light"})
                      .called(TENON_TEXT("Theme"))
                      .inGroup(kLook)
                      .describe(TENON_TEXT("Dark or light colours, or as the desktop is set")));
  specs.push_back(pathParam(setting::kProjectsFolder, QDir::home().filePath("Tenon").toStdString())
                      .called(TENON_TEXT("Projects folder"))
                      .inGroup(kProjects)
                      .describe(TENON_TEXT("Where samples are copied to and new projects begin")));
  return specs;
}

std::vector<ParamSpec> workSettings() {
  std::vector<ParamSpec> specs;
  specs.push_back(boolParam(setting::kWheelZooms, true)
                      .called(TENON_TEXT("Wheel zooms"))
                      .inGroup(kCanvas)
                      .describe(TENON_TEXT("The wheel zooms at the pointer; off: it scrolls")));
  specs.push_back(floatParam(setting::kRefreshCpu, 2)
                      .called(TENON_TEXT("Live refresh on the CPU"))
                      .inGroup(kPlots)
                      .range(0.2, 20)
                      .inUnit("Hz")
                      .describe(TENON_TEXT("How often live plots redraw while the CPU trains")));
  specs.push_back(floatParam(setting::kRefreshGpu, 10)
                      .called(TENON_TEXT("Live refresh on a GPU"))
                      .inGroup(kPlots)
                      .range(0.2, 30)
                      .inUnit("Hz")
                      .describe(TENON_TEXT("How often live plots redraw while a GPU trains")));
  specs.push_back(floatParam(setting::kSmoothing, 0.6)
                      .called(TENON_TEXT("Smoothing"))
                      .inGroup(kPlots)
                      .range(0, 0.999)
                      .describe(TENON_TEXT("Smoothing of new plots: 0 is none")));
  specs.push_back(boolParam(setting::kNotify, true)
                      .called(TENON_TEXT("Notices"))
                      .inGroup(kTraining)
                      .describe(TENON_TEXT("A desktop notice when a training ends or fails")));
  specs.push_back(boolParam(setting::kInhibitSuspend, true)
                      .called(TENON_TEXT("Stay awake"))
                      .inGroup(kTraining)
                      .describe(TENON_TEXT("The computer does not suspend while training")));
  return specs;
}

ParamSchema makeSchema() {
  std::vector<ParamSpec> specs = lookSettings();
  for (ParamSpec& spec : workSettings()) specs.push_back(std::move(spec));
  return ParamSchema(std::move(specs));
}

QString storeKey(const QString& key) { return QStringLiteral("settings/") + key; }

}  // namespace

const ParamSchema& userSettingsSchema() {
  static const ParamSchema schema = makeSchema();
  return schema;
}

QString settingChoiceName(const QString& key, const QString& choice) {
  if (key != QLatin1String(setting::kTheme)) return {};
  if (choice == QLatin1String("system")) return UserSettings::tr("As the desktop");
  if (choice == QLatin1String("dark")) return UserSettings::tr("Dark");
  return choice == QLatin1String("light") ? UserSettings::tr("Light") : QString();
}

UserSettings::UserSettings(QSettings& store, QObject* parent) : QObject(parent), store_(store) {}

ParamValue UserSettings::value(const QString& key) const {
  const ParamSpec* spec = userSettingsSchema().find(key.toStdString());
  if (!spec) return {};
  const QVariant kept = store_.value(storeKey(key));
  if (kept.isValid()) {
    const ParamCheck check = parseParam(*spec, kept.toString().toStdString());
    if (check.value) return *check.value;
  }
  return spec->defaultValue;
}

bool UserSettings::flag(const QString& key) const {
  const ParamValue kept = value(key);
  const bool* flag = std::get_if<bool>(&kept);
  return flag && *flag;
}

double UserSettings::number(const QString& key) const {
  const ParamValue kept = value(key);
  if (const auto* whole = std::get_if<int64_t>(&kept)) return static_cast<double>(*whole);
  const double* number = std::get_if<double>(&kept);
  return number ? *number : 0;
}

QString UserSettings::text(const QString& key) const {
  const ParamValue kept = value(key);
  const auto* text = std::get_if<std::string>(&kept);
  return text ? QString::fromStdString(*text) : QString();
}

ParamMap UserSettings::chosen() const {
  ParamMap map;
  for (const ParamSpec& spec : userSettingsSchema()) {
    ParamValue kept = value(QString::fromStdString(spec.name));
    if (!sameValue(kept, spec.defaultValue)) map.set(spec.name, std::move(kept));
  }
  return map;
}

bool UserSettings::set(const QString& key, const ParamValue& value) {
  const ParamSpec* spec = userSettingsSchema().find(key.toStdString());
  if (!spec) return false;
  const ParamCheck check = checkParam(*spec, value);
  if (!check.value) return false;
  if (sameValue(*check.value, this->value(key))) return true;
  if (sameValue(*check.value, spec->defaultValue)) {
    store_.remove(storeKey(key));
  } else {
    store_.setValue(storeKey(key), QString::fromStdString(valueText(*check.value)));
  }
  Q_EMIT changed(key);
  return true;
}

void UserSettings::reset(const QString& key) {
  const ParamSpec* spec = userSettingsSchema().find(key.toStdString());
  if (spec) set(key, spec->defaultValue);
}

}  // namespace tenon::ui
