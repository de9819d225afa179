// SPDX-License-Identifier: Apache-2.0
// Layer "flatten": several axes of a sample become one.
#include "engine/layers/planning.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {
      intParam("first_axis", 1)
          .range(1, 7)
          .describe(TENON_TEXT("The first axis that is joined; 1 is the first after the batch."))
          .forExperts(),
      intParam("last_axis", -1)
          .range(-7, 7)
          .describe(TENON_TEXT("The last axis that is joined; -1 is the last there is."))
          .forExperts()};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantKnownSizes(request, result)) return result;
  const PortShape& in = request.inputs[0];
  if (in.sizes.size() == 1) {  // one number a sample: a row of one
    result.outputs = {{{in.sizes[0], 1}, in.dtype}};
    return result;
  }
  const int first = axisOf(request, "first_axis", result);
  const int last = axisOf(request, "last_axis", result);
  if (first < 0 || last < 0) return result;
  if (last < first) {
    result.issues.push_back(layerIssue("graph.axis",
                                       TENON_TEXT("the last axis {0} lies before the first {1}"),
                                       {std::to_string(last), std::to_string(first)}, "last_axis"));
    return result;
  }
  PortShape out{{}, in.dtype};
  int64_t joined = 1;
  for (int a = 0; a < static_cast<int>(in.sizes.size()); ++a) {
    const int64_t size = in.sizes[static_cast<size_t>(a)];
    if (a >= first && a <= last) joined *= size;
    if (a == last) out.sizes.push_back(joined);
    if (a < first || a > last) out.sizes.push_back(size);
  }
  result.outputs = {std::move(out)};
  result.summary = std::to_string(joined);
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer(
      [first = static_cast<int>(request.params.getInt("first_axis")),
       last = static_cast<int>(request.params.getInt("last_axis"))](const LayerCall& call) {
        const Tensor& x = call.inputs[0];
        return x.ndim() == 1 ? unsqueeze(x, 1) : flatten(x, first, last);
      });
}

}  // namespace

const LayerDef& layerDef_flatten();
const LayerDef& layerDef_flatten() {
  static const LayerDef kDef = {
      .id = "flatten",
      .title = "Flatten",
      .family = LayerFamily::Shape,
      .help = TENON_TEXT("Puts all values of a sample into one row, as a linear layer wants them."),
      .icon = "shape",
      .takes = LayerTakes::Any,
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
