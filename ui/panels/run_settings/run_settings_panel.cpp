// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Settings: in what the selected runs differ.
#include "ui/panels/run_settings/settings_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) { return new SettingsView(context, parent); }

}  // namespace

const PanelDef& panelDef_run_settings() {
  static const PanelDef def{
      QStringLiteral("run_settings"),
      QT_TRANSLATE_NOOP("Panel", "Settings"),
      QT_TRANSLATE_NOOP("Panel", "Settings of the selected run, or in what several runs differ"),
      QStringLiteral("settings"),
      {{Mode::Results, Area::Right, 0, {480, 400}}},
      &make};
  return def;
}

}  // namespace tenon::ui
