// SPDX-License-Identifier: Apache-2.0
// Parameter groups: learning-rate factors and weight decays of their own for parameters by name.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/optim/optimizer_def.h"

namespace tenon {

/// Numbers of one parameter; parameters with equal ones share a pass.
struct GroupNumbers {
  double rateFactor = 1;  ///< on the scheduled learning rate, >= 0
  double decay = 0;       ///< weight decay, >= 0
  friend bool operator==(const GroupNumbers&, const GroupNumbers&) = default;
};

/// The numbers of each parameter, from an optimizer's "weight_decay", "decay_norm_and_bias" and
/// "groups". A line of "groups" is a pattern and what it sets: "*.bias weight_decay=0" or
/// "head.* lr_factor=10 weight_decay=0.1". All lines that match a parameter count, later ones last.
/// @throws Error(Code::Input) beginning with the optimizer's `id` for a line that cannot be read, a
///   value that is refused, or a pattern that matches no parameter.
TENON_API std::vector<GroupNumbers> groupNumbers(std::string_view id, const ParamMap& params,
                                                 std::span<const OptimizedParameter> parameters);

/// '*' stands for any characters, dots too, '?' for one.
TENON_API bool matchesPattern(std::string_view pattern, std::string_view name) noexcept;

/// What a line of "groups" may set: lr_factor, weight_decay.
const ParamSchema& groupSchema();

}  // namespace tenon
