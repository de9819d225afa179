// SPDX-License-Identifier: Apache-2.0
// Layer "unflatten": one axis becomes several.
#include "engine/layers/reshaping.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {axisParam(1),
          sizesParam("sizes", {1, -1})
              .describe(TENON_TEXT("Sizes that the axis is cut into; -1: whatever is left."))};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  const int axis = axisOf(request, "axis", result);
  if (axis < 0 || !wantKnownSizes(request, result)) return result;
  PortShape out = request.inputs[0];
  const auto at = out.sizes.begin() + axis;
  const std::vector<int64_t> sizes = sizesFor(request, "sizes", *at, result);
  if (sizes.empty()) return result;
  out.sizes.insert(out.sizes.erase(at), sizes.begin(), sizes.end());
  result.summary = toString(out);
  result.outputs = {std::move(out)};
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  const PortShape out = plan(request).outputs.at(0);
  return functionLayer([out](const LayerCall& call) {
    Shape shape = {call.inputs[0].size(0)};
    for (size_t a = 1; a < out.sizes.size(); ++a) shape.push(out.sizes[a]);
    return reshape(call.inputs[0], shape);
  });
}

}  // namespace

const LayerDef& layerDef_unflatten();
const LayerDef& layerDef_unflatten() {
  static const LayerDef kDef = {
      .id = "unflatten",
      .title = "Unflatten",
      .family = LayerFamily::Shape,
      .help = TENON_TEXT("Cuts one axis into several, e.g. 64 features into 4 groups of 16."),
      .icon = "shape",
      .takes = LayerTakes::Any,
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
