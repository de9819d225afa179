// SPDX-License-Identifier: Apache-2.0
// Layer "sequential": a graph as one layer.
#include "engine/layers/flow.h"

namespace tenon {
namespace {

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!flow::wantSlot(request, "body", result)) return result;
  std::optional<LayerPlan> body = flow::planSlot(request, "body", "", result);
  if (!body) return result;
  body->issues = std::move(result.issues);
  return *std::move(body);
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return functionLayer(
      [body = std::make_shared<flow::Branch>(request, "body", "")](const LayerCall& call) {
        return body->call(call.inputs[0], call.weights, call.training);
      });
}

}  // namespace

const LayerDef& layerDef_sequential();
const LayerDef& layerDef_sequential() {
  static const LayerDef kDef = {
      .id = "sequential",
      .title = "Sequential",
      .family = LayerFamily::Flow,
      .help = TENON_TEXT("Runs the graph inside of it, so that a part of the model is one layer."),
      .icon = "layer",
      .takes = LayerTakes::Any,
      .slots = {{"body", TENON_TEXT("The layers to run.")}},
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
