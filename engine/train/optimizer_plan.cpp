// SPDX-License-Identifier: Apache-2.0
// From the settings of a training to its optimizers.
#include "engine/train/optimizer_plan.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/optim/optimizer_changes.h"
#include "engine/schema/validate.h"

namespace tenon {

std::string OptimizerPlan::ratePath(int64_t steps) const {
  return phaseAt(phases, steps) == 0 ? "train.optimizer.lr" : "train.optimizer_changes";
}

OptimizerPlan optimizerPlan(const TrainSpec& train, int64_t stepsPerEpoch) {
  const OptimizerDef* def = findOptimizer(train.optimizer.type);
  if (!def)
    throw Error(Code::Input, fmt::format("there is no optimizer '{}'", train.optimizer.type));
  OptimizerPlan plan;
  plan.phases.push_back({def, completeParams(def->schema, train.optimizer.params), 0});
  for (const std::string& line : train.optimizerChanges) {
    OptimizerChange change = readOptimizerChange(line);
    const int64_t from = change.fromStep(stepsPerEpoch);
    if (from <= plan.phases.back().fromStep)
      throw Error(Code::Input,
                  fmt::format("optimizer change: '{}' begins after step {}, the one before it only "
                              "after step {}: lines stand in the order of the run",
                              line, from, plan.phases.back().fromStep));
    plan.phases.push_back({change.def, std::move(change.params), from});
  }
  return plan;
}

TrainSpec withPeakRate(TrainSpec train, const OptimizerPlan& plan, int64_t steps, double rate) {
  const size_t phase = phaseAt(plan.phases, steps);
  if (phase == 0) {
    train.optimizer.params.set("lr", rate);
  } else {
    std::string& line = train.optimizerChanges[phase - 1];
    line = changeWithRate(line, rate);
  }
  return train;
}

std::unique_ptr<Optimizer> makeOptimizer(const OptimizerPlan& plan,
                                         std::vector<OptimizedParameter> parameters) {
  const OptimizerPhase& first = plan.phases.front();
  if (plan.phases.size() == 1) return first.def->make(first.params, std::move(parameters));
  return makeOptimizerSequence(plan.phases, std::move(parameters));
}

std::vector<OptimizedParameter> optimizedParameters(const Model& model) {
  std::vector<OptimizedParameter> parameters;
  for (const NamedTensor& named : model.parameters())
    parameters.push_back({named.name, named.tensor, named.decays});
  return parameters;
}

void refuseOtherPast(const OptimizerPlan& before, const OptimizerPlan& after, int64_t steps) {
  const auto begun = [steps](const OptimizerPlan& plan) {
    std::string text;
    for (const OptimizerPhase& phase : plan.phases)
      if (phase.fromStep == 0 || phase.fromStep < steps)
        text += fmt::format("{}{} from step {}", text.empty() ? "" : ", ", phase.def->id,
                            phase.fromStep + 1);
    return text;
  };
  const std::string was = begun(before);
  const std::string asked = begun(after);
  if (was == asked) return;
  throw Error(Code::Usage,
              fmt::format("the first {} steps were made by {} and can only go on with that, not "
                          "with {}: start a new run",
                          steps, was, asked));
}

}  // namespace tenon
