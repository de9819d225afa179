// SPDX-License-Identifier: Apache-2.0
// LossDef: one training loss a file in losses/.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "engine/schema/param_schema.h"
#include "engine/tensor/tensor.h"

namespace tenon {

/// Mean loss of a batch: (output, targets) -> scalar. Differentiable in the output.
using Loss = std::function<Tensor(const Tensor& output, const Tensor& targets)>;

struct LossDef {
  std::string id;
  std::string title;
  std::string help;
  ParamSchema schema = {};
  bool wantsClasses = false;  ///< targets are class numbers and the output has one logit a class
  Loss (*make)(const ParamMap& params) = nullptr;
};

TENON_API std::span<const LossDef* const> allLosses();
TENON_API const LossDef* findLoss(std::string_view id);

}  // namespace tenon
