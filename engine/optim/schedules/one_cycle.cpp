// SPDX-License-Identifier: Apache-2.0
// Schedule "one_cycle".
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/error.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("pct_start", 0.3)
              .called(TENON_TEXT("Warm-up share"))
              .range(0, 1)
              .describe(TENON_TEXT("Share of the training spent rising.")),
          floatParam("div_factor", 25.0)
              .called(TENON_TEXT("Start divisor"))
              .atLeast(1)
              .describe(TENON_TEXT("The start is the peak divided by this.")),
          floatParam("final_div_factor", 1e4)
              .called(TENON_TEXT("End divisor"))
              .atLeast(1)
              .onLogScale()
              .describe(TENON_TEXT("The end is the start divided by this.")),
          choiceParam("anneal", "cos", {"cos", "linear"})
              .called(TENON_TEXT("Curve"))
              .describe(TENON_TEXT("Form of the rise and the fall."))};
}

double anneal(bool linear, double from, double to, double share) {
  if (linear) return from + (to - from) * share;
  return to + (from - to) * 0.5 * (1 + std::cos(std::numbers::pi * share));
}

double factor(const ParamMap& params, const SchedulePoint& at) {
  // Phases end at step pct * total - 1 and at total - 1, as in PyTorch's OneCycleLR.
  const auto total = static_cast<double>(std::max<int64_t>(at.totalSteps, 1));
  const double step = std::min(static_cast<double>(at.step), total - 1);
  const double start = 1 / params.getFloat("div_factor");
  const double last = start / params.getFloat("final_div_factor");
  const bool linear = params.getString("anneal") == "linear";
  const double top = params.getFloat("pct_start") * total - 1;
  if (step <= top) return top > 0 ? anneal(linear, start, 1, step / top) : 1.0;
  return anneal(linear, 1, last, (step - top) / std::max(total - 1 - top, 1e-9));
}

}  // namespace

const ScheduleDef& scheduleDef_one_cycle();
const ScheduleDef& scheduleDef_one_cycle() {
  static const ScheduleDef kDef = {
      .id = "one_cycle",
      .title = "One cycle",
      .help = TENON_TEXT("Rises to the peak and falls far below the start, both along a cosine "
                         "(Smith and Topin 2018, arXiv:1708.07120)."),
      .schema = schema(),
      .factor = &factor};
  return kDef;
}

}  // namespace tenon
