// SPDX-License-Identifier: Apache-2.0
// Predictions: a few fixed validation samples with what the model says of them, stored after every
// epoch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/data/pipeline.h"
#include "engine/graph/model.h"
#include "engine/metrics/output_reading.h"

namespace tenon {

struct Predictions {
  std::vector<int64_t> sampleShape;  ///< of one sample, e.g. [1, 28, 28]
  std::vector<int64_t> indices;      ///< in the validation data
  std::vector<int64_t> targets;
  /// One list a sample, one number a class: probabilities, or values as the model gives them.
  std::vector<std::vector<float>> probabilities;
  bool areProbabilities = true;
  std::vector<std::byte>
      pixels;  ///< raw u8 samples one after the other; empty if the data is not u8
};

/// Runs `count` samples spread evenly over the validation data through the model. A single output
/// becomes two numbers, of class 0 and class 1.
/// @param reading of the model's output, by its loss
TENON_API Predictions predictSamples(const Model& model, const DataPipeline& data,
                                     OutputReading reading, int64_t count = 12);

inline constexpr int kPredictionsVersion = 1;
/// Stored form and back. @throws Error(Code::Version | Code::Input)
TENON_API std::vector<std::byte> encode(const Predictions& predictions);
TENON_API Predictions decodePredictions(std::span<const std::byte> bytes);

}  // namespace tenon
