// SPDX-License-Identifier: Apache-2.0
// Schedules bound to parameters, and how they count.
#include <algorithm>
#include <utility>

#include "engine/base/error.h"
#include "engine/optim/schedule_count.h"
#include "engine/optim/schedule_def.h"

namespace tenon {
namespace {

/// A schedule that is a function of the step.
class PureSchedule final : public Schedule {
 public:
  PureSchedule(const ScheduleDef& def, ParamMap params) : def_(def), params_(std::move(params)) {}
  double factor(const SchedulePoint& at) const override { return def_.factor(params_, at); }

 private:
  const ScheduleDef& def_;
  ParamMap params_;
};

bool countsSteps(const ParamMap& params) { return params.getString("by") == "step"; }

}  // namespace

Schedule::~Schedule() = default;
void Schedule::epochEnded(const SchedulePoint&, std::span<const EpochValue>) {}
ParamMap Schedule::memory() const { return {}; }
void Schedule::restore(const ParamMap&) {}

std::unique_ptr<Schedule> makeSchedule(const ScheduleDef& def, ParamMap params) {
  if (def.make) return def.make(params);
  return std::make_unique<PureSchedule>(def, std::move(params));
}

ScheduleClock clockOf(const ScheduleDef& def, const ParamMap& params) {
  if (def.make || !def.schema.find("by")) return def.clock;
  return params.getString("by") == "epoch" ? ScheduleClock::Epoch : ScheduleClock::Step;
}

ParamSpec byParam(const char* value, bool fractions) {
  std::vector<std::string> choices = {"epoch", "step"};
  if (fractions) choices.emplace_back("fraction");
  return choiceParam("by", value, std::move(choices))
      .called(TENON_TEXT("Counted in"))
      .describe(fractions ? TENON_TEXT("epoch: in epochs, changing with each; step: in optimizer "
                                       "steps; fraction: in epochs, changing with every step.")
                          : TENON_TEXT("epoch: in epochs; step: in optimizer steps."));
}

ParamSpec lengthParam() {
  return floatParam("length", 0.0)
      .atLeast(0)
      .describe(TENON_TEXT("How long it takes, in what is counted; 0: the whole training."));
}

double countOf(const ParamMap& params, const SchedulePoint& at) {
  if (countsSteps(params)) return static_cast<double>(at.step);
  const int64_t perEpoch = std::max<int64_t>(at.stepsPerEpoch, 1);
  if (params.getString("by") == "epoch") return static_cast<double>(at.step / perEpoch);
  return static_cast<double>(at.step) / static_cast<double>(perEpoch);
}

double totalOf(const ParamMap& params, const SchedulePoint& at) {
  const auto total = static_cast<double>(std::max<int64_t>(at.totalSteps, 1));
  if (countsSteps(params)) return total;
  return total / static_cast<double>(std::max<int64_t>(at.stepsPerEpoch, 1));
}

double shareOf(const ParamMap& params, const SchedulePoint& at) {
  const double length = params.getFloat("length");
  return std::min(1.0, countOf(params, at) / (length > 0 ? length : totalOf(params, at)));
}

}  // namespace tenon
