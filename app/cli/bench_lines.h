// SPDX-License-Identifier: Apache-2.0
// What the benchmark prints: a line for each measure, for people or as JSON.
#pragma once

#include <string>
#include <vector>

#include "app/cli/kernel_measure.h"
#include "app/cli/micro.h"
#include "app/cli/random_steps.h"
#include "app/cli/workloads.h"

namespace tenon::cli {

/// Samples a second of each window; as JSON with the fields of the peer's script.
void tell(const Workload& workload, const std::vector<double>& windows, bool json);
void tell(const KernelMeasure& kernel, const std::vector<KernelWindow>& windows, bool json);
void tell(const std::string& micro, const MicroTimes& times, bool json);
void tell(int randomSteps, const RandomStepsMemory& memory, bool json);
/// Parameters, and samples a step.
void tellSize(const Workload& workload, bool json);

}  // namespace tenon::cli
