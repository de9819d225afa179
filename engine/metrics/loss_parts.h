// SPDX-License-Identifier: Apache-2.0
// What definitions of losses share: settings, class weights, wanted outputs made of class numbers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/metrics/loss_def.h"
#include "engine/ops/losses/losses.h"
#include "engine/schema/param_schema.h"

namespace tenon::losses {

/// Largest weight of a class: sums of weights stay exact enough, and finite in f32.
inline constexpr double kMostWeight = 1e6;

/// "reduction": mean or sum.
ParamSpec reductionParam();
Reduction reductionOf(const ParamMap& params);
/// "class_weights", "ignore_index".
ParamSpec classWeightsParam();
ParamSpec ignoreIndexParam();

/// The setting "class_weights"; empty: none.
/// @throws Error(Code::Input) unless there is one a class, not all of them 0.
std::vector<double> classWeights(const std::string& loss, const ParamMap& params,
                                 const LossFacts& facts);
/// As a tensor to multiply with `like`: [C], its type; undefined for no weights.
Tensor weightTensor(const std::vector<double>& weights, const Tensor& like);

/// A loss of class numbers with class_weights, ignore_index and reduction, whose mean is divided by
/// the weights of the targets that count.
using ClassLoss = std::function<Tensor(const Tensor& output, const Tensor& targets,
                                       const ClassLossOptions& options)>;
/// @param smoothing of labels
Loss ofClasses(const std::string& loss, const ParamMap& params, const LossFacts& facts,
               ClassLoss function, double smoothing = 0);

/// What stands for another class and for the right one.
struct WantedValues {
  double off = 0;
  double on = 1;
};
/// `on` in the column of each target, `off` in the others; of a single column: `on` for class 1.
/// @param output [N, C] or [N, 1] @param targets [N], i64 @returns as output
/// @throws Error(Code::Input) for a target outside the classes.
Tensor wantedOutput(const Tensor& output, const Tensor& targets, const WantedValues& values = {});

using WantedLoss =
    std::function<Tensor(const Tensor& output, const Tensor& wanted, Reduction reduction)>;
/// A loss between the output and what is wanted of it, with the setting reduction.
Loss ofWanted(const ParamMap& params, WantedLoss function, const WantedValues& values = {});

}  // namespace tenon::losses
