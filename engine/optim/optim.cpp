// SPDX-License-Identifier: Apache-2.0
// Tables of optimizers and schedules, and what is done to gradients before a step.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/optimizer/optimizer.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/optim/optimizer_def.h"
#include "engine/optim/schedule_def.h"

namespace tenon {

std::span<const OptimizerDef& (*const)()> optimizerDefinitions();
std::span<const ScheduleDef& (*const)()> scheduleDefinitions();

namespace {

template <class Definition>
std::vector<const Definition*> gather(std::span<const Definition& (*const)()> definitions) {
  std::vector<const Definition*> all;
  for (const Definition& (*definition)() : definitions) all.push_back(&definition());
  return all;
}

template <class Definition>
const Definition* findIn(std::span<const Definition* const> all, std::string_view id) {
  for (const Definition* definition : all)
    if (definition->id == id) return definition;
  return nullptr;
}

std::vector<Tensor> gradients(std::span<const OptimizedParameter> parameters) {
  std::vector<Tensor> out;
  for (const OptimizedParameter& parameter : parameters)
    if (Tensor grad = autograd::gradOf(parameter.tensor)) out.push_back(grad);
  return out;
}

double normOf(const std::vector<Tensor>& tensors) {
  if (tensors.empty()) return 0;
  std::vector<const Tensor*> list;
  for (const Tensor& tensor : tensors) list.push_back(&tensor);
  return std::sqrt(sumSquares(list).data<double>()[0]);
}

}  // namespace

std::span<const OptimizerDef* const> allOptimizers() {
  static const std::vector<const OptimizerDef*> all = gather<OptimizerDef>(optimizerDefinitions());
  return all;
}
const OptimizerDef* findOptimizer(std::string_view id) { return findIn(allOptimizers(), id); }

std::span<const ScheduleDef* const> allSchedules() {
  static const std::vector<const ScheduleDef*> all = gather<ScheduleDef>(scheduleDefinitions());
  return all;
}
const ScheduleDef* findSchedule(std::string_view id) { return findIn(allSchedules(), id); }

void zeroGrad(std::span<const OptimizedParameter> parameters) {
  for (const OptimizedParameter& parameter : parameters) autograd::setGrad(parameter.tensor, {});
}

double gradNorm(std::span<const OptimizedParameter> parameters) {
  const gate::NoGradGuard noGrad;
  return normOf(gradients(parameters));
}

double clipGradNorm(std::span<const OptimizedParameter> parameters, double maxNorm) {
  const gate::NoGradGuard noGrad;
  const std::vector<Tensor> grads = gradients(parameters);
  const double norm = normOf(grads);
  const double factor = maxNorm / (norm + 1e-6);
  // A norm that is no number makes every gradient none, as in PyTorch.
  if (!grads.empty() && !(factor >= 1))
    scaleInPlace(grads, Tensor::full({}, factor, grads[0].dtype()));
  return norm;
}

void clipGradValue(std::span<const OptimizedParameter> parameters, double limit) {
  if (!(limit > 0))
    throw Error(Code::Input,
                fmt::format("gradients are clipped to a limit above 0, got {}", limit));
  const gate::NoGradGuard noGrad;
  const std::vector<Tensor> grads = gradients(parameters);
  if (!grads.empty()) clipInPlace(grads, Tensor::full({}, limit, grads[0].dtype()));
}

}  // namespace tenon
