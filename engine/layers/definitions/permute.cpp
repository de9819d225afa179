// SPDX-License-Identifier: Apache-2.0
// Layer "permute": the axes of a sample in another order.
#include <algorithm>

#include "engine/layers/planning.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {intListParam("order", {2, 1})
              .count(1, 7)
              .range(1, 7)
              .describe(TENON_TEXT("Which axis of the input comes first, second, ...; the batch "
                                   "stays where it is. 2, 3, 1 puts channels last."))};
}

bool orderFits(const std::vector<int64_t>& order, const PortShape& in, LayerPlan& plan) {
  std::vector<int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool fits = sorted.size() + 1 == in.sizes.size();
  for (size_t i = 0; i < sorted.size(); ++i)
    fits = fits && sorted[i] == static_cast<int64_t>(i) + 1;
  if (!fits)
    plan.issues.push_back(layerIssue("graph.axis",
                                     TENON_TEXT("wants each of the axes 1 to {0} of {1} once"),
                                     {std::to_string(in.sizes.size() - 1), toString(in)}, "order"));
  return fits;
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  const PortShape& in = request.inputs[0];
  const std::vector<int64_t> order = request.params.getInts("order");
  if (!wantAtLeast(request, 2, result) || !orderFits(order, in, result)) return result;
  PortShape out{{in.sizes[0]}, in.dtype};
  for (int64_t axis : order) out.sizes.push_back(in.sizes[static_cast<size_t>(axis)]);
  result.summary = toString(out);
  result.outputs = {std::move(out)};
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  Axes order = {0};
  for (int64_t axis : request.params.getInts("order")) order.push_back(static_cast<int>(axis));
  return functionLayer([order](const LayerCall& call) { return permute(call.inputs[0], order); });
}

}  // namespace

const LayerDef& layerDef_permute();
const LayerDef& layerDef_permute() {
  static const LayerDef kDef = {.id = "permute",
                                .title = "Permute",
                                .family = LayerFamily::Shape,
                                .help = TENON_TEXT("Puts the axes of a sample into another order."),
                                .icon = "shape",
                                .takes = LayerTakes::Any,
                                .schema = schema(),
                                .plan = &plan,
                                .make = &make};
  return kDef;
}

}  // namespace tenon
