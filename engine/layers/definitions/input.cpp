// SPDX-License-Identifier: Apache-2.0
// Layer "input": where the batch enters the graph.
#include "engine/layers/planning.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {intListParam("shape", {})
              .count(0, 7)
              .atLeast(1)
              .describe(TENON_TEXT("Sizes of one sample, e.g. 1, 28, 28 for a grey image; empty: "
                                   "as the data has them.")),
          choiceParam("dtype", "data", {"data", "f32", "i64"})
              .called(TENON_TEXT("Type"))
              .describe(TENON_TEXT("Type of the values: as the data has them, numbers with a "
                                   "fraction (f32), or whole numbers such as tokens (i64)."))
              .forExperts()};
}

// The graph gives the shape of the data as the one "input" of the plan, or none if the data is not
// known.
LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  const std::string& type = request.params.getString("dtype");
  PortShape wanted{{kFreeSize}, type == "i64" ? DType::I64 : DType::F32};
  for (int64_t size : request.params.getInts("shape")) wanted.sizes.push_back(size);
  const bool given = wanted.sizes.size() > 1;
  if (request.inputs.empty()) {
    if (given) result.outputs = {wanted};
    return result;
  }
  const PortShape& data = request.inputs[0];
  if (given && data.sizes != wanted.sizes)
    result.issues.push_back(layerIssue("graph.input-shape",
                                       TENON_TEXT("is declared as {0}, the data gives {1}"),
                                       {toString(wanted), toString(data)}, "shape"));
  if (type != "data" && data.dtype != wanted.dtype)
    result.issues.push_back(layerIssue("graph.type",
                                       TENON_TEXT("is declared as {0}, the data gives {1}"),
                                       {type, std::string(dtypeName(data.dtype))}, "dtype"));
  result.outputs = {data};
  return result;
}

std::unique_ptr<Layer> make(const PlanRequest&) {
  return functionLayer([](const LayerCall& call) { return call.inputs[0]; });
}

}  // namespace

const LayerDef& layerDef_input();
const LayerDef& layerDef_input() {
  static const LayerDef kDef = {
      .id = "input",
      .title = "Input",
      .family = LayerFamily::Data,
      .help =
          TENON_TEXT("The batch as the data pipeline makes it. Its shape follows from the data."),
      .icon = "data",
      .inputs = {},
      .takes = LayerTakes::Any,
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
