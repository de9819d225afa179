// SPDX-License-Identifier: Apache-2.0
// Lines of the setting "optimizer_changes": which optimizer takes over, after how much training,
// with which settings, such as "sgd after_epochs=5 lr=0.05".
#pragma once

#include <cstdint>
#include <string>

#include "engine/optim/optimizer_def.h"

namespace tenon {

struct OptimizerChange {
  const OptimizerDef* def = nullptr;
  ParamMap params = {};       ///< complete
  int64_t after = 1;          ///< how much training is done by then, >= 1
  bool countsEpochs = false;  ///< `after` counts epochs; else optimizer steps

  int64_t fromStep(int64_t stepsPerEpoch) const {
    return countsEpochs ? after * stepsPerEpoch : after;
  }
};

/// @throws Error(Code::Input) quoting the line and saying what is wrong with it: an unknown
///   optimizer or setting, a value that is refused, none or both of after_epochs and after_steps.
TENON_API OptimizerChange readOptimizerChange(const std::string& line);

/// The line with another "lr". @throws Error(Code::Input) if the line cannot be read.
TENON_API std::string changeWithRate(const std::string& line, double rate);

}  // namespace tenon
