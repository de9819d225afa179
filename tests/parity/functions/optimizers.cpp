// SPDX-License-Identifier: Apache-2.0
// Optimizers over several steps, gradient clipping and weight averages.
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/autograd/autograd.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/optim/weight_average.h"
#include "engine/schema/json.h"
#include "engine/schema/validate.h"
#include "tests/engine/ops/harness.h"
#include "tests/parity/functions.h"
#include "tests/parity/named_params.h"

namespace tenon::parity {
namespace {

Tensor stateOf(Optimizer& optimizer, const std::string& name) {
  std::string known;
  for (const OptimizerState& state : optimizer.state()) {
    if (state.name == name) return state.tensor;
    known += " " + state.name;
  }
  throw std::runtime_error("no state " + name + " among" + known);
}

/// Weights named by "names", then for each of "rates" a gradient (or none) for every weight. Gives
/// the weights after all steps, then each state of "states" for every weight that has had a
/// gradient.
Tensors optimizerOf(const Json& p, const Tensors& in) {
  const OptimizerDef* def = findOptimizer(p.at("id").get<std::string>());
  if (!def) throw std::runtime_error("no such optimizer");
  const auto names = p.at("names").get<std::vector<std::string>>();
  std::vector<OptimizedParameter> weights;
  for (size_t j = 0; j < names.size(); ++j) {
    weights.push_back({names[j], clone(in[j])});
    autograd::setRequiresGrad(weights.back().tensor);
  }
  const ParamMap params = completeParams(def->schema, paramsIn(p.at("settings")));
  const auto optimizer = def->make(params, weights);
  size_t next = names.size();
  for (const Json& rate : p.at("rates")) {
    for (const OptimizedParameter& weight : weights) autograd::setGrad(weight.tensor, in[next++]);
    optimizer->step(rate.get<double>());
  }
  Tensors all;
  for (const OptimizedParameter& weight : weights) all.push_back(autograd::detach(weight.tensor));
  for (const Json& state : p.at("states"))
    for (const std::string& name : names)
      all.push_back(stateOf(*optimizer, name + "/" + state.get<std::string>()));
  return all;
}

/// Weights whose gradients are the inputs.
std::vector<OptimizedParameter> withGradients(const Tensors& in) {
  std::vector<OptimizedParameter> all;
  for (const Tensor& gradient : in) {
    all.push_back(
        {"w" + std::to_string(all.size()), Tensor::zeros(gradient.shape(), gradient.dtype())});
    autograd::setRequiresGrad(all.back().tensor);
    autograd::setGrad(all.back().tensor, gradient);
  }
  return all;
}

Tensors clipped(const std::vector<OptimizedParameter>& weights) {
  Tensors all;
  for (const OptimizedParameter& weight : weights) all.push_back(autograd::gradOf(weight.tensor));
  return all;
}

Tensors clipGradNormOf(const Json& p, const Tensors& in) {
  const std::vector<OptimizedParameter> weights = withGradients(in);
  const double norm = clipGradNorm(weights, p.at("limit"));
  Tensors all = clipped(weights);
  all.push_back(Tensor::full({}, norm, DType::F64));
  return all;
}

Tensors clipGradValueOf(const Json& p, const Tensors& in) {
  const std::vector<OptimizedParameter> weights = withGradients(in);
  clipGradValue(weights, p.at("limit"));
  return clipped(weights);
}

/// The averages after each input was the weight in turn.
Tensors weightAverageOf(const Json& p, const Tensors& in) {
  const OptimizedParameter weight{"w", clone(in[0])};
  WeightAverage average({weight}, {.decay = p.at("decay"), .warmUp = p.at("warm_up")});
  for (const Tensor& value : in) {
    copyInPlace(weight.tensor, value);
    average.update();
  }
  return {average.state().at(0).tensor};
}

}  // namespace

Functions functionsOf_optimizers();
Functions functionsOf_optimizers() {
  Functions all;
  all["optimizer"] = &optimizerOf;
  all["clipGradNorm"] = &clipGradNormOf;
  all["clipGradValue"] = &clipGradValueOf;
  all["weightAverage"] = &weightAverageOf;
  all["sumSquares"] = [](const Json&, const Tensors& in) {
    return Tensors{sumSquares(test::pointers(in))};
  };
  return all;
}

}  // namespace tenon::parity
