// SPDX-License-Identifier: Apache-2.0
// What the log of a run says of its course, in the order in which it happens.
#pragma once

#include <cstdint>
#include <string>

#include "engine/project/settings.h"
#include "engine/project/specs.h"
#include "engine/store/checkpoints.h"
#include "engine/train/run_log.h"
#include "engine/train/train_sink.h"

namespace tenon::story {

struct Beginning {
  int64_t step = 0;
  std::string device;
  int64_t samples = 0;  ///< for training
  bool resumed = false;
};
void began(RunLog& log, const Beginning& beginning);
/// A setting of a resumed run is not what it was.
void changed(RunLog& log, const SettingChange& change, int64_t step);
void learningRateSet(RunLog& log, double peak, int64_t step);
/// Another optimizer makes `step` and those that follow.
void optimizerChanged(RunLog& log, const std::string& title, int64_t step);
/// A gradient of `step` overflowed: no weight changed, and the loss has another scale from now on.
/// Of a long row of such steps the 16th, 32nd, 64th and so on are told, as warnings.
void stepSkipped(RunLog& log, double scale, int64_t step, int64_t inARow);
/// No target of `step` counts for the loss: no weight changed.
void nothingCounted(RunLog& log, int64_t step);
void paused(RunLog& log, int64_t step);
void continued(RunLog& log, int64_t step);
/// Losses and metrics of the epoch, and whether they are the best so far.
void epochEnded(RunLog& log, const EpochSummary& epoch, const TrainSpec& train);
void saved(RunLog& log, const CheckpointInfo& checkpoint);
void ended(RunLog& log, bool stopped, int64_t step);

}  // namespace tenon::story
