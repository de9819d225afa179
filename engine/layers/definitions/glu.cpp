// SPDX-License-Identifier: Apache-2.0
// Layer "glu": one half of an axis gates the other (Dauphin et al. 2017, arXiv:1612.08083).
#include "engine/ops/glu/glu.h"
#include "engine/layers/planning.h"

namespace tenon {
namespace {

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  const int axis = axisOf(request, "axis", result);
  if (axis < 0 || !wantKnownSizes(request, result)) return result;
  PortShape out = request.inputs[0];
  int64_t& size = out.sizes[static_cast<size_t>(axis)];
  if (size % 2 != 0) {
    result.issues.push_back(layerIssue(
        "graph.size", TENON_TEXT("wants an even size to cut in half, axis {0} of {1} has {2}"),
        {std::to_string(axis), toString(out), std::to_string(size)}, "axis"));
    return result;
  }
  size /= 2;
  result.flops = 5.0 * static_cast<double>(out.perSample());
  result.outputs = {std::move(out)};
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([axis = static_cast<int>(request.params.getInt("axis"))](
                           const LayerCall& call) { return glu(call.inputs[0], axis); });
}

}  // namespace

const LayerDef& layerDef_glu();
const LayerDef& layerDef_glu() {
  static const LayerDef kDef = {.id = "glu",
                                .title = "GLU",
                                .family = LayerFamily::Activation,
                                .help = TENON_TEXT("Cuts an axis in half; the first half passes as "
                                                   "far as the sigmoid of the second lets it."),
                                .icon = "activation",
                                .schema = {axisParam(-1)},
                                .plan = &plan,
                                .make = &make};
  return kDef;
}

}  // namespace tenon
