// SPDX-License-Identifier: Apache-2.0
// ScheduleDef: one learning-rate schedule a file in schedules/. A schedule is a pure function of
// the step.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/schema/param_schema.h"

namespace tenon {

/// Where a training stands when it asks for a factor.
struct SchedulePoint {
  int64_t step = 0;        ///< optimizer steps done before this one, from 0
  int64_t totalSteps = 1;  ///< of the whole training, >= 1
  int64_t stepsPerEpoch = 1;
};

struct ScheduleDef {
  std::string id;
  std::string title;
  std::string help;
  ParamSchema schema = {};
  /// Factor on the peak learning rate at `point`. Steps beyond totalSteps give the last value.
  double (*factor)(const ParamMap& params, const SchedulePoint& point) = nullptr;
};

TENON_API std::span<const ScheduleDef* const> allSchedules();
TENON_API const ScheduleDef* findSchedule(std::string_view id);

}  // namespace tenon
