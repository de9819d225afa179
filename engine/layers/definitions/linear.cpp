// SPDX-License-Identifier: Apache-2.0
// Layer "linear": y = x W^T + b on the last axis.
#include "engine/ops/linear/linear.h"

#include "engine/layers/planning.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {intParam("out_features", 128)
              .range(1, 1 << 24)
              .describe(TENON_TEXT("Size of the output's last axis.")),
          boolParam("bias", true).describe(TENON_TEXT("Adds a learned number per output."))};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  const PortShape& in = request.inputs[0];
  if (!wantAtLeast(request, 2, result) || !wantKnownSizes(request, result)) return result;
  const int64_t from = in.sizes.back();
  const int64_t to = request.params.getInt("out_features");
  PortShape out = in;
  out.sizes.back() = to;
  const bool bias = request.params.getBool("bias");
  addLinear(from, to, bias, "", result);
  result.flops =
      static_cast<double>(out.perSample()) * static_cast<double>(2 * from + (bias ? 1 : 0));
  result.outputs = {std::move(out)};
  result.summary = std::to_string(from) + " → " + std::to_string(to);
  if (in.sizes.size() > 2) {
    Issue hint = layerIssue(
        "graph.linear-on-axes",
        TENON_TEXT("acts on the last axis of {0} only; put a flatten before it to use all"),
        {toString(in)});
    hint.severity = Severity::Hint;
    result.issues.push_back(std::move(hint));
  }
  return result;
}

class Linear final : public Layer {
 public:
  void forward(LayerCall& call) const override {
    const Tensor bias = call.weights.size() > 1 ? call.weights[1] : Tensor();
    call.outputs[0] = (relu_ ? linearRelu : linear)(call.inputs[0], call.weights[0], bias);
  }
  bool absorb(std::string_view type) override { return type == "relu" && (relu_ = true); }

 private:
  bool relu_ = false;
};

std::unique_ptr<Layer> make(const PlanRequest&) { return std::make_unique<Linear>(); }

}  // namespace

const LayerDef& layerDef_linear();
const LayerDef& layerDef_linear() {
  static const LayerDef kDef = {
      .id = "linear",
      .title = "Linear",
      .family = LayerFamily::Linear,
      .help = TENON_TEXT("Fully connected: every output is a weighted sum of all inputs."),
      .icon = "linear",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
