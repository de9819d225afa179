// SPDX-License-Identifier: Apache-2.0
// What layer definitions share: checks of ranks, issues, simple layers from a function.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "engine/layers/layer_def.h"
#include "engine/ops/spatial.h"

namespace tenon {

/// An error about the whole node (field empty) or one of its parameters.
Issue layerIssue(std::string code, std::string text, std::vector<std::string> args,
                 std::string field = "");
/// The error that no layer has this id; it names the nearest id, if one is near.
Issue unknownLayer(std::string_view id);
/// The plan of a layer; an issue alone if it cannot work with the type of an input.
TENON_API LayerPlan planLayer(const LayerDef& def, const PlanRequest& request);
/// True if input 0 has `ndim` sizes; else adds an issue that says wanted and got.
bool wantRank(const PlanRequest& request, size_t ndim, LayerPlan& plan);
/// True if input 0 has `ndim` sizes or more; else adds an issue that says wanted and got.
bool wantAtLeast(const PlanRequest& request, size_t ndim, LayerPlan& plan);
/// True if input 0 has `ndim` sizes or fewer; else adds an issue that says wanted and got.
bool wantAtMost(const PlanRequest& request, size_t ndim, LayerPlan& plan);
/// True if every size of input 0 but the batch is known; else adds an issue.
bool wantKnownSizes(const PlanRequest& request, LayerPlan& plan);
/// Both, for [N, C, ...] with `axes` spatial axes.
bool wantSpatial(const PlanRequest& request, int axes, LayerPlan& plan);
/// True if input `port` is a sequence of known size, [N, T, features]; else adds an issue.
bool wantSequence(const PlanRequest& request, size_t port, LayerPlan& plan);
/// Adds the issue that an optional input does not fit: "'h0' wants f32 N×2×8, got f32 N×8".
/// @param wanted shape, before it the type where one alone will do
void refuseInput(const std::string& name, const std::string& wanted, const PortShape& got,
                 LayerPlan& plan);
/// "f32 N×2×8"
std::string typeAndShape(const PortShape& shape);
/// A parameter of each of `axes` spatial axes, with one default; a plain number for one axis.
ParamSpec axesParam(std::string name, int axes, int64_t value);
/// Its value, one number for each axis.
PerAxis perAxis(const ParamMap& params, std::string_view name, int axes);
/// A parameter that names one axis of the input: 1 .. and, from the end, -1 ..
ParamSpec axisParam(int64_t value);
/// The axis that the parameter names, counted from 0, if input 0 has it and it is not the batch;
/// else -1 and an issue.
int axisOf(const PlanRequest& request, std::string_view name, LayerPlan& plan);
/// "3x3", or "3" for one axis.
std::string sizeText(const PerAxis& size);
/// The small number that normalizations add to a variance.
ParamSpec epsilonParam(double value);
/// PyTorch's default bound of linear and convolution weights and biases: 1 / sqrt(fan in).
Init fanInUniform(int64_t fanIn);
/// U(-b, b) with b = sqrt(6 / (fan in + fan out)) (Glorot and Bengio 2010).
Init xavierUniform(int64_t fanIn, int64_t fanOut);
/// Adds "weight" (ones) and, if wanted, "bias" (zeros) of a normalization, their names behind
/// `prefix`.
void addScaleAndShift(int64_t size, const std::string& prefix, LayerPlan& plan, bool bias = true);
/// Adds "weight" [out, in] and, if wanted, "bias" [out] of a fully connected map.
void addLinear(int64_t in, int64_t out, bool bias, const std::string& prefix, LayerPlan& plan);

/// A plan whose output equals its input, for pointwise layers. `flopsPerElement` by convention of
/// the function.
LayerPlan samePlan(const PlanRequest& request, double flopsPerElement);

/// Weights of a call one after the other, as they were planned.
class WeightCursor {
 public:
  explicit WeightCursor(std::span<const Tensor> weights) : left_(weights) {}
  /// The next one; undefined, and none taken, if it was not planned.
  Tensor next(bool planned = true) {
    if (!planned) return {};
    Tensor weight = left_.front();
    left_ = left_.subspan(1);
    return weight;
  }

 private:
  std::span<const Tensor> left_;
};

/// Functions of a LayerDef from ones that serve several layers: kWith is the number of spatial
/// axes, or what else tells those layers apart.
template <auto kPlan, auto kWith>
LayerPlan planWith(const PlanRequest& request) {
  return kPlan(request, kWith);
}
template <auto kMake, auto kWith>
std::unique_ptr<Layer> makeWith(const PlanRequest& request) {
  return kMake(request, kWith);
}

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
