// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Canvas: the model as a graph.
#include "ui/panels/canvas/canvas_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) { return new CanvasView(context, parent); }

}  // namespace

const PanelDef& panelDef_canvas() {
  static const PanelDef def{
      QStringLiteral("canvas"),
      QT_TRANSLATE_NOOP("Panel", "Canvas"),
      QT_TRANSLATE_NOOP("Panel", "The layers of the model and how they are wired"),
      QStringLiteral("graph"),
      {{Mode::Model, Area::Centre}},
      &make};
  return def;
}

}  // namespace tenon::ui
