// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Blocks: what was live at the marked instant of the recorded step.
#include "ui/panels/block_list/block_list_view.h"
#include "ui/session/panel_context.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) { return new BlockListView(context, parent); }

}  // namespace

const PanelDef& panelDef_block_list() {
  static const PanelDef def{
      QStringLiteral("block_list"),
      QT_TRANSLATE_NOOP("Panel", "Blocks"),
      QT_TRANSLATE_NOOP("Panel",
                        "The blocks of memory live at the marked instant, and who asked for them"),
      QStringLiteral("memory"),
      {{Mode::Inspect, Area::Right, 1, {300, 380}}},
      &make};
  return def;
}

}  // namespace tenon::ui
