// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Samples: a few validation samples with what the model says of them.
#include "ui/panels/samples/samples_view.h"
#include "ui/session/panel_context.h"
#include "ui/session/panel_def.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) { return new SamplesView(context, parent); }

}  // namespace

const PanelDef& panelDef_samples() {
  static const PanelDef def = [] {
    Placement results{Mode::Results, Area::Right, 1, {480, 400}};
    results.tabbed = true;
    return PanelDef{
        QStringLiteral("samples"),
        QT_TRANSLATE_NOOP("Panel", "Samples"),
        QT_TRANSLATE_NOOP("Panel", "Validation samples with what the model says of them"),
        QStringLiteral("image"),
        {{Mode::Train, Area::Bottom, 1, {890, 160}}, results},
        &make};
  }();
  return def;
}

}  // namespace tenon::ui
