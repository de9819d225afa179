// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Memory: what a training holds of the device's memory.
#include "ui/curves/train_curves.h"
#include "ui/session/panel_context.h"

namespace tenon::ui {
namespace {

CurveLine line(const char* metric, const QString& label, int hue) {
  CurveLine line;
  line.metric = QLatin1String(metric);
  line.label = label;
  line.steps = true;
  line.hue = hue;
  return line;
}

QWidget* make(PanelContext& context, QWidget* parent) {
  TrainCurvesSpec spec;
  spec.title = TrainCurves::tr("Memory");
  spec.valueName = TrainCurves::tr("memory");
  spec.nothing = TrainCurves::tr("This run logged no memory");
  spec.fromZero = true;
  spec.lines = {line("memory/peak", TrainCurves::tr("allocated (peak)"), 0),
                line("memory/reserved", TrainCurves::tr("reserved"), 1),
                line("memory/device", TrainCurves::tr("device"), 2)};
  spec.lines.first().fill = true;
  return new TrainCurves(context, spec, parent);
}

}  // namespace

const PanelDef& panelDef_memory() {
  static const PanelDef def{
      QStringLiteral("memory"),
      QT_TRANSLATE_NOOP("Panel", "Memory"),
      QT_TRANSLATE_NOOP("Panel",
                        "Memory in use by tensors, held by the allocator, and in use on "
                        "the whole device"),
      QStringLiteral("memory"),
      {{Mode::Train, Area::Right, 2, {440, 140}}},
      &make};
  return def;
}

}  // namespace tenon::ui
