// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Welcome: what to open first.
#include "ui/panels/welcome/welcome_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) { return new WelcomeView(context, parent); }

}  // namespace

const PanelDef& panelDef_welcome() {
  static const PanelDef def{QStringLiteral("welcome"),
                            QT_TRANSLATE_NOOP("Panel", "Welcome"),
                            QT_TRANSLATE_NOOP("Panel", "Open a project"),
                            QStringLiteral("home"),
                            {{Mode::Welcome, Area::Centre}},
                            &make};
  return def;
}

}  // namespace tenon::ui
