// SPDX-License-Identifier: Apache-2.0
// What layer definitions share: checks of ranks, issues, simple layers from a function.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "engine/layers/layer_def.h"

namespace tenon {

/// An error about the whole node (field empty) or one of its parameters.
Issue layerIssue(std::string code, std::string text, std::vector<std::string> args,
                 std::string field = "");
/// True if input 0 has `ndim` sizes; else adds an issue that says wanted and got.
bool wantRank(const PlanRequest& request, size_t ndim, LayerPlan& plan);
/// True if every size of input 0 but the batch is known; else adds an issue.
bool wantKnownSizes(const PlanRequest& request, LayerPlan& plan);
/// A list parameter of one or two numbers as a pair.
std::pair<int64_t, int64_t> pairOf(const ParamMap& params, std::string_view name);
/// "3x3", or "3" for equal sides.
std::string sizeText(std::pair<int64_t, int64_t> size);
/// PyTorch's default bound of linear and convolution weights and biases: 1 / sqrt(fan in).
Init fanInUniform(int64_t fanIn);

/// A plan whose output equals its input, for pointwise layers. `flopsPerElement` by convention of
/// the function.
LayerPlan samePlan(const PlanRequest& request, double flopsPerElement);

/// A layer with one input and one output that is a plain function.
template <class F>
class FunctionLayer final : public Layer {
 public:
  explicit FunctionLayer(F function) : function_(std::move(function)) {}
  void forward(LayerCall& call) const override { call.outputs[0] = function_(call); }

 private:
  F function_;
};
template <class F>
std::unique_ptr<Layer> functionLayer(F function) {
  return std::make_unique<FunctionLayer<F>>(std::move(function));
}

}  // namespace tenon
