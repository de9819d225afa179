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

namespace tenon {

struct Predictions {
  std::vector<int64_t> sampleShape;  ///< of one sample, e.g. [1, 28, 28]
  std::vector<int64_t> indices;      ///< in the validation data
  std::vector<int64_t> targets;
  std::vector<std::vector<float>> probabilities;  ///< softmax of the logits, one list a sample
  std::vector<std::byte>
      pixels;  ///< raw u8 samples one after the other; empty if the data is not u8
};

/// Runs `count` samples spread evenly over the validation data through the model.
TENON_API Predictions predictSamples(const Model& model, const DataPipeline& data,
                                     int64_t count = 12);

inline constexpr int kPredictionsVersion = 1;
/// Stored form and back. @throws Error(Code::Version | Code::Input)
TENON_API std::vector<std::byte> encode(const Predictions& predictions);
TENON_API Predictions decodePredictions(std::span<const std::byte> bytes);

}  // namespace tenon
