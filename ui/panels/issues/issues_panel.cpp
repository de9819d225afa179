// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Issues: what is wrong with the project and where.
#include "ui/panels/issues/issues_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) { return new IssuesView(context, parent); }

}  // namespace

const PanelDef& panelDef_issues() {
  static const PanelDef def{QStringLiteral("issues"),
                            QT_TRANSLATE_NOOP("Panel", "Issues"),
                            QT_TRANSLATE_NOOP("Panel", "What is wrong with the project"),
                            QStringLiteral("warning"),
                            {{Mode::Model, Area::Bottom, 0, {0, 140}}},
                            &make};
  return def;
}

}  // namespace tenon::ui
