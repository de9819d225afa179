// SPDX-License-Identifier: Apache-2.0
// A change of optimizer during a run, such as Adam first and then SGD (Keskar and Socher 2017,
// arXiv:1712.07628).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/optim/optimizer_def.h"

namespace tenon {

/// An optimizer and the step from which it is used.
struct OptimizerPhase {
  const OptimizerDef* def = nullptr;
  ParamMap params = {};  ///< complete
  int64_t fromStep = 0;  ///< steps done before its first; 0 for the first phase, then rising
};

/// The place of the phase that makes the next step when `steps` are done. `phases` is not empty.
TENON_API size_t phaseAt(std::span<const OptimizerPhase> phases, int64_t steps);

/// An optimizer that is one after the other. Each begins fresh, without state of the one before it,
/// whose state is given back. step() takes the learning rate of the phase that makes the step. A
/// checkpoint has the state of the phase it was made in, its names as that optimizer gives them,
/// and resumes there.
/// @throws Error(Code::Input) if phases do not rise from 0, or an optimizer refuses its parameters
///   (all are made once, so that no run fails late).
TENON_API std::unique_ptr<Optimizer> makeOptimizerSequence(
    std::vector<OptimizerPhase> phases, std::vector<OptimizedParameter> parameters);

}  // namespace tenon
