// SPDX-License-Identifier: Apache-2.0
// Recurrent layers: plan and execution. Every weight starts in U(-b, b), b = 1 / sqrt(hidden size),
// as PyTorch's do.
#include "engine/layers/recurrent.h"

#include <fmt/format.h>

#include "engine/ops/arrange/arrange.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

bool isElman(RecurrentKind kind) {
  return kind == RecurrentKind::RnnTanh || kind == RecurrentKind::RnnRelu;
}

/// Optional inputs.
constexpr size_t kLengths = 1, kHidden = 2, kCell = 3;

/// The values of the form.
struct Settings {
  int64_t hidden, layers, directions;
  bool lastOnly, bias;
  RecurrentOptions options;

  Settings(const ParamMap& params, RecurrentKind kind)
      : hidden(params.getInt("hidden_size")),
        layers(params.getInt("num_layers")),
        directions(params.getBool("bidirectional") ? 2 : 1),
        lastOnly(params.getString("output") == "last"),
        bias(params.getBool("bias")) {
    const bool relu = isElman(kind) && params.getString("nonlinearity") == "relu";
    options.kind = relu ? RecurrentKind::RnnRelu : kind;
    options.bidirectional = directions == 2;
    options.batchFirst = true;
    options.dropout = params.getFloat("dropout");
  }
};

/// Adds one weight of a layer and direction, called as in PyTorch: "weight_ih_l1_reverse".
void addWeights(const Settings& s, int64_t layer, int64_t direction, int64_t in, LayerPlan& plan) {
  const int64_t rows = gatesOf(s.options.kind) * s.hidden;
  const Init init = fanInUniform(s.hidden);
  const std::string end = fmt::format("_l{}{}", layer, direction == 1 ? "_reverse" : "");
  plan.weights.push_back({"weight_ih" + end, {rows, in}, init});
  plan.weights.push_back({"weight_hh" + end, {rows, s.hidden}, init});
  if (!s.bias) return;
  plan.weights.push_back({"bias_ih" + end, {rows}, init, true, false});
  plan.weights.push_back({"bias_hh" + end, {rows}, init, true, false});
}

class Recurrent final : public Layer {
 public:
  explicit Recurrent(const Settings& settings) : settings_(settings) {}

  void forward(LayerCall& call) const override {
    WeightCursor cursor(call.weights);
    std::vector<RecurrentWeights> weights(
        static_cast<size_t>(settings_.layers * settings_.directions));
    for (RecurrentWeights& w : weights) {
      w.input = cursor.next();
      w.hidden = cursor.next();
      w.inputBias = cursor.next(settings_.bias);
      w.hiddenBias = cursor.next(settings_.bias);
    }
    RecurrentOptions options = settings_.options;
    if (!call.training) options.dropout = 0;
    if (const Tensor lengths = call.wired(kLengths))
      options.lengths = to(lengths, DType::I64).toVector<int64_t>();
    const RecurrentState start = {turned(call.wired(kHidden)), turned(call.wired(kCell))};
    const RecurrentResult result = recurrent(call.inputs[0], weights, start, options);
    call.outputs[0] = settings_.lastOnly ? lastOf(result.end.hidden) : result.y;
    call.give(1, turned(result.end.hidden));
    call.give(2, turned(result.end.cell));
  }

 private:
  /// [N, states, H] as the operator has it, [states, N, H], and back.
  static Tensor turned(const Tensor& states) { return states ? transpose(states, 0, 1) : states; }

  /// The last layer's state of each direction, side by side: [N, directions * H].
  Tensor lastOf(const Tensor& hidden) const {
    const int64_t directions = settings_.directions;
    if (directions == 1) return select(hidden, 0, -1);
    return cat({select(hidden, 0, -2), select(hidden, 0, -1)}, 1);
  }

  Settings settings_;
};

/// True if lengths and start states fit what they are of; else adds an issue.
bool wantOptional(const PlanRequest& request, const PortShape& states, LayerPlan& plan) {
  if (const PortShape* lengths = request.wired(kLengths); lengths && lengths->sizes.size() != 1) {
    refuseInput("lengths", toString(PortShape{{request.inputs[0].sizes[0]}}), *lengths, plan);
    return false;
  }
  for (const auto& [port, name] : {std::pair(kHidden, "h0"), std::pair(kCell, "c0")}) {
    const PortShape* start = request.wired(port);
    if (!start || *start == states) continue;
    refuseInput(name, typeAndShape(states), *start, plan);
    return false;
  }
  return true;
}

}  // namespace

ParamSchema recurrentSchema(RecurrentKind kind) {
  std::vector<ParamSpec> specs = {
      intParam("hidden_size", 128)
          .range(1, 65536)
          .describe(TENON_TEXT("Numbers in the state that is carried from step to step.")),
      intParam("num_layers", 1)
          .range(1, 64)
          .describe(TENON_TEXT("Layers on top of each other; each reads the one below.")),
      boolParam("bidirectional", false)
          .describe(
              TENON_TEXT("A second direction runs from the end; doubles the output's last axis.")),
      choiceParam("output", "sequence", {"sequence", "last"})
          .describe(TENON_TEXT("The output of every step, or only the state that each direction "
                               "ends in.")),
      floatParam("dropout", 0.0)
          .range(0, 1)
          .describe(TENON_TEXT("Chance of a value between two layers to be set to zero.")),
      boolParam("bias", true)
          .describe(TENON_TEXT("Adds learned numbers to input and state."))
          .forExperts()};
  if (isElman(kind))
    specs.push_back(choiceParam("nonlinearity", "tanh", {"tanh", "relu"})
                        .describe(TENON_TEXT("Function that the new state goes through.")));
  return ParamSchema(std::move(specs));
}

LayerPlan planRecurrent(const PlanRequest& request, RecurrentKind kind) {
  LayerPlan result;
  if (!wantSequence(request, 0, result)) return result;
  const PortShape& in = request.inputs[0];
  const Settings s(request.params, kind);
  const PortShape states{{in.sizes[0], s.layers * s.directions, s.hidden}, in.dtype};
  if (!wantOptional(request, states, result)) return result;
  const int64_t width = s.directions * s.hidden;
  double perStep = 0;
  for (int64_t layer = 0; layer < s.layers; ++layer) {
    const int64_t from = layer == 0 ? in.sizes[2] : width;
    for (int64_t direction = 0; direction < s.directions; ++direction)
      addWeights(s, layer, direction, from, result);
    perStep += 2.0 * static_cast<double>(gatesOf(s.options.kind) * width) *
               static_cast<double>(from + s.hidden);
  }
  result.flops = perStep * static_cast<double>(in.sizes[1]);
  result.outputs = {{{in.sizes[0]}, in.dtype}};
  if (!s.lastOnly) result.outputs[0].sizes.push_back(in.sizes[1]);
  result.outputs[0].sizes.push_back(width);
  result.outputs.insert(result.outputs.end(), kind == RecurrentKind::Lstm ? 2 : 1, states);
  result.summary = fmt::format("{} → {}", in.sizes[2], width);
  if (s.layers > 1) result.summary += fmt::format(", ×{}", s.layers);
  return result;
}

std::unique_ptr<Layer> makeRecurrent(const PlanRequest& request, RecurrentKind kind) {
  return std::make_unique<Recurrent>(Settings(request.params, kind));
}

}  // namespace tenon
