// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Memory track: the allocator's history of the recorded step by category.
#include "ui/panels/memory_track/memory_track_view.h"
#include "ui/session/panel_context.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) {
  return new MemoryTrackView(context, parent);
}

}  // namespace

const PanelDef& panelDef_memory_track() {
  static const PanelDef def = [] {
    Placement place{Mode::Inspect, Area::Centre, 1, {724, 220}};
    place.fixedStrip = true;
    return PanelDef{QStringLiteral("memory_track"),
                    QT_TRANSLATE_NOOP("Panel", "Memory track"),
                    QT_TRANSLATE_NOOP("Panel",
                                      "What the allocator held during the recorded step, by "
                                      "category"),
                    QStringLiteral("memory"),
                    {place},
                    &make};
  }();
  return def;
}

}  // namespace tenon::ui
