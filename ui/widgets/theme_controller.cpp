// SPDX-License-Identifier: GPL-3.0-or-later
// Applies a theme to the running application and follows the desktop.
#include <QApplication>
#include <QDBusConnection>
#include <QGuiApplication>
#include <QToolTip>
#include <QWidget>

#include "ui/widgets/system_scheme.h"
#include "ui/widgets/tenon_style.h"
#include "ui/widgets/theme.h"

namespace tenon::ui {
namespace {

Theme::Kind wantedKind(ThemeController::Choice choice, const SystemScheme* system,
                       const QPalette& platform) {
  if (choice == ThemeController::Choice::Dark) return Theme::Kind::Dark;
  if (choice == ThemeController::Choice::Light) return Theme::Kind::Light;
  const auto preference = system ? system->preference() : SystemScheme::Preference::None;
  if (preference == SystemScheme::Preference::Dark) return Theme::Kind::Dark;
  if (preference == SystemScheme::Preference::Light) return Theme::Kind::Light;
  return platform.color(QPalette::Window).lightness() < 128 ? Theme::Kind::Dark
                                                            : Theme::Kind::Light;
}

}  // namespace

ThemeController::ThemeController(QApplication& /*app*/, Choice choice, QObject* parent)
    : QObject(parent), choice_(choice), platform_(QApplication::palette()) {
  QApplication::setFont(textFont());
  apply();
}

ThemeController::~ThemeController() = default;

void ThemeController::setChoice(Choice choice) {
  choice_ = choice;
  apply();
}

const Theme& ThemeController::theme() const {
  return applied_ == Theme::Kind::Dark ? Theme::dark() : Theme::light();
}

void ThemeController::apply() {
  if (choice_ == Choice::System && !system_) {
    system_ = std::make_unique<SystemScheme>(QDBusConnection::sessionBus());
    connect(system_.get(), &SystemScheme::changed, this, &ThemeController::apply);
  }
  const Theme::Kind kind = wantedKind(choice_, system_.get(), platform_);
  if (hasApplied_ && kind == applied_) return;
  applied_ = kind;
  hasApplied_ = true;
  auto* style = qobject_cast<TenonStyle*>(QApplication::style());
  if (style) {
    style->setTheme(theme());
  } else {
    QApplication::setStyle(new TenonStyle(theme()));
  }
  const QPalette palette = theme().palette();
  QApplication::setPalette(palette);
  QToolTip::setPalette(palette);
  // Places that read tokens beyond the palette repaint too.
  for (QWidget* widget : QApplication::allWidgets()) widget->update();
  Q_EMIT changed();
}

}  // namespace tenon::ui
