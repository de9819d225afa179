// SPDX-License-Identifier: Apache-2.0
// Layers by their definitions: planned, made and run with the weights that the case gives them.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/base/error.h"
#include "engine/layers/layer_def.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/schema/validate.h"
#include "tests/parity/functions.h"
#include "tests/parity/named_params.h"

namespace tenon::parity {
namespace {

PortShape portOf(const Tensor& t) {
  PortShape port{{t.shape().begin(), t.shape().end()}, t.dtype()};
  if (!port.sizes.empty()) port.sizes[0] = kFreeSize;
  return port;
}

/// PyTorch's weights in the order of the plan, which must have the same ones, alike in shape and in
/// what is trained.
Tensors orderedAs(const LayerPlan& plan, const std::vector<std::string>& names,
                  std::span<const Tensor> given) {
  if (plan.weights.size() != names.size())
    throw std::runtime_error(std::to_string(plan.weights.size()) +
                             " weights are planned, PyTorch has " + std::to_string(names.size()));
  Tensors all;
  for (const WeightPlan& weight : plan.weights) {
    const auto at = std::find(names.begin(), names.end(), weight.name);
    if (at == names.end())
      throw std::runtime_error("a weight is planned that PyTorch has not: " + weight.name);
    const Tensor& t = given[static_cast<size_t>(at - names.begin())];
    if (t.shape() != weight.shape)
      throw std::runtime_error(weight.name + " is planned as " + toString(weight.shape) +
                               ", PyTorch's is " + toString(t.shape()));
    if (t.requiresGrad() != weight.trainable)
      throw std::runtime_error(weight.name + " is trained by one side only");
    all.push_back(t);
  }
  return all;
}

/// The outputs, which must have the planned shapes, then the weights that are not trained.
Tensors layerOf(const Json& p, const Tensors& in) {
  const LayerDef* def = findLayer(p.at("id").get<std::string>());
  if (!def) throw std::runtime_error("no such layer");
  const auto names = p.at("weights").get<std::vector<std::string>>();
  const size_t count = in.size() - names.size();
  const Tensors inputs(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<PortShape> ports;
  for (const Tensor& t : inputs) ports.push_back(portOf(t));
  const ParamMap params = completeParams(def->schema, paramsIn(p.at("settings")));
  const PlanRequest request{params, ports};
  const LayerPlan plan = def->plan(request);
  throwIfErrors(plan.issues);
  const Tensors weights = orderedAs(plan, names, std::span(in).subspan(count));
  Generator generator{p.at("seed").get<uint64_t>()};
  const gate::GeneratorGuard guard(generator);
  Tensors all(plan.outputs.size());
  LayerCall call{inputs, all, weights, p.at("training").get<bool>()};
  const auto layer = def->make(request);
  const auto taken = p.at("absorbs").get<std::string>();
  if (!taken.empty() && !layer->absorb(taken))
    throw std::runtime_error("does not take a " + taken + " that follows into itself");
  layer->forward(call);
  for (size_t i = 0; i < all.size(); ++i)
    if (portOf(all[i]).sizes != plan.outputs[i].sizes)
      throw std::runtime_error("output " + std::to_string(i) + " was planned as " +
                               toString(plan.outputs[i]) + " and is " + toString(portOf(all[i])));
  for (const Tensor& t : std::span(in).subspan(count))
    if (!t.requiresGrad()) all.push_back(t);
  return all;
}

}  // namespace

Functions functionsOf_layers();
Functions functionsOf_layers() { return {{"layer", &layerOf}}; }

}  // namespace tenon::parity
