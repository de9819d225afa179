// SPDX-License-Identifier: Apache-2.0
// Layer "reshape": a sample in another shape of as many values.
#include "engine/layers/reshaping.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {
      sizesParam("shape", {-1})
          .describe(TENON_TEXT("Sizes of one sample, without the batch; -1: whatever is left."))};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantKnownSizes(request, result)) return result;
  const PortShape& in = request.inputs[0];
  const std::vector<int64_t> sizes = sizesFor(request, "shape", in.perSample(), result);
  if (sizes.empty()) return result;
  PortShape out{{in.sizes[0]}, in.dtype};
  out.sizes.insert(out.sizes.end(), sizes.begin(), sizes.end());
  result.summary = toString(out);
  result.outputs = {std::move(out)};
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer([sizes = plan(request).outputs.at(0).sizes](const LayerCall& call) {
    Shape shape = {call.inputs[0].size(0)};
    for (size_t a = 1; a < sizes.size(); ++a) shape.push(sizes[a]);
    return reshape(call.inputs[0], shape);
  });
}

}  // namespace

const LayerDef& layerDef_reshape();
const LayerDef& layerDef_reshape() {
  static const LayerDef kDef = {
      .id = "reshape",
      .title = "Reshape",
      .family = LayerFamily::Shape,
      .help = TENON_TEXT("Gives the values of a sample another shape, in the order they lie in."),
      .icon = "shape",
      .takes = LayerTakes::Any,
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
