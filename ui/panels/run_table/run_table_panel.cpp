// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Runs: the table on top of Results.
#include "ui/panels/run_table/run_table.h"
#include "ui/session/panel_context.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) { return new RunTable(context, parent); }

}  // namespace

const PanelDef& panelDef_run_table() {
  static const PanelDef def{
      QStringLiteral("run_table"),
      QT_TRANSLATE_NOOP("Panel", "Runs"),
      QT_TRANSLATE_NOOP("Panel", "All runs of the project; the selected ones are compared below"),
      QStringLiteral("table"),
      {{Mode::Results, Area::Top, 0, {1224, 300}}},
      &make};
  return def;
}

}  // namespace tenon::ui
