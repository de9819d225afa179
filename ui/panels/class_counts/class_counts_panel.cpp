// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Class counts: how many samples each class has.
#include "ui/panels/class_counts/class_counts_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) {
  return new ClassCountsView(context, parent);
}

}  // namespace

const PanelDef& panelDef_class_counts() {
  static const PanelDef def{QStringLiteral("class_counts"),
                            QT_TRANSLATE_NOOP("Panel", "Class counts"),
                            QT_TRANSLATE_NOOP("Panel", "How many samples each class has"),
                            QStringLiteral("table"),
                            {{Mode::Data, Area::Right, 0, {280, 0}}},
                            &make};
  return def;
}

}  // namespace tenon::ui
