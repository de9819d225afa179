// SPDX-License-Identifier: Apache-2.0
// BatchGroups: which batches of an epoch make one optimizer step, and how much each of them counts.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tenon {

/// The batches of one step.
struct BatchGroup {
  int64_t batches = 1;
  int64_t samples = 1;  ///< of all of them
};

/// An epoch in groups of `batchesPerStep` batches; the last group has what is left, and its last
/// batch may be smaller. A batch counts in its group with its share of the samples, so that the
/// gradient is that of one batch of them all (for losses that are a mean over samples).
class BatchGroups {
 public:
  BatchGroups() = default;
  /// @param samples of an epoch, >= 0
  BatchGroups(int64_t batchesPerStep, int64_t batchSize, int64_t samples)
      : batchesPerStep_(std::max<int64_t>(batchesPerStep, 1)),
        batchSize_(std::max<int64_t>(batchSize, 1)),
        samples_(samples) {}

  int64_t batchesPerEpoch() const { return (samples_ + batchSize_ - 1) / batchSize_; }
  int64_t stepsPerEpoch() const {
    return (batchesPerEpoch() + batchesPerStep_ - 1) / batchesPerStep_;
  }
  /// The group whose first batch is number `batch` of the epoch, from 0.
  BatchGroup at(int64_t batch) const {
    const int64_t batches = std::min(batchesPerStep_, batchesPerEpoch() - batch);
    const int64_t first = batch * batchSize_;
    return {batches, std::min(batches * batchSize_, samples_ - first)};
  }

 private:
  int64_t batchesPerStep_ = 1;
  int64_t batchSize_ = 1;
  int64_t samples_ = 0;
};

}  // namespace tenon
