// SPDX-License-Identifier: Apache-2.0
// Layer "concat": its inputs one after the other along an axis.
#include "engine/layers/planning.h"
#include "engine/ops/arrange/arrange.h"

namespace tenon {
namespace {

bool fits(const PortShape& first, const PortShape& in, size_t axis) {
  if (in.sizes.size() != first.sizes.size() || in.dtype != first.dtype) return false;
  for (size_t a = 0; a < in.sizes.size(); ++a)
    if (a != axis && in.sizes[a] != first.sizes[a]) return false;
  return true;
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  const int at = axisOf(request, "axis", result);
  if (at < 0) return result;
  const auto axis = static_cast<size_t>(at);
  PortShape out = request.inputs[0];
  for (const PortShape& in : request.inputs.subspan(1)) {
    if (!fits(out, in, axis)) {
      result.issues.push_back(
          layerIssue("graph.shape-mismatch",
                     TENON_TEXT("inputs may differ along axis {0} only, got {1} and {2}"),
                     {std::to_string(at), toString(request.inputs[0]), toString(in)}));
      return result;
    }
    out.sizes[axis] += in.sizes[axis];
  }
  result.summary = std::to_string(out.sizes[axis]);
  result.outputs = {std::move(out)};
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer(
      [axis = static_cast<int>(request.params.getInt("axis"))](const LayerCall& call) {
        return cat({call.inputs.begin(), call.inputs.end()}, axis);
      });
}

}  // namespace

const LayerDef& layerDef_concat();
const LayerDef& layerDef_concat() {
  static const LayerDef kDef = {
      .id = "concat",
      .title = "Concatenate",
      .family = LayerFamily::Merge,
      .help =
          TENON_TEXT("Puts its inputs one after the other along an axis, usually the channels."),
      .icon = "concat",
      .variadic = true,
      .takes = LayerTakes::Any,
      .schema = {axisParam(1)},
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
