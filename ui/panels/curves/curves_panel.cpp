// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Curves: the middle of Results.
#include "ui/panels/curves/overlay_view.h"
#include "ui/session/panel_context.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) { return new OverlayView(context, parent); }

}  // namespace

const PanelDef& panelDef_curves() {
  static const PanelDef def{
      QStringLiteral("curves"),
      QT_TRANSLATE_NOOP("Panel", "Curves"),
      QT_TRANSLATE_NOOP("Panel", "Curves of the selected runs over each other"),
      QStringLiteral("results"),
      {{Mode::Results, Area::Centre, 0, {740, 420}}},
      &make};
  return def;
}

}  // namespace tenon::ui
