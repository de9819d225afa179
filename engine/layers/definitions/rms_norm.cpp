// SPDX-License-Identifier: Apache-2.0
// Layer "rms_norm": divides each sample's last axis by its root mean square (Zhang and Sennrich
// 2019, arXiv:1910.07467).
#include "engine/ops/rms_norm/rms_norm.h"

#include "engine/layers/planning.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {
      floatParam("eps", 1e-6)
          .called(TENON_TEXT("Epsilon"))
          .above(0)
          .onLogScale()
          .describe(TENON_TEXT("Added to the mean square."))
          .forExperts(),
      boolParam("affine", true).describe(TENON_TEXT("Scales the result with learned numbers."))};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  const PortShape& in = request.inputs[0];
  if (!wantAtLeast(request, 2, result) || !wantKnownSizes(request, result)) return result;
  const int64_t size = in.sizes.back();
  result.outputs = {in};
  if (request.params.getBool("affine")) addScaleAndShift(size, "", result, false);
  result.flops = 4.0 * static_cast<double>(in.perSample());
  result.summary = std::to_string(size);
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  RmsNormParams params;
  params.eps = request.params.getFloat("eps");
  return functionLayer([params](const LayerCall& call) {
    return rmsNorm(call.inputs[0], call.weights.empty() ? Tensor() : call.weights[0], params);
  });
}

}  // namespace

const LayerDef& layerDef_rms_norm();
const LayerDef& layerDef_rms_norm() {
  static const LayerDef kDef = {
      .id = "rms_norm",
      .title = "RMS norm",
      .family = LayerFamily::Normalization,
      .help = TENON_TEXT("Divides the last axis of each sample by its root mean square; simpler "
                         "than layer norm, as in recent language models."),
      .icon = "norm",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
