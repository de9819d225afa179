// SPDX-License-Identifier: GPL-3.0-or-later
// Choices made from the engine's definitions; nothing is listed here.
#include "ui/session/part_choices.h"

#include "engine/metrics/loss_def.h"
#include "engine/metrics/metric_def.h"
#include "engine/optim/optimizer_def.h"
#include "engine/optim/schedule_def.h"
#include "ui/session/texts.h"

namespace tenon::ui {
namespace {

template <class Defs>
QList<PartChoice> choicesOf(const Defs& defs) {
  QList<PartChoice> choices;
  for (const auto* def : defs)
    choices.append({QString::fromStdString(def->id), engineText(def->title), &def->schema});
  return choices;
}

}  // namespace

QList<PartChoice> lossChoices() { return choicesOf(allLosses()); }
QList<PartChoice> optimizerChoices() { return choicesOf(allOptimizers()); }
QList<PartChoice> scheduleChoices() { return choicesOf(allSchedules()); }

ParamSchema metricSwitches() {
  std::vector<ParamSpec> switches;
  for (const MetricDef* metric : allMetrics())
    switches.push_back(boolParam(metric->id, false).called(metric->title).describe(metric->help));
  return ParamSchema(std::move(switches));
}

}  // namespace tenon::ui
