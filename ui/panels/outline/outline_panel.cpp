// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Outline: the layers of the model as a tree.
#include "ui/panels/outline/outline_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) { return new OutlineView(context, parent); }

}  // namespace

const PanelDef& panelDef_outline() {
  static const PanelDef def = [] {
    Placement place{Mode::Model, Area::Bottom, 1, {0, 140}};
    place.tabbed = true;
    return PanelDef{QStringLiteral("outline"),
                    QT_TRANSLATE_NOOP("Panel", "Outline"),
                    QT_TRANSLATE_NOOP("Panel", "The layers of the model as a tree"),
                    QStringLiteral("list"),
                    {place},
                    &make};
  }();
  return def;
}

}  // namespace tenon::ui
