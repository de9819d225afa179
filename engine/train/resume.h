// SPDX-License-Identifier: Apache-2.0
// What a run that goes on may be trained with, and what it forgets of steps it does again.
#pragma once

#include <string>
#include <vector>

#include "engine/project/settings.h"
#include "engine/schema/json.h"
#include "engine/store/rewind.h"
#include "engine/store/runs.h"
#include "engine/train/run_state.h"

namespace tenon {

/// A run's settings as a run of today would keep them: what a definition has got since has its
/// default. @throws Error(Code::Input) if they cannot be read
TENON_API Json settingsOfToday(const RunInfo& run);

/// What a resumed run changes of the settings it has kept so far. How long, how fast and where it
/// trains may change (epochs, the optimizer's numbers, later optimizers, clipping, the average of
/// weights, schedule, device, threads, what is logged, measured and saved); whatever else would
/// make another run of it.
/// @throws Error(Code::Usage) naming the first setting that cannot change and both its values, or
///   the epochs done and asked for if the run is past those
TENON_API std::vector<SettingChange> changesOnResume(const RunInfo& run,
                                                     const std::string& settings);

/// What a run forgets that goes on from `state`: later steps, and the end of the epoch if that is
/// still to come.
TENON_API Rewind rewindTo(const RunState& state, int64_t batchesPerEpoch);

}  // namespace tenon
