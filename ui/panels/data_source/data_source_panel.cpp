// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Data source: where the samples come from.
#include "ui/panels/data_source/data_source_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) {
  return new DataSourceView(context, parent);
}

}  // namespace

const PanelDef& panelDef_data_source() {
  static const PanelDef def{
      QStringLiteral("data_source"),
      QT_TRANSLATE_NOOP("Panel", "Data source"),
      QT_TRANSLATE_NOOP("Panel", "Where the samples come from and how they are prepared"),
      QStringLiteral("data"),
      {{Mode::Data, Area::Left, 0, {320, 0}}},
      &make};
  return def;
}

}  // namespace tenon::ui
