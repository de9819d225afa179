// SPDX-License-Identifier: Apache-2.0
// Schedule "exponential".
#include <cmath>

#include "engine/base/error.h"
#include "engine/optim/schedule_count.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("gamma", 0.95)
              .range(0, 1)
              .above(0)
              .describe(TENON_TEXT("Factor for each epoch or step.")),
          byParam("epoch")};
}

double factor(const ParamMap& params, const SchedulePoint& at) {
  return std::pow(params.getFloat("gamma"), countOf(params, at));
}

}  // namespace

const ScheduleDef& scheduleDef_exponential();
const ScheduleDef& scheduleDef_exponential() {
  static const ScheduleDef kDef = {
      .id = "exponential",
      .title = "Exponential",
      .help = TENON_TEXT("Multiplies the learning rate by a factor again and again."),
      .schema = schema(),
      .factor = &factor};
  return kDef;
}

}  // namespace tenon
