// SPDX-License-Identifier: Apache-2.0
// LossDef: one training loss a file in losses/.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/metrics/output_reading.h"
#include "engine/schema/param_schema.h"
#include "engine/tensor/tensor.h"

namespace tenon {

/// A loss with its settings.
struct TENON_API Loss {
  /// (output [N, C], targets [N] i64) -> scalar; differentiable in the output.
  std::function<Tensor(const Tensor& output, const Tensor& targets)> value;
  /// What the mean over a batch is divided by, as far as it depends on the targets; none: their
  /// number. Of a sum: how many count.
  std::function<double(const Tensor& targets)> weight;
  bool isSum = false;  ///< over the batch, instead of its mean
  OutputMeaning meaning;

  Tensor operator()(const Tensor& output, const Tensor& targets) const {
    return value(output, targets);
  }
  /// With how much a batch counts beside others; 0: nothing in it counts, and `value` may be NaN.
  double weightOf(const Tensor& targets) const;
  /// The sum over all that counts, of a batch's value and weight. Divided by the sum of weights it
  /// is the loss of many batches, a mean for `isSum` too.
  double total(double valueOfBatch, double weightOfBatch) const {
    return isSum ? valueOfBatch : valueOfBatch * weightOfBatch;
  }
};

/// What is known of data and model when a loss is made; 0: not known.
struct LossFacts {
  int64_t classes = 0;
  int64_t outputs = 0;  ///< columns of the model's output
};

struct LossDef {
  std::string id;
  std::string title;
  std::string help;
  ParamSchema schema = {};
  bool wantsClasses = false;  ///< targets are class numbers and the output has one column a class
  bool oneOutputForTwo = false;  ///< for two classes a single column will do too
  OutputReading reading = OutputReading::Logits;
  /// Layers one of which the model should end in (ids); empty: nothing special.
  std::vector<std::string> lastLayers = {};
  /// Layers that the model should not end in.
  std::vector<std::string> wrongLastLayers = {};
  /// `meaning.reading` is set by who calls it.
  /// @throws Error(Code::Input) for settings that do not fit each other or the facts.
  Loss (*make)(const ParamMap& params, const LossFacts& facts) = nullptr;
};

TENON_API std::span<const LossDef* const> allLosses();
TENON_API const LossDef* findLoss(std::string_view id);

}  // namespace tenon
