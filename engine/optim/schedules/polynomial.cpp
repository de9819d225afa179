// SPDX-License-Identifier: Apache-2.0
// Schedule "polynomial".
#include <cmath>

#include "engine/base/error.h"
#include "engine/optim/schedule_count.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("power", 1.0)
              .above(0)
              .describe(TENON_TEXT("1: a straight line; 2: steep, then flat.")),
          lengthParam(),
          floatParam("final_factor", 0.0)
              .called(TENON_TEXT("End factor"))
              .range(0, 1)
              .describe(TENON_TEXT("Share of the peak at the end.")),
          byParam("fraction")};
}

double factor(const ParamMap& params, const SchedulePoint& at) {
  const double last = params.getFloat("final_factor");
  return last + (1 - last) * std::pow(1 - shareOf(params, at), params.getFloat("power"));
}

}  // namespace

const ScheduleDef& scheduleDef_polynomial();
const ScheduleDef& scheduleDef_polynomial() {
  static const ScheduleDef kDef = {
      .id = "polynomial",
      .title = "Polynomial",
      .help = TENON_TEXT("Falls from the peak to the final share along a power of what is left."),
      .schema = schema(),
      .factor = &factor};
  return kDef;
}

}  // namespace tenon
