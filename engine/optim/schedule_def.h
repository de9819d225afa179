// SPDX-License-Identifier: Apache-2.0
// ScheduleDef: one learning-rate schedule a file in schedules/. Most schedules are pure functions
// of the step; those that watch a value or are made of others have state of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/schema/param_map.h"
#include "engine/schema/param_schema.h"

namespace tenon {

/// Where a training stands when it asks for a factor. Steps are optimizer steps: one that a
/// gradient scaler skipped does not count.
struct SchedulePoint {
  int64_t step = 0;        ///< optimizer steps done before this one, from 0
  int64_t totalSteps = 1;  ///< of the whole training, >= 1
  int64_t stepsPerEpoch = 1;
};

/// What is known at an epoch's end: "loss" (of validation, else of training) or a metric's id.
struct EpochValue {
  std::string name;
  double value = 0;
};

/// When a schedule's factor changes.
enum class ScheduleClock {
  Step,   ///< with every optimizer step
  Epoch,  ///< with every epoch
};

/// A schedule with its parameters bound.
class TENON_API Schedule {
 public:
  virtual ~Schedule();
  /// Factor on the peak learning rate at `at`. Steps beyond totalSteps give the last value.
  virtual double factor(const SchedulePoint& at) const = 0;
  /// Takes note of an epoch's values; `at.step` is the number of steps done by then.
  /// @throws Error(Code::Input) if a value that it watches is not among them.
  virtual void epochEnded(const SchedulePoint& at, std::span<const EpochValue> values);
  /// What the next factor depends on besides the step: finite numbers and text, for a checkpoint.
  virtual ParamMap memory() const;
  /// Puts memory() back; members it does not know are ignored, missing ones are as at the start.
  virtual void restore(const ParamMap& memory);
};

struct ScheduleDef {
  std::string id;
  std::string title;
  std::string help;
  ParamSchema schema = {};
  ScheduleClock clock = ScheduleClock::Step;  ///< of a factor(): unless "by" says otherwise
  /// Of a schedule that is a function of the step: its factor.
  double (*factor)(const ParamMap& params, const SchedulePoint& at) = nullptr;
  /// Of any other: makes it. @throws Error(Code::Input) for parameters that do not fit each other.
  std::unique_ptr<Schedule> (*make)(const ParamMap& params) = nullptr;
};

TENON_API std::span<const ScheduleDef* const> allSchedules();
TENON_API const ScheduleDef* findSchedule(std::string_view id);

/// @param params complete. @throws Error(Code::Input) for parameters that do not fit each other.
TENON_API std::unique_ptr<Schedule> makeSchedule(const ScheduleDef& def, ParamMap params);
/// When the factor changes, with these parameters (complete).
TENON_API ScheduleClock clockOf(const ScheduleDef& def, const ParamMap& params);

}  // namespace tenon
