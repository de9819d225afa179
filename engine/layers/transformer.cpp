// SPDX-License-Identifier: Apache-2.0
// Transformer blocks: forms, plan and execution. Each part is added to what it read; the
// normalization stands behind the sum, or with norm_first before the part.
#include "engine/layers/transformer.h"

#include <fmt/format.h>

#include "engine/layers/attention.h"
#include "engine/ops/dropout/dropout.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/layer_norm/layer_norm.h"
#include "engine/ops/linear/linear.h"

namespace tenon {
namespace {

struct Settings {
  AttentionSettings attention;
  int64_t wide;
  bool gelu, normFirst;
  double eps;
  bool decoder;

  Settings(const ParamMap& params, TransformerPart part)
      : attention(params),
        wide(params.getInt("feedforward_size")),
        gelu(params.getString("activation") == "gelu"),
        normFirst(params.getBool("norm_first")),
        eps(params.getFloat("eps")),
        decoder(part == TransformerPart::Decoder) {}

  /// One a part.
  size_t normCount() const { return decoder ? 3 : 2; }
  /// Behind the inputs that need a wire; a decoder's mask of the memory comes next.
  size_t maskPort() const { return decoder ? 2 : 1; }
};

/// What a normalization has learned.
struct Norm {
  Tensor weight, bias;
};

class TransformerBlock final : public Layer {
 public:
  explicit TransformerBlock(const Settings& settings) : settings_(settings) {}

  void forward(LayerCall& call) const override {
    // Planned in PyTorch's order, where the normalizations stand last.
    const size_t norms = settings_.normCount() * (settings_.attention.bias ? 2 : 1);
    WeightCursor weights(call.weights.first(call.weights.size() - norms));
    WeightCursor ofNorms(call.weights.last(norms));
    Tensor x = call.inputs[0];
    x = addPart(x, ofNorms, call.training, [&](const Tensor& in) {
      const Tensor mask = call.wired(settings_.maskPort());
      return attend(settings_.attention, {in, in, in, mask}, weights, call.training);
    });
    if (settings_.decoder) {
      AttentionSettings across = settings_.attention;
      across.causal = false;
      x = addPart(x, ofNorms, call.training, [&](const Tensor& in) {
        const Tensor& memory = call.inputs[1];
        return attend(across, {in, memory, memory, call.wired(3)}, weights, call.training);
      });
    }
    call.outputs[0] = addPart(x, ofNorms, call.training, [&](const Tensor& in) {
      return feedForward(in, weights, call.training);
    });
  }

 private:
  template <class Part>
  Tensor addPart(const Tensor& x, WeightCursor& norms, bool training, Part&& part) const {
    const Norm norm{norms.next(), norms.next(settings_.attention.bias)};
    LayerNormParams params;
    params.eps = settings_.eps;
    const Tensor from = settings_.normFirst ? layerNorm(x, norm.weight, norm.bias, params) : x;
    const Tensor sum = add(x, dropout(part(from), settings_.attention.dropout, training));
    return settings_.normFirst ? sum : layerNorm(sum, norm.weight, norm.bias, params);
  }

  Tensor feedForward(const Tensor& x, WeightCursor& weights, bool training) const {
    const bool bias = settings_.attention.bias;
    const Tensor first = weights.next(), firstBias = weights.next(bias);
    const Tensor second = weights.next(), secondBias = weights.next(bias);
    const Tensor wide = linear(x, first, firstBias);
    const Tensor active = settings_.gelu ? gelu(wide) : relu(wide);
    return linear(dropout(active, settings_.attention.dropout, training), second, secondBias);
  }

  Settings settings_;
};

bool planParts(const Settings& s, const PlanRequest& request, LayerPlan& plan) {
  const PortShape& in = request.inputs[0];
  const std::vector<PortShape> self = {in, in, in};
  if (!planAttention(s.attention, self, "self_attn.", plan)) return false;
  if (!wantMask(request, s.maskPort(), "mask", in, in, plan)) return false;
  if (!s.decoder) return true;
  const PortShape& memory = request.inputs[1];
  if (memory.sizes[2] != in.sizes[2]) {
    plan.issues.push_back(
        layerIssue("graph.shape-mismatch",
                   TENON_TEXT("the memory wants as many features as the input, got {0} and {1}"),
                   {toString(memory), toString(in)}));
    return false;
  }
  return planAttention(s.attention, std::vector<PortShape>{in, memory, memory}, "multihead_attn.",
                       plan) &&
         wantMask(request, s.maskPort() + 1, "memory_mask", in, memory, plan);
}

}  // namespace

ParamSchema transformerSchema(TransformerPart part) {
  std::vector<ParamSpec> specs = attentionParams();
  for (ParamSpec& spec : specs) {
    if (spec.name == "dropout") spec.defaultValue = 0.1;
    if (spec.name == "causal") spec.defaultValue = part == TransformerPart::Decoder;
    if (spec.name == "bias")
      spec.help = TENON_TEXT("Adds learned numbers after each projection and normalization.");
  }
  specs.insert(specs.begin() + 1,
               intParam("feedforward_size", 2048)
                   .range(1, 1 << 20)
                   .describe(TENON_TEXT("Numbers between the two linear maps at the end.")));
  specs.push_back(choiceParam("activation", "relu", {"relu", "gelu"})
                      .describe(TENON_TEXT("Function between the two linear maps.")));
  specs.push_back(
      boolParam("norm_first", false)
          .describe(TENON_TEXT("Normalizes before each part and not after it; deep stacks then "
                               "learn without a warm-up.")));
  specs.push_back(epsilonParam(1e-5));
  return ParamSchema(std::move(specs));
}

LayerPlan planTransformer(const PlanRequest& request, TransformerPart part) {
  LayerPlan result;
  const Settings s(request.params, part);
  for (size_t port = 0; port < s.maskPort(); ++port)
    if (!wantSequence(request, port, result)) return result;
  const PortShape& in = request.inputs[0];
  if (!planParts(s, request, result)) return result;
  const int64_t features = in.sizes[2];
  addLinear(features, s.wide, s.attention.bias, "linear1.", result);
  addLinear(s.wide, features, s.attention.bias, "linear2.", result);
  for (size_t i = 1; i <= s.normCount(); ++i)
    addScaleAndShift(features, fmt::format("norm{}.", i), result, s.attention.bias);
  const auto elements = static_cast<double>(in.perSample());
  result.flops +=
      elements * (4.0 * static_cast<double>(s.wide) + 8.0 * static_cast<double>(s.normCount()));
  result.outputs = {in};
  result.summary = fmt::format("h{}, {}", s.attention.heads, s.wide);
  return result;
}

std::unique_ptr<Layer> makeTransformer(const PlanRequest& request, TransformerPart part) {
  return std::make_unique<TransformerBlock>(Settings(request.params, part));
}

}  // namespace tenon
