// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Recordings: the steps that were recorded.
#include "ui/panels/recordings/recordings_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) {
  return new RecordingsView(context, parent);
}

}  // namespace

const PanelDef& panelDef_recordings() {
  static const PanelDef def{
      QStringLiteral("recordings"),
      QT_TRANSLATE_NOOP("Panel", "Recordings"),
      QT_TRANSLATE_NOOP("Panel", "The recorded steps of all runs; record the next step here"),
      QStringLiteral("record"),
      {{Mode::Inspect, Area::Left, 0, {200, 600}}},
      &make};
  return def;
}

}  // namespace tenon::ui
