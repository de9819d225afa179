// SPDX-License-Identifier: Apache-2.0
// Layer "transpose": two axes of a sample change places.
#include "engine/layers/planning.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {
      intParam("first", 1)
          .called(TENON_TEXT("First axis"))
          .range(-7, 7)
          .describe(TENON_TEXT("Number of an axis: 1 is the first after the batch, -1 the last.")),
      intParam("second", 2)
          .called(TENON_TEXT("Second axis"))
          .range(-7, 7)
          .describe(TENON_TEXT("Number of the axis that it changes places with."))};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  const int first = axisOf(request, "first", result);
  const int second = axisOf(request, "second", result);
  if (first < 0 || second < 0) return result;
  PortShape out = request.inputs[0];
  std::swap(out.sizes[static_cast<size_t>(first)], out.sizes[static_cast<size_t>(second)]);
  result.summary = toString(out);
  result.outputs = {std::move(out)};
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer(
      [first = static_cast<int>(request.params.getInt("first")),
       second = static_cast<int>(request.params.getInt("second"))](const LayerCall& call) {
        return transpose(call.inputs[0], first, second);
      });
}

}  // namespace

const LayerDef& layerDef_transpose();
const LayerDef& layerDef_transpose() {
  static const LayerDef kDef = {
      .id = "transpose",
      .title = "Transpose",
      .family = LayerFamily::Shape,
      .help =
          TENON_TEXT("Two axes of a sample change places, e.g. channels and steps of a sequence."),
      .icon = "shape",
      .takes = LayerTakes::Any,
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
