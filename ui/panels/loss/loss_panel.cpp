// SPDX-License-Identifier: GPL-3.0-or-later
// Panel Loss: the middle of Train, training loss measured and smoothed, validation loss dashed.
#include "ui/curves/train_curves.h"
#include "ui/panels/loss/loss_header.h"
#include "ui/session/panel_context.h"

namespace tenon::ui {
namespace {

QWidget* make(PanelContext& context, QWidget* parent) {
  TrainCurvesSpec spec;
  spec.title = LossHeader::tr("Loss");
  spec.valueName = LossHeader::tr("loss");
  spec.nothing = LossHeader::tr("This run ended before its first value");
  spec.logScale = true;
  spec.offersRun = true;
  CurveLine training;
  training.metric = QStringLiteral("train/loss");
  training.label = LossHeader::tr("training");
  training.smooth = true;
  CurveLine validation;
  validation.metric = QStringLiteral("validation/loss");
  validation.label = LossHeader::tr("validation");
  validation.validation = true;
  spec.lines = {training, validation};
  auto* curves = new TrainCurves(context, spec, parent);
  curves->setHeader(new LossHeader(*curves, curves));
  return curves;
}

}  // namespace

const PanelDef& panelDef_loss() {
  static const PanelDef def{
      QStringLiteral("loss"),
      QT_TRANSLATE_NOOP("Panel", "Loss"),
      QT_TRANSLATE_NOOP("Panel", "Loss of each step, smoothed, and loss on validation data"),
      QStringLiteral("loss"),
      {{Mode::Train, Area::Centre, 0, {730, 440}}},
      &make};
  return def;
}

}  // namespace tenon::ui
