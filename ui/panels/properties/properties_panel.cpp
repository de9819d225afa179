// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Properties: settings of the selected layer.
#include "ui/panels/properties/properties_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) {
  return new PropertiesView(context, parent);
}

}  // namespace

const PanelDef& panelDef_properties() {
  static const PanelDef def{QStringLiteral("properties"),
                            QT_TRANSLATE_NOOP("Panel", "Properties"),
                            QT_TRANSLATE_NOOP("Panel", "Settings of the selected layer"),
                            QStringLiteral("settings"),
                            {{Mode::Model, Area::Right, 0, {300, 0}}},
                            &make};
  return def;
}

}  // namespace tenon::ui
