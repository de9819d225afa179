// SPDX-License-Identifier: Apache-2.0
// Layer "layer_norm": normalizes each sample over its last axis (Ba et al. 2016, arXiv:1607.06450).
#include "engine/ops/layer_norm/layer_norm.h"

#include "engine/layers/planning.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {epsilonParam(1e-5),
          boolParam("affine", true)
              .describe(TENON_TEXT("Scales and shifts the result with learned numbers."))};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  const PortShape& in = request.inputs[0];
  if (!wantAtLeast(request, 2, result) || !wantKnownSizes(request, result)) return result;
  const int64_t size = in.sizes.back();
  result.outputs = {in};
  if (request.params.getBool("affine")) addScaleAndShift(size, "", result);
  result.flops = 8.0 * static_cast<double>(in.perSample());
  result.summary = std::to_string(size);
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  LayerNormParams params;
  params.eps = request.params.getFloat("eps");
  return functionLayer([params](const LayerCall& call) {
    const bool affine = !call.weights.empty();
    return layerNorm(call.inputs[0], affine ? call.weights[0] : Tensor(),
                     affine ? call.weights[1] : Tensor(), params);
  });
}

}  // namespace

const LayerDef& layerDef_layer_norm();
const LayerDef& layerDef_layer_norm() {
  static const LayerDef kDef = {
      .id = "layer_norm",
      .title = "Layer norm",
      .family = LayerFamily::Normalization,
      .help = TENON_TEXT("Brings the last axis of each sample to mean 0 and variance 1."),
      .icon = "norm",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
