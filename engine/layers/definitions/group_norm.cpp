// SPDX-License-Identifier: Apache-2.0
// Layer "group_norm": normalizes groups of channels of each sample (Wu and He 2018,
// arXiv:1803.08494).
#include "engine/ops/layer_norm/group_norm.h"

#include "engine/layers/planning.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {intParam("groups", 8)
              .range(1, 65536)
              .describe(TENON_TEXT("Channels are cut into so many groups; must divide them.")),
          epsilonParam(1e-5),
          boolParam("affine", true)
              .describe(TENON_TEXT("Scales and shifts each channel with learned numbers."))};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  const PortShape& in = request.inputs[0];
  if (!wantAtLeast(request, 2, result) || !wantKnownSizes(request, result)) return result;
  const int64_t channels = in.sizes[1], groups = request.params.getInt("groups");
  if (channels % groups != 0) {
    result.issues.push_back(
        layerIssue("graph.groups", TENON_TEXT("groups {0} must divide the {1} channels"),
                   {std::to_string(groups), std::to_string(channels)}, "groups"));
    return result;
  }
  result.outputs = {in};
  if (request.params.getBool("affine")) addScaleAndShift(channels, "", result);
  result.flops = 8.0 * static_cast<double>(in.perSample());
  result.summary = std::to_string(channels) + ", g" + std::to_string(groups);
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([groups = request.params.getInt("groups"),
                        eps = request.params.getFloat("eps")](const LayerCall& call) {
    const bool affine = !call.weights.empty();
    return groupNorm(call.inputs[0], groups, affine ? call.weights[0] : Tensor(),
                     affine ? call.weights[1] : Tensor(), eps);
  });
}

}  // namespace

const LayerDef& layerDef_group_norm();
const LayerDef& layerDef_group_norm() {
  static const LayerDef kDef = {
      .id = "group_norm",
      .title = "Group norm",
      .family = LayerFamily::Normalization,
      .help = TENON_TEXT("Brings groups of channels of each sample to mean 0 and variance 1; works "
                         "the same for any batch size."),
      .icon = "norm",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
