// SPDX-License-Identifier: Apache-2.0
// Schedule "constant".
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/error.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

double factor(const ParamMap&, const SchedulePoint&) { return 1.0; }

}  // namespace

const ScheduleDef& scheduleDef_constant();
const ScheduleDef& scheduleDef_constant() {
  static const ScheduleDef kDef = {.id = "constant",
                                   .title = "Constant",
                                   .help = TENON_TEXT("The learning rate stays as it is."),
                                   .factor = &factor};
  return kDef;
}

}  // namespace tenon
