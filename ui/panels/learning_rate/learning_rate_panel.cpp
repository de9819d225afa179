// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Learning rate: the rate in force at each step.
#include "ui/curves/train_curves.h"
#include "ui/session/panel_context.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) {
  TrainCurvesSpec spec;
  spec.title = TrainCurves::tr("Learning rate");
  spec.valueName = TrainCurves::tr("rate");
  spec.nothing = TrainCurves::tr("This run logged no learning rate");
  spec.logScale = true;
  CurveLine rate;
  rate.metric = QStringLiteral("train/learning_rate");
  rate.label = TrainCurves::tr("learning rate");
  rate.steps = true;
  spec.lines = {rate};
  return new TrainCurves(context, spec, parent);
}

}  // namespace

const PanelDef& panelDef_learning_rate() {
  static const PanelDef def{
      QStringLiteral("learning_rate"),
      QT_TRANSLATE_NOOP("Panel", "Learning rate"),
      QT_TRANSLATE_NOOP("Panel", "Learning rate in force at each step, schedule included"),
      QStringLiteral("speed"),
      {{Mode::Train, Area::Right, 1, {440, 140}}},
      &make};
  return def;
}

}  // namespace tenon::ui
