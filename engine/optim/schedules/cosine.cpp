// SPDX-License-Identifier: Apache-2.0
// Schedule "cosine".
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/error.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("final_factor", 0.0)
              .called(TENON_TEXT("End factor"))
              .range(0, 1)
              .describe(TENON_TEXT("Share of the peak at the end."))};
}

double factor(const ParamMap& params, const SchedulePoint& at) {
  const double done = std::min(
      1.0, static_cast<double>(at.step) / static_cast<double>(std::max<int64_t>(at.totalSteps, 1)));
  const double last = params.getFloat("final_factor");
  return last + (1 - last) * 0.5 * (1 + std::cos(std::numbers::pi * done));
}

}  // namespace

const ScheduleDef& scheduleDef_cosine();
const ScheduleDef& scheduleDef_cosine() {
  static const ScheduleDef kDef = {
      .id = "cosine",
      .title = "Cosine",
      .help = TENON_TEXT("Falls from the peak to the final share along half a cosine."),
      .schema = schema(),
      .factor = &factor};
  return kDef;
}

}  // namespace tenon
