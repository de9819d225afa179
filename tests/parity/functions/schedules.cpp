// SPDX-License-Identifier: Apache-2.0
// Learning-rate schedules: the factors at given points of a training, or after given values.
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/optim/schedule_def.h"
#include "engine/schema/validate.h"
#include "tests/parity/functions.h"
#include "tests/parity/named_params.h"

namespace tenon::parity {
namespace {

std::unique_ptr<Schedule> made(const Json& p) {
  const ScheduleDef* def = findSchedule(p.at("id").get<std::string>());
  if (!def) throw std::runtime_error("no such schedule");
  return makeSchedule(*def, completeParams(def->schema, paramsIn(p.at("settings"))));
}

Tensor listed(const std::vector<double>& factors) {
  return Tensor::fromValues(factors, {static_cast<int64_t>(factors.size())});
}

/// Factors at the steps "at" of a training of "total" steps, "per_epoch" an epoch.
Tensors scheduleOf(const Json& p, const Tensors&) {
  const auto schedule = made(p);
  std::vector<double> factors;
  for (const Json& step : p.at("at"))
    factors.push_back(schedule->factor({step, p.at("total"), p.at("per_epoch")}));
  return {listed(factors)};
}

/// Factors after each of "values" was an epoch's loss.
Tensors watchingScheduleOf(const Json& p, const Tensors&) {
  const auto schedule = made(p);
  std::vector<double> factors;
  for (const Json& number : p.at("values")) {
    const EpochValue value{"loss", number};
    const SchedulePoint at{static_cast<int64_t>(factors.size()) + 1, 1000, 1};
    schedule->epochEnded(at, std::span(&value, 1));
    factors.push_back(schedule->factor(at));
  }
  return {listed(factors)};
}

}  // namespace

Functions functionsOf_schedules();
Functions functionsOf_schedules() {
  return {{"schedule", &scheduleOf}, {"watchingSchedule", &watchingScheduleOf}};
}

}  // namespace tenon::parity
