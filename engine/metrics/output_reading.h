// SPDX-License-Identifier: Apache-2.0
// How the output of a model is to be read, which its loss decides: what is the predicted class,
// what is its probability, which targets count.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/tensor/tensor.h"

namespace tenon {

/// An output has one column a class, or for two classes a single one that speaks for class 1.
enum class OutputReading : uint8_t {
  Logits,            ///< their softmax (of a single column: the sigmoid) is the probability
  BinaryLogits,      ///< the sigmoid of each is the probability of that class
  LogProbabilities,  ///< their exponential is the probability
  Probabilities,     ///< as they are
  Estimates,         ///< of 0 and 1, fitted by distance; not held to that range
  Scores             ///< larger is likelier, around 0; no probabilities
};

/// What metrics and predictions need to know of an output and its targets.
struct OutputMeaning {
  OutputReading reading = OutputReading::Logits;
  std::optional<int64_t> ignoreIndex;  ///< a target that does not count
};

/// Whether classValues() gives probabilities.
constexpr bool givesProbabilities(OutputReading reading) {
  return reading < OutputReading::Estimates;
}

/// The output as a value a class: probabilities, or estimates and scores as they are. A single
/// column becomes two, of class 0 and of class 1.
/// @param output [N, C] or [N, 1], floating @returns [N, C] or [N, 2], f32
TENON_API Tensor classValues(const Tensor& output, OutputReading reading);
/// [N, C] or [N, 2], whose largest column is the predicted class: above the threshold of the
/// reading (0 or 0.5; log 0.5) a single column stands for class 1.
/// @param output [N, C] or [N, 1], floating
TENON_API Tensor rankedClasses(const Tensor& output, OutputReading reading);
/// How many targets are not `ignoreIndex`. @param targets i64
TENON_API int64_t countedTargets(const Tensor& targets, const std::optional<int64_t>& ignoreIndex);

}  // namespace tenon
