// SPDX-License-Identifier: Apache-2.0
// Layer "condition": one of two graphs, which one being decided while it runs.
//
// Only the branch taken runs and is recorded; weights of the other have no gradient in that step.
#include <fmt/format.h>

#include <algorithm>

#include "engine/layers/flow.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/random/random.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {choiceParam("decides", "training", {"training", "random", "mean_above"})
              .describe(TENON_TEXT("What chooses 'then': training, with 'else' in validation; in "
                                   "training a random number; or the mean of the input.")),
          floatParam("probability", 0.5)
              .range(0, 1)
              .describe(TENON_TEXT("Chance of 'then' if it is 'random'; validation takes it "
                                   "always.")),
          floatParam("threshold", 0.0)
              .describe(TENON_TEXT("'mean_above' takes 'then' if the mean of the batch is above "
                                   "this."))};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!flow::wantSlot(request, "then", result)) return result;
  const std::optional<LayerPlan> then = flow::planSlot(request, "then", "then", result);
  const std::optional<LayerPlan> other = flow::planSlot(request, "else", "else", result);
  if (!then || !other ||
      !flow::wantSame(then->outputs[0], other->outputs[0],
                      flow::hasGraph(request, "else")
                          ? TENON_TEXT("'then' and 'else' must give one shape, got {0} and {1}")
                          : TENON_TEXT("without 'else' the graph 'then' must give the shape it "
                                       "gets, {1}, but gives {0}"),
                      "then", result))
    return result;
  flow::addWeights(*then, "", result);
  flow::addWeights(*other, "", result);
  result.outputs = {then->outputs[0]};
  result.flops = std::max(then->flops, other->flops);
  result.activationBytes =
      std::max(then->activationBytes.value_or(0), other->activationBytes.value_or(0));
  result.turns = std::max(then->turns, other->turns);
  const std::string& decides = request.params.getString("decides");
  result.summary =
      decides == "random"       ? fmt::format("p {:g}", request.params.getFloat("probability"))
      : decides == "mean_above" ? fmt::format("mean > {:g}", request.params.getFloat("threshold"))
                                : "in training";
  return result;
}

class Condition final : public Layer {
 public:
  explicit Condition(const PlanRequest& request)
      : decides_(request.params.getString("decides")),
        probability_(request.params.getFloat("probability")),
        threshold_(request.params.getFloat("threshold")),
        then_(request, "then", "then"),
        else_(request, "else", "else") {}

  void forward(LayerCall& call) const override {
    const Tensor& x = call.inputs[0];
    call.outputs[0] = takesThen(call)
                          ? then_.call(x, call.weights.first(then_.weights()), call.training)
                          : else_.call(x, call.weights.subspan(then_.weights()), call.training);
  }

 private:
  bool takesThen(const LayerCall& call) const {
    const gate::NoGradGuard noGrad;
    if (decides_ == "training") return call.training;
    if (decides_ == "mean_above")
      return flow::numberIn(mean(cast(call.inputs[0], DType::F32))) > threshold_;
    return !call.training || flow::numberIn(uniform({}, 0, 1)) < probability_;
  }

  std::string decides_;
  double probability_;
  double threshold_;
  flow::Branch then_;
  flow::Branch else_;
};

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return std::make_unique<Condition>(request);
}

}  // namespace

const LayerDef& layerDef_condition();
const LayerDef& layerDef_condition() {
  static const LayerDef kDef = {
      .id = "condition",
      .title = "Condition",
      .family = LayerFamily::Flow,
      .help = TENON_TEXT("Runs one of the two graphs inside of it, decided anew in each call."),
      .icon = "split",
      .takes = LayerTakes::Any,
      .schema = schema(),
      .slots = {{"then", TENON_TEXT("The layers if the condition holds.")},
                {"else", TENON_TEXT("The layers if not; none passes the input on."), false}},
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
