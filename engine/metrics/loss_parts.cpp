// SPDX-License-Identifier: Apache-2.0
// Settings of losses and what they make of class numbers.
#include "engine/metrics/loss_parts.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/index/index.h"
#include "engine/ops/view/view.h"

namespace tenon::losses {
namespace {

/// What a mean over `targets` is divided by: the weights of those that count.
double weightOfTargets(const Tensor& targets, int64_t ignored, const std::vector<double>& weights) {
  double sum = 0;
  for (const int64_t target : targets.toVector<int64_t>()) {
    if (target == ignored) continue;
    // One outside the classes must reach the operator, which refuses it.
    const bool known = target >= 0 && target < static_cast<int64_t>(weights.size());
    sum += known ? weights[static_cast<size_t>(target)] : 1;
  }
  return sum;
}

}  // namespace

ParamSpec reductionParam() {
  return choiceParam("reduction", "mean", {"mean", "sum"})
      .describe(TENON_TEXT("Mean or sum over a batch. A sum makes steps that grow with the batch, "
                           "and accumulated batches add to it; curves show it for each sample."))
      .forExperts();
}

Reduction reductionOf(const ParamMap& params) {
  return params.getString("reduction") == "sum" ? Reduction::Sum : Reduction::Mean;
}

ParamSpec classWeightsParam() {
  return floatListParam("class_weights", {})
      .range(0, kMostWeight)
      .describe(TENON_TEXT("How much each class counts, one number a class in their order; empty: "
                           "all the same."));
}

ParamSpec ignoreIndexParam() {
  return intParam("ignore_index", -100)
      .describe(TENON_TEXT("Samples of this class number do not count, in metrics neither. A "
                           "step in which none counts is left out."))
      .forExperts();
}

std::vector<double> classWeights(const std::string& loss, const ParamMap& params,
                                 const LossFacts& facts) {
  std::vector<double> weights = params.getFloats("class_weights");
  if (weights.empty()) return weights;
  if (facts.classes > 0 && static_cast<int64_t>(weights.size()) != facts.classes)
    throw Error(Code::Input,
                fmt::format("{}: class_weights wants {} numbers, one a class; there are {}", loss,
                            facts.classes, weights.size()));
  const ParamValue* ignored = params.find("ignore_index");
  const int64_t unused = ignored ? std::get<int64_t>(*ignored) : -1;
  bool counts = false;
  for (size_t i = 0; i < weights.size(); ++i)
    counts = counts || (weights[i] > 0 && static_cast<int64_t>(i) != unused);
  if (!counts)
    throw Error(
        Code::Input,
        fmt::format("{}: class_weights are 0 wherever a class counts, so that nothing would be "
                    "learned",
                    loss));
  return weights;
}

Tensor weightTensor(const std::vector<double>& weights, const Tensor& like) {
  if (weights.empty()) return {};
  return cast(Tensor::fromValues(weights, {static_cast<int64_t>(weights.size())}), like.dtype());
}

Loss ofClasses(const std::string& loss, const ParamMap& params, const LossFacts& facts,
               ClassLoss function, double smoothing) {
  const std::vector<double> weights = classWeights(loss, params, facts);
  ClassLossOptions options;
  options.ignoreIndex = params.getInt("ignore_index");
  options.labelSmoothing = smoothing;
  options.reduction = reductionOf(params);
  Loss out;
  out.isSum = options.reduction == Reduction::Sum;
  out.meaning.ignoreIndex = options.ignoreIndex;
  out.weight = [ignored = options.ignoreIndex,
                counted = out.isSum ? std::vector<double>{} : weights](const Tensor& targets) {
    return weightOfTargets(targets, ignored, counted);
  };
  out.value = [options, weights, function = std::move(function)](const Tensor& output,
                                                                 const Tensor& targets) {
    ClassLossOptions here = options;
    here.weight = weightTensor(weights, output);
    return function(output, targets, here);
  };
  return out;
}

Tensor wantedOutput(const Tensor& output, const Tensor& targets, const WantedValues& values) {
  const bool single = output.ndim() == 2 && output.size(1) == 1;
  Tensor hot = oneHot(targets, single ? 2 : output.size(-1));
  if (single) hot = narrow(hot, 1, 1, 1);
  Tensor wanted = cast(hot, output.dtype());
  if (values.off == 0 && values.on == 1) return wanted;
  return addScalar(mulScalar(wanted, values.on - values.off), values.off);
}

Loss ofWanted(const ParamMap& params, WantedLoss function, const WantedValues& values) {
  Loss out;
  const Reduction reduction = reductionOf(params);
  out.isSum = reduction == Reduction::Sum;
  out.value = [values, reduction, function = std::move(function)](const Tensor& output,
                                                                  const Tensor& targets) {
    return function(output, wantedOutput(output, targets, values), reduction);
  };
  return out;
}

}  // namespace tenon::losses
