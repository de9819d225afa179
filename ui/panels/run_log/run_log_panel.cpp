// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Log: what happened in the run.
#include "ui/panels/run_log/run_log.h"
#include "ui/session/panel_context.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) { return new RunLog(context, parent); }

}  // namespace

const PanelDef& panelDef_run_log() {
  static const PanelDef def{QStringLiteral("run_log"),
                            QT_TRANSLATE_NOOP("Panel", "Log"),
                            QT_TRANSLATE_NOOP("Panel", "What happened in the run, newest last"),
                            QStringLiteral("log"),
                            {{Mode::Train, Area::Bottom, 0, {334, 160}}},
                            &make};
  return def;
}

}  // namespace tenon::ui
