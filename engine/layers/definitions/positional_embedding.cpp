// SPDX-License-Identifier: Apache-2.0
// Layer "positional_embedding": tells the steps of a sequence apart by numbers added to each.
#include <cmath>

#include "engine/layers/planning.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {choiceParam("kind", "learned", {"learned", "sinusoidal"})
              .describe(TENON_TEXT("Learned numbers, or sines and cosines of growing wave length, "
                                   "which need no training.")),
          floatParam("init_std", 0.02)
              .called(TENON_TEXT("Spread at the start"))
              .range(0, 10)
              .describe(TENON_TEXT("Standard deviation of the learned numbers before training."))
              .forExperts()};
}

bool isLearned(const ParamMap& params) { return params.getString("kind") == "learned"; }

LayerPlan plan(const PlanRequest& request) {
  LayerPlan result;
  if (!wantSequence(request, 0, result)) return result;
  result = samePlan(request, 1);
  const PortShape& in = request.inputs[0];
  if (isLearned(request.params))
    result.weights = {{"weight",
                       {in.sizes[1], in.sizes[2]},
                       {Init::Kind::Normal, request.params.getFloat("init_std")},
                       true,
                       false}};
  result.summary = request.params.getString("kind");
  return result;
}

/// Row t: sin(t / 10000^(2i / E)) and the cosine of the same, in turn (Vaswani et al. 2017,
/// arXiv:1706.03762, section 3.5).
Tensor waves(int64_t steps, int64_t features) {
  std::vector<double> numbers;
  for (int64_t t = 0; t < steps; ++t)
    for (int64_t k = 0; k < features; ++k) {
      const double exponent = static_cast<double>(k / 2 * 2) / static_cast<double>(features);
      const double angle = static_cast<double>(t) / std::pow(10000.0, exponent);
      numbers.push_back(k % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  return Tensor::fromValues(numbers, {steps, features});
}

std::unique_ptr<Layer> make(const PlanRequest& request) {
  if (isLearned(request.params))
    return functionLayer(
        [](const LayerCall& call) { return add(call.inputs[0], call.weights[0]); });
  const PortShape& in = request.inputs[0];
  const Tensor table = to(waves(in.sizes[1], in.sizes[2]), in.dtype);
  return functionLayer([table](const LayerCall& call) {
    // Another type than planned comes where types are mixed; else this is the table itself.
    return add(call.inputs[0], to(table, call.inputs[0].dtype()));
  });
}

}  // namespace

const LayerDef& layerDef_positional_embedding();
const LayerDef& layerDef_positional_embedding() {
  static const LayerDef kDef = {.id = "positional_embedding",
                                .title = "Positional embedding",
                                .family = LayerFamily::Embedding,
                                .help = TENON_TEXT("Adds numbers to each step of a sequence by "
                                                   "which later layers can tell where it stands."),
                                .icon = "embedding",
                                .schema = schema(),
                                .plan = &plan,
                                .make = &make};
  return kDef;
}

}  // namespace tenon
