// SPDX-License-Identifier: Apache-2.0
// Loss "multi_margin": the multi-class hinge: how far scores of wrong classes come within a margin
// of the right one's. As torch.nn.functional.multi_margin_loss (K. Crammer, Y. Singer, 2001; there
// the largest of them, here their sum).
#include "engine/base/error.h"
#include "engine/metrics/loss_parts.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/index/index.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"

namespace tenon {
namespace {

ParamSchema schema() {
  return {floatParam("margin", 1.0)
              .above(0)
              .atMost(1e6)
              .describe(TENON_TEXT("By how much the right class's score should be the largest, in "
                                   "units of the output.")),
          choiceParam("power", "1", {"1", "2"})
              .describe(TENON_TEXT("2: what lies within the margin is squared.")),
          losses::classWeightsParam(), losses::reductionParam()};
}

struct Settings {
  double margin;
  bool squared;
  std::vector<double> weights;
  Reduction reduction;
};

/// sum over c != t of max(0, margin - x[t] + x[c])^p / C, times weight[t].
Tensor multiMargin(const Tensor& x, const Tensor& targets, const Settings& settings) {
  const Tensor right = oneHot(targets, x.size(1));
  const Tensor own = gather(x, 1, unsqueeze(targets, 1));
  Tensor within = relu(addScalar(sub(x, own), settings.margin));
  if (settings.squared) within = square(within);
  const Tensor zero = Tensor::zeros({}, x.dtype(), x.device());
  const Tensor none = Tensor::zeros({}, right.dtype(), right.device());
  const Tensor others = where(equal(right, none), within, zero);
  Tensor each = mulScalar(sum(others, {1}), 1 / static_cast<double>(x.size(1)));
  if (!settings.weights.empty())
    each = mul(each, indexSelect(losses::weightTensor(settings.weights, x), 0, targets));
  return settings.reduction == Reduction::Sum ? sum(each) : mean(each);
}

Loss make(const ParamMap& params, const LossFacts& facts) {
  const Settings settings = {params.getFloat("margin"), params.getString("power") == "2",
                             losses::classWeights("multi_margin", params, facts),
                             losses::reductionOf(params)};
  Loss loss;
  loss.isSum = settings.reduction == Reduction::Sum;
  loss.value = [settings](const Tensor& output, const Tensor& targets) {
    return multiMargin(output, targets, settings);
  };
  return loss;
}

}  // namespace

const LossDef& lossDef_multi_margin();
const LossDef& lossDef_multi_margin() {
  static const LossDef kDef = {
      .id = "multi_margin",
      .title = "Multi-class hinge",
      .help = TENON_TEXT("The score of the right class should be the largest by a margin. Class "
                         "weights multiply, the mean is over samples."),
      .schema = schema(),
      .wantsClasses = true,
      .reading = OutputReading::Scores,
      .make = &make};
  return kDef;
}

}  // namespace tenon
