// SPDX-License-Identifier: Apache-2.0
// What all optimizers share: state by parameter, groups, step counts, and one fused call a group.
// An optimizer is a rule: the operator that does the step, and the scalars it needs.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ops/optimizer/optimizer.h"
#include "engine/optim/optimizer_def.h"

namespace tenon {

/// What the scalars of a step depend on.
struct StepPoint {
  double rate = 0;   ///< learning rate of the group
  double decay = 0;  ///< weight decay of the group
  double t = 1;      ///< number of the step for these parameters, from 1
};

struct FusedRule {
  StepKind kind = StepKind::Sgd;
  StepFlags flags = {};
  /// Names of the state in the operator's order; empty: the flags leave this one out.
  std::vector<std::string> states = {};
  double initialState = 0;
  /// Writes the operator's scalars, as its enum places them.
  std::function<void(const StepPoint& at, std::span<double> scalars)> scalars = {};
};

/// An optimizer that makes the steps of a rule.
/// @param id of the optimizer, for messages
/// @param params complete; "weight_decay", "decay_norm_and_bias" and "groups" are read here
/// @throws Error(Code::Type) for a parameter that is neither f32 nor f64; Error(Code::Input) for
///   groups that cannot be read or match nothing.
std::unique_ptr<Optimizer> makeFused(std::string_view id, const ParamMap& params,
                                     std::vector<OptimizedParameter> parameters, FusedRule rule);

/// beta1, beta2 and eps of the rules that follow Adam.
struct MomentNumbers {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
};
MomentNumbers momentNumbers(const ParamMap& params);

/// The scalars that the RuleScalar steps share: decay, betas, epsilon, 1 / sqrt(1 - beta2^t), and a
/// gradient scale of 1. The rate is the rule's own.
void writeMoments(std::span<double> scalars, const StepPoint& at, const MomentNumbers& numbers,
                  bool decoupled);

}  // namespace tenon
