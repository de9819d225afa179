// SPDX-License-Identifier: Apache-2.0
// Layer "repeat": a body run several times, how often being decided while it runs.
//
// Only the turns made are recorded, so that backward goes through those and no others. A number of
// turns that is drawn comes from the thread's generator, which is part of a checkpoint.
#include <fmt/format.h>

#include "engine/layers/flow.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/random/random.h"
#include "engine/ops/reduce/reduce.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {
      intParam("times", 2)
          .range(1, 1000)
          .describe(TENON_TEXT("How often the body runs, at most if it is decided while "
                               "running.")),
      choiceParam("decides", "fixed", {"fixed", "random", "settles"})
          .describe(TENON_TEXT("What decides how often: always the same number; in training a "
                               "random one of at_least .. times; or the output, once it "
                               "changes little.")),
      intParam("at_least", 1)
          .range(1, 1000)
          .describe(TENON_TEXT("Fewest turns that 'random' draws.")),
      floatParam("tolerance", 1e-3)
          .above(0)
          .onLogScale()
          .describe(TENON_TEXT("'settles' stops after a turn that changes elements by less than "
                               "this on average.")),
      boolParam("shared_weights", true)
          .describe(TENON_TEXT("One set of weights for all turns; else each turn has its "
                               "own."))};
}

/// Whether turns are not told apart: they share weights.
bool isShared(const PlanRequest& request) { return request.params.getBool("shared_weights"); }

bool checkBounds(const PlanRequest& request, const LayerPlan& body, LayerPlan& result) {
  const int64_t count = request.params.getInt("times");
  if (request.params.getString("decides") == "random" &&
      request.params.getInt("at_least") > count) {
    result.issues.push_back(layerIssue(
        "graph.repeat", TENON_TEXT("must be at most times, {0}, got {1}"),
        {std::to_string(count), std::to_string(request.params.getInt("at_least"))}, "at_least"));
  }
  const int64_t turns = flow::times(count, std::max<int64_t>(1, body.turns));
  if (turns > flow::kMostTurns)
    result.issues.push_back(layerIssue(
        "graph.turns",
        TENON_TEXT("repeats inside of each other make {0} turns in a call, at most {1} can be"),
        {std::to_string(turns), std::to_string(flow::kMostTurns)}, "times"));
  const int64_t weights = flow::times(static_cast<int64_t>(body.weights.size()), count);
  if (!isShared(request) && weights > flow::kMostWeights)
    result.issues.push_back(
        layerIssue("graph.weights",
                   TENON_TEXT("turns with weights of their own have {0} weights, at most {1} can "
                              "be"),
                   {std::to_string(weights), std::to_string(flow::kMostWeights)}, "times"));
  return !hasErrors(result.issues);
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!flow::wantSlot(request, "body", result)) return result;
  const std::optional<LayerPlan> body = flow::planSlot(request, "body", "", result);
  if (!body ||
      !flow::wantSame(request.inputs[0], body->outputs[0],
                      TENON_TEXT("a body that is repeated must give the shape it gets, {0}, but "
                                 "gives {1}"),
                      "body", result) ||
      !checkBounds(request, *body, result))
    return result;
  const int64_t count = request.params.getInt("times");
  if (isShared(request)) {
    flow::addWeights(*body, "", result);
  } else {
    result.weights.reserve(body->weights.size() * static_cast<size_t>(count));
    for (int64_t turn = 0; turn < count; ++turn)
      flow::addWeights(*body, std::to_string(turn), result);
  }
  result.outputs = {request.inputs[0]};
  result.flops = body->flops * static_cast<double>(count);
  result.activationBytes = flow::times(body->activationBytes.value_or(0), count);
  result.turns = flow::times(count, std::max<int64_t>(1, body->turns));
  const std::string& decides = request.params.getString("decides");
  result.summary = decides == "random"
                       ? fmt::format("{}–{} times", request.params.getInt("at_least"), count)
                   : decides == "settles" ? fmt::format("up to {} times", count)
                                          : fmt::format("{} times", count);
  return result;
}

class Repeat final : public Layer {
 public:
  explicit Repeat(const PlanRequest& request)
      : times_(request.params.getInt("times")),
        atLeast_(request.params.getInt("at_least")),
        random_(request.params.getString("decides") == "random"),
        settles_(request.params.getString("decides") == "settles"),
        tolerance_(request.params.getFloat("tolerance")) {
    const auto made = static_cast<size_t>(isShared(request) ? 1 : times_);
    bodies_.reserve(made);
    for (size_t turn = 0; turn < made; ++turn)
      bodies_.emplace_back(request, "body",
                           made == 1 && isShared(request) ? "" : std::to_string(turn));
  }

  void forward(LayerCall& call) const override {
    const int64_t turns = turnsOf(call);
    Tensor x = call.inputs[0];
    for (int64_t turn = 0; turn < turns; ++turn) {
      const bool shared = bodies_.size() == 1;
      const size_t which = shared ? 0 : static_cast<size_t>(turn);
      const flow::Branch& body = bodies_[which];
      const Tensor y =
          body.call(x, call.weights.subspan(which * body.weights(), body.weights()), call.training);
      const bool done = settles_ && change(x, y) < tolerance_;
      x = y;
      if (done) break;
    }
    call.outputs[0] = x;
  }

 private:
  int64_t turnsOf(const LayerCall& call) const {
    if (!random_ || !call.training) return times_;
    const gate::NoGradGuard noGrad;
    return randint({}, atLeast_, times_ + 1).data<int64_t>()[0];
  }

  /// Mean of |y - x|.
  static double change(const Tensor& x, const Tensor& y) {
    const gate::NoGradGuard noGrad;
    return flow::numberIn(mean(abs(sub(cast(y, DType::F32), cast(x, DType::F32)))));
  }

  int64_t times_;
  int64_t atLeast_;
  bool random_;
  bool settles_;
  double tolerance_;
  std::vector<flow::Branch> bodies_;  ///< one, or one a turn
};

std::unique_ptr<Layer> make(const PlanRequest& request) {
  return std::make_unique<Repeat>(request);
}

}  // namespace

const LayerDef& layerDef_repeat();
const LayerDef& layerDef_repeat() {
  static const LayerDef kDef = {
      .id = "repeat",
      .title = "Repeat",
      .family = LayerFamily::Flow,
      .help = TENON_TEXT("Runs the graph inside of it several times, each turn on what the one "
                         "before gave. How often can be decided while it runs."),
      .icon = "refresh",
      .takes = LayerTakes::Any,
      .schema = schema(),
      .slots = {{"body", TENON_TEXT("The layers to repeat; they keep the shape.")}},
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
