// SPDX-License-Identifier: Apache-2.0
// Loss "bce_with_logits": a yes or no for each class, from logits. As
// torch.nn.functional.binary_cross_entropy_with_logits.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/metrics/loss_parts.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatListParam("positive_weight", {})
              .range(0, losses::kMostWeight)
              .describe(TENON_TEXT("How much more the right class counts than each wrong one: one "
                                   "number, or one a class; empty: 1.")),
          losses::reductionParam()};
}

/// @param columns of the output; 0: not known
void needCount(const std::vector<double>& weights, int64_t columns) {
  const auto count = static_cast<int64_t>(weights.size());
  if (count <= 1 || columns <= 0 || count == columns) return;
  const std::string wanted =
      columns == 1 ? "one number" : fmt::format("one number or {}, one a class", columns);
  throw Error(Code::Input, fmt::format("bce_with_logits: positive_weight wants {}; there are {}",
                                       wanted, count));
}

Loss make(const ParamMap& params, const LossFacts& facts) {
  const std::vector<double> weights = params.getFloats("positive_weight");
  needCount(weights, facts.outputs > 0 ? facts.outputs : facts.classes);
  if (!weights.empty() &&
      std::none_of(weights.begin(), weights.end(), [](double weight) { return weight > 0; }))
    throw Error(Code::Input,
                "bce_with_logits: positive_weight is 0 everywhere, so that no right class counts");
  return losses::ofWanted(params, [weights](const Tensor& output, const Tensor& wanted,
                                            Reduction reduction) {
    needCount(weights, output.size(-1));
    return bceWithLogitsLoss(output, wanted, {}, losses::weightTensor(weights, output), reduction);
  });
}

}  // namespace

const LossDef& lossDef_bce_with_logits();
const LossDef& lossDef_bce_with_logits() {
  static const LossDef kDef = {
      .id = "bce_with_logits",
      .title = "Binary cross-entropy with logits",
      .help = TENON_TEXT("A yes or no for each class, or a single output for two classes; the "
                         "output holds logits, without sigmoid. The mean is over samples and "
                         "outputs."),
      .schema = schema(),
      .wantsClasses = true,
      .oneOutputForTwo = true,
      .reading = OutputReading::BinaryLogits,
      .wrongLastLayers = {"softmax", "log_softmax", "sigmoid", "hard_sigmoid", "log_sigmoid"},
      .make = &make};
  return kDef;
}

}  // namespace tenon
