// SPDX-License-Identifier: Apache-2.0
// Layer "residual": a body's output added to its input, or to a shortcut's output (He et al. 2016,
// arXiv:1512.03385).
#include "engine/layers/flow.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!flow::wantSlot(request, "body", result)) return result;
  const std::optional<LayerPlan> body = flow::planSlot(request, "body", "", result);
  const std::optional<LayerPlan> shortcut = flow::planSlot(request, "shortcut", "shortcut", result);
  if (!body || !shortcut) return result;
  const PortShape& out = body->outputs[0];
  if (!flow::wantSame(out, shortcut->outputs[0],
                      flow::hasGraph(request, "shortcut")
                          ? TENON_TEXT("body and shortcut must give one shape, got {0} and {1}")
                          : TENON_TEXT("without a shortcut the body must give the shape it gets, "
                                       "{1}, but gives {0}"),
                      "body", result))
    return result;
  flow::addWeights(*body, "", result);
  flow::addWeights(*shortcut, "", result);
  result.outputs = {out};
  result.flops = body->flops + shortcut->flops + static_cast<double>(out.perSample());
  result.activationBytes = flow::plus(
      flow::plus(body->activationBytes.value_or(0), shortcut->activationBytes.value_or(0)),
      flow::times(out.perSample(), static_cast<int64_t>(dtypeBytes(out.dtype))));
  result.turns = flow::plus(body->turns, shortcut->turns);
  return result;
}

class Residual final : public Layer {
 public:
  explicit Residual(const PlanRequest& request)
      : body_(request, "body", ""), shortcut_(request, "shortcut", "shortcut") {}

  void forward(LayerCall& call) const override {
    const Tensor& x = call.inputs[0];
    const Tensor y = body_.call(x, call.weights.first(body_.weights()), call.training);
    const Tensor same = shortcut_.call(x, call.weights.subspan(body_.weights()), call.training);
    call.outputs[0] = add(y, same);
  }

 private:
  flow::Branch body_;
  flow::Branch shortcut_;
};

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return std::make_unique<Residual>(request);
}

}  // namespace

const LayerDef& layerDef_residual();
const LayerDef& layerDef_residual() {
  static const LayerDef kDef = {
      .id = "residual",
      .title = "Residual",
      .family = LayerFamily::Flow,
      .help = TENON_TEXT("Adds its input to what the graph inside of it makes of it; a shortcut "
                         "brings the input to the body's shape where they differ."),
      .icon = "add",
      .slots = {{"body", TENON_TEXT("The layers whose output is added.")},
                {"shortcut", TENON_TEXT("What the input goes through; none leaves it."), false}},
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
