// SPDX-License-Identifier: Apache-2.0
// What schedules count, as they let a person choose it: epochs, steps, or epochs with fractions.
#pragma once

#include "engine/optim/schedule_def.h"

namespace tenon {

/// "by" with the choices "epoch" (counted in epochs, changes with each), "step" (counted in
/// optimizer steps) and, if `fractions`, "fraction" (counted in epochs, changes with every step).
ParamSpec byParam(const char* value, bool fractions = true);
/// "length" of a schedule in what "by" says; 0: the whole training.
ParamSpec lengthParam();

/// How far a training is, as "by" of `params` counts.
double countOf(const ParamMap& params, const SchedulePoint& at);
/// The whole training in the same unit, > 0.
double totalOf(const ParamMap& params, const SchedulePoint& at);
/// Share of "length" that is done, in [0, 1].
double shareOf(const ParamMap& params, const SchedulePoint& at);

}  // namespace tenon
