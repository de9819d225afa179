// SPDX-License-Identifier: Apache-2.0
// Schedule "linear".
#include "engine/base/error.h"
#include "engine/optim/schedule_count.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("start_factor", 1.0)
              .range(0, 1)
              .describe(TENON_TEXT("Share of the peak at the start.")),
          floatParam("end_factor", 0.0)
              .range(0, 1)
              .describe(TENON_TEXT("Share of the peak at the end.")),
          lengthParam(), byParam("fraction")};
}

double factor(const ParamMap& params, const SchedulePoint& at) {
  const double start = params.getFloat("start_factor");
  return start + (params.getFloat("end_factor") - start) * shareOf(params, at);
}

}  // namespace

const ScheduleDef& scheduleDef_linear();
const ScheduleDef& scheduleDef_linear() {
  static const ScheduleDef kDef = {
      .id = "linear",
      .title = "Linear",
      .help = TENON_TEXT(
          "Goes from one share of the peak to another in a straight line: a warm-up, or a decay."),
      .schema = schema(),
      .factor = &factor};
  return kDef;
}

}  // namespace tenon
