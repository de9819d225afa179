// SPDX-License-Identifier: Apache-2.0
// Layer "squeeze_excite": channels weighed by what the whole image holds (Hu et al. 2018,
// arXiv:1709.01507).
#include <fmt/format.h>

#include <algorithm>

#include "engine/layers/planning.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/pool2d/pool2d.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {intParam("reduction", 16)
              .range(1, 65536)
              .describe(TENON_TEXT(
                  "Channels divided by the numbers in between; larger is smaller and faster.")),
          choiceParam("gate", "sigmoid", {"sigmoid", "hard_sigmoid"})
              .describe(TENON_TEXT("Function that makes the channels' weights."))
              .forExperts()};
}

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantAtLeast(request, 3, result) || !wantKnownSizes(request, result)) return result;
  const PortShape& in = request.inputs[0];
  const int64_t channels = in.sizes[1];
  const int64_t between = std::max<int64_t>(1, channels / request.params.getInt("reduction"));
  addLinear(channels, between, true, "squeeze.", result);
  addLinear(between, channels, true, "excite.", result);
  result.flops =
      2.0 * static_cast<double>(in.perSample()) + 4.0 * static_cast<double>(channels * between);
  result.outputs = {in};
  result.summary = fmt::format("{} → {} → {}", channels, between, channels);
  return result;
}

/// [N, C, ...] -> [N, C]. Images are pooled, which keeps the layout of the gradient too.
Tensor meansOfChannels(const Tensor& x) {
  return x.ndim() == 4 ? flatten(adaptiveAvgPool2d(x, 1, 1), 1) : mean(flatten(x, 2), {2});
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  const bool hard = request.params.getString("gate") == "hard_sigmoid";
  return functionLayer([hard](const LayerCall& call) {
    const Tensor& x = call.inputs[0];
    const auto& w = call.weights;
    const Tensor means = meansOfChannels(x);
    const Tensor logits = linear(relu(linear(means, w[0], w[1])), w[2], w[3]);
    Shape shape = {x.size(0), x.size(1)};
    shape.resize(x.ndim());
    return mul(x, reshape(hard ? hardSigmoid(logits) : sigmoid(logits), shape));
  });
}

}  // namespace

const LayerDef& layerDef_squeeze_excite();
const LayerDef& layerDef_squeeze_excite() {
  static const LayerDef kDef = {
      .id = "squeeze_excite",
      .title = "Squeeze-and-excite",
      .family = LayerFamily::Attention,
      .help = TENON_TEXT("Weighs the channels by what the whole image holds: their means go "
                         "through two small linear maps."),
      .icon = "squeeze-excite",
      .schema = schema(),
      .plan = &plan,
      .make = &make};
  return kDef;
}

}  // namespace tenon
