// SPDX-License-Identifier: Apache-2.0
// From an output to classes.
#include "engine/metrics/output_reading.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/ops/arrange/arrange.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/softmax/softmax.h"

namespace tenon {
namespace {

bool isSingle(const Tensor& output) { return output.ndim() == 2 && output.size(1) == 1; }

double thresholdOf(OutputReading reading) {
  switch (reading) {
    case OutputReading::LogProbabilities:
      return std::log(0.5);
    case OutputReading::Probabilities:
    case OutputReading::Estimates:
      return 0.5;
    case OutputReading::Logits:
    case OutputReading::BinaryLogits:
    case OutputReading::Scores:
      break;
  }
  return 0;
}

Tensor valuesOf(const Tensor& x, OutputReading reading) {
  switch (reading) {
    case OutputReading::Logits:
      return isSingle(x) ? sigmoid(x) : softmax(x, -1);
    case OutputReading::BinaryLogits:
      return sigmoid(x);
    case OutputReading::LogProbabilities:
      return exp(x);
    case OutputReading::Probabilities:
    case OutputReading::Estimates:
    case OutputReading::Scores:
      break;
  }
  return x;
}

}  // namespace

Tensor classValues(const Tensor& output, OutputReading reading) {
  Tensor values = valuesOf(cast(output, DType::F32), reading);
  if (!isSingle(values)) return values;
  // Scores of two classes lie around 0, everything else around a half.
  const Tensor other = reading == OutputReading::Scores ? neg(values) : addScalar(neg(values), 1);
  return cat({other, values}, 1);
}

Tensor rankedClasses(const Tensor& output, OutputReading reading) {
  if (!isSingle(output)) return output;
  return cat({Tensor::full(output.shape(), thresholdOf(reading), output.dtype()), output}, 1);
}

int64_t countedTargets(const Tensor& targets, const std::optional<int64_t>& ignoreIndex) {
  if (!ignoreIndex) return targets.numel();
  const std::vector<int64_t> values = targets.toVector<int64_t>();
  return targets.numel() - std::count(values.begin(), values.end(), *ignoreIndex);
}

}  // namespace tenon
