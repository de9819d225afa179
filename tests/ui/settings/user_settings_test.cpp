// SPDX-License-Identifier: GPL-3.0-or-later
// User settings: defaults, refusals, what is stored; the dialog's pages make themselves.
#include "ui/settings/user_settings.h"

#include <QComboBox>
#include <QListWidget>
#include <QScrollArea>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "ui/properties/property_form.h"
#include "ui/settings/settings_dialog.h"

namespace tenon::ui {

class UserSettingsTest final : public QObject {
  Q_OBJECT

 private:
  std::unique_ptr<QTemporaryDir> dir_;
  std::unique_ptr<QSettings> store_;

 private Q_SLOTS:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    store_ =
        std::make_unique<QSettings>(dir_->filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
  }
  void cleanup() {
    store_.reset();
    dir_.reset();
  }

  void everySettingSaysWhatItIs() {
    QVERIFY(userSettingsSchema().size() >= 8);
    for (const ParamSpec& spec : userSettingsSchema()) {
      QVERIFY2(!spec.help.empty(), spec.name.c_str());
      QVERIFY2(!spec.label.empty(), spec.name.c_str());
      QVERIFY2(!spec.group.empty(), spec.name.c_str());
    }
  }

  void keepsWhatDiffers() {
    UserSettings settings(*store_);
    QSignalSpy changed(&settings, &UserSettings::changed);
    QCOMPARE(settings.text(setting::kTheme), QStringLiteral("system"));
    QVERIFY(settings.flag(setting::kWheelZooms));
    QVERIFY(settings.set(setting::kTheme, std::string("dark")));
    QVERIFY(settings.set(setting::kWheelZooms, false));
    QVERIFY(settings.set(setting::kRefreshCpu, 4.5));
    QCOMPARE(changed.count(), 3);
    QVERIFY(settings.set(setting::kRefreshCpu, 4.5));
    QCOMPARE(changed.count(), 3);
    QVERIFY(!settings.set(setting::kTheme, std::string("pink")));
    QVERIFY(!settings.set(setting::kRefreshCpu, 1e6));
    QVERIFY(!settings.set(QStringLiteral("nothing"), true));

    UserSettings again(*store_);
    QCOMPARE(again.text(setting::kTheme), QStringLiteral("dark"));
    QVERIFY(!again.flag(setting::kWheelZooms));
    QCOMPARE(again.number(setting::kRefreshCpu), 4.5);
    QCOMPARE(again.chosen().size(), size_t(3));
    again.reset(setting::kTheme);
    QCOMPARE(again.text(setting::kTheme), QStringLiteral("system"));
    QCOMPARE(again.chosen().size(), size_t(2));
  }

  void damagedValuesAreDefaults() {
    store_->setValue(QStringLiteral("settings/theme"), QStringLiteral("garbage"));
    store_->setValue(QStringLiteral("settings/refresh_hz_cpu"), QStringLiteral("-3"));
    const UserSettings settings(*store_);
    QCOMPARE(settings.text(setting::kTheme), QStringLiteral("system"));
    QCOMPARE(settings.number(setting::kRefreshCpu), 2.0);
  }

  /// Words for a person, not those of the file.
  void choicesHaveNames() {
    UserSettings settings(*store_);
    SettingsDialog dialog(settings, {});
    const QComboBox* theme = nullptr;
    for (const PropertyForm* form : dialog.findChildren<PropertyForm*>())
      if (form->editor(setting::kTheme))
        theme = qobject_cast<QComboBox*>(form->editor(setting::kTheme)->focusTarget());
    QVERIFY(theme);
    QStringList names;
    for (int i = 0; i < theme->count(); ++i) names.append(theme->itemText(i));
    QCOMPARE(names.join(u','), QStringLiteral("As the desktop,Dark,Light"));
    QCOMPARE(theme->currentText(), QStringLiteral("As the desktop"));
    settings.set(setting::kTheme, std::string("light"));
    QCOMPARE(theme->currentText(), QStringLiteral("Light"));
  }

  void pagesThatScrollTakeNoFocus() {
    UserSettings settings(*store_);
    SettingsDialog dialog(settings, {});
    const auto areas = dialog.findChildren<QScrollArea*>();
    QVERIFY(areas.size() >= 5);
    for (const QScrollArea* area : areas) QCOMPARE(area->focusPolicy(), Qt::NoFocus);
  }

  void dialogEditsAtOnce() {
    UserSettings settings(*store_);
    SettingsDialog dialog(settings, {});
    auto* list = dialog.findChild<QListWidget*>();
    QVERIFY(list->count() >= 5);
    PropertyForm* look = nullptr;
    for (PropertyForm* form : dialog.findChildren<PropertyForm*>())
      if (form->editor(setting::kTheme)) look = form;
    QVERIFY(look);
    Q_EMIT look->changed(setting::kTheme, ParamValue(std::string("light")));
    QCOMPARE(settings.text(setting::kTheme), QStringLiteral("light"));
    QCOMPARE(look->value(setting::kTheme), ParamValue(std::string("light")));
    Q_EMIT look->changed(setting::kTheme, std::nullopt);
    QCOMPARE(settings.text(setting::kTheme), QStringLiteral("system"));
    dialog.addPage(QStringLiteral("Extra"), QStringLiteral("list"), new QWidget);
    dialog.showPage(QStringLiteral("Extra"));
    QCOMPARE(list->currentItem()->text(), QStringLiteral("Extra"));
  }
};

}  // namespace tenon::ui

QTEST_MAIN(tenon::ui::UserSettingsTest)
#include "user_settings_test.moc"
