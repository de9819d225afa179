// SPDX-License-Identifier: Apache-2.0
// Schedule "warmup_cosine".
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/error.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("warmup", 0.1)
              .called(TENON_TEXT("Warm-up share"))
              .range(0, 1)
              .below(1)
              .describe(TENON_TEXT("Share of the training spent rising.")),
          floatParam("start_factor", 0.01)
              .called(TENON_TEXT("Start factor"))
              .range(0, 1)
              .describe(TENON_TEXT("Share of the peak at the start.")),
          floatParam("final_factor", 0.0)
              .called(TENON_TEXT("End factor"))
              .range(0, 1)
              .describe(TENON_TEXT("Share of the peak at the end."))};
}

double factor(const ParamMap& params, const SchedulePoint& at) {
  const auto total = static_cast<double>(std::max<int64_t>(at.totalSteps, 1));
  const double rising = params.getFloat("warmup") * total;
  const auto step = std::min(static_cast<double>(at.step), total);
  const double start = params.getFloat("start_factor");
  const double last = params.getFloat("final_factor");
  if (step < rising) return start + (1 - start) * step / rising;
  const double done = (step - rising) / std::max(total - rising, 1.0);
  return last + (1 - last) * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

}  // namespace

const ScheduleDef& scheduleDef_warmup_cosine();
const ScheduleDef& scheduleDef_warmup_cosine() {
  static const ScheduleDef kDef = {
      .id = "warmup_cosine",
      .title = "Warm-up and cosine",
      .help = TENON_TEXT("Rises in a straight line, then falls along half a cosine."),
      .schema = schema(),
      .factor = &factor};
  return kDef;
}

}  // namespace tenon
