// SPDX-License-Identifier: Apache-2.0
// Schedule "multi_step".
#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/optim/schedule_count.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {intListParam("milestones", {30, 60, 90})
              .atLeast(0)
              .describe(TENON_TEXT("Where it drops; a place named twice drops twice.")),
          floatParam("gamma", 0.1).range(0, 1).describe(TENON_TEXT("Factor of one drop.")),
          byParam("epoch", false)};
}

double factor(const ParamMap& params, const SchedulePoint& at) {
  const auto count = static_cast<int64_t>(countOf(params, at));
  const std::vector<int64_t> milestones = params.getInts("milestones");
  const auto drops = std::count_if(milestones.begin(), milestones.end(),
                                   [count](int64_t milestone) { return milestone <= count; });
  return std::pow(params.getFloat("gamma"), static_cast<double>(drops));
}

}  // namespace

const ScheduleDef& scheduleDef_multi_step();
const ScheduleDef& scheduleDef_multi_step() {
  static const ScheduleDef kDef = {
      .id = "multi_step",
      .title = "Multi-step",
      .help = TENON_TEXT("Multiplies the learning rate by a factor at each of a list of places."),
      .schema = schema(),
      .factor = &factor};
  return kDef;
}

}  // namespace tenon
