// SPDX-License-Identifier: Apache-2.0
// Precision: what the setting "train.precision" means for the parts of a training.
#pragma once

#include <optional>

#include "engine/amp/autocast.h"
#include "engine/project/specs.h"

namespace tenon {

/// Runs operators in the precision of a training while it lives: autocast to bf16 or f16, or f32 as
/// it is.
class PrecisionGuard {
 public:
  explicit PrecisionGuard(const TrainSpec& train) {
    if (train.precision != "f32") autocast_.emplace(dtypeFromName(train.precision));
  }

 private:
  std::optional<amp::AutocastGuard> autocast_;
};

/// Whether losses are scaled: the small gradients of f16 would vanish, those of bf16 do not.
inline bool scalesLoss(const TrainSpec& train) { return train.precision == "f16"; }

}  // namespace tenon
