// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Accuracy: share of right answers on training and validation data.
#include "ui/curves/train_curves.h"
#include "ui/session/panel_context.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) {
  TrainCurvesSpec spec;
  spec.title = TrainCurves::tr("Accuracy");
  spec.valueName = TrainCurves::tr("accuracy");
  spec.nothing = TrainCurves::tr("This run measured no accuracy");
  CurveLine training;
  training.metric = QStringLiteral("train/accuracy");
  training.label = TrainCurves::tr("training");
  CurveLine validation;
  validation.metric = QStringLiteral("validation/accuracy");
  validation.label = TrainCurves::tr("validation");
  validation.validation = true;
  spec.lines = {training, validation};
  return new TrainCurves(context, spec, parent);
}

}  // namespace

const PanelDef& panelDef_accuracy() {
  static const PanelDef def{
      QStringLiteral("accuracy"),
      QT_TRANSLATE_NOOP("Panel", "Accuracy"),
      QT_TRANSLATE_NOOP("Panel", "Share of right answers on training and validation data"),
      QStringLiteral("target"),
      {{Mode::Train, Area::Right, 0, {440, 180}}},
      &make};
  return def;
}

}  // namespace tenon::ui
