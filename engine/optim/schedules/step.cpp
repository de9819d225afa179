// SPDX-License-Identifier: Apache-2.0
// Schedule "step".
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/error.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {intParam("every_epochs", 10)
              .called(TENON_TEXT("Drop every"))
              .atLeast(1)
              .inUnit("epochs")
              .describe(TENON_TEXT("Epochs between two drops.")),
          floatParam("gamma", 0.1).range(0, 1).describe(TENON_TEXT("Factor of one drop."))};
}

double factor(const ParamMap& params, const SchedulePoint& at) {
  const int64_t epoch = at.step / std::max<int64_t>(at.stepsPerEpoch, 1);
  return std::pow(params.getFloat("gamma"),
                  static_cast<double>(epoch / params.getInt("every_epochs")));
}

}  // namespace

const ScheduleDef& scheduleDef_step();
const ScheduleDef& scheduleDef_step() {
  static const ScheduleDef kDef = {
      .id = "step",
      .title = "Step",
      .help = TENON_TEXT("Multiplies the learning rate by a factor every few epochs."),
      .schema = schema(),
      .clock = ScheduleClock::Epoch,
      .factor = &factor};
  return kDef;
}

}  // namespace tenon
