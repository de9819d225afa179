// SPDX-License-Identifier: Apache-2.0
// Loader: batches in an order that depends on the seed only, prepared ahead by worker threads.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/tensor/tensor.h"

namespace tenon {

struct LoaderOptions {
  int64_t batchSize = 1;
  bool shuffle = false;
  bool dropLast = false;  ///< leaves out the last, smaller batch
  uint64_t seed = 0;
  int64_t workers = 1;   ///< threads that prepare batches; 0: next() does it itself
  int64_t prefetch = 2;  ///< batches ready per worker, at most
};

/// One batch. Tensors are fresh memory of category Input.
struct Batch {
  Tensor values;                 ///< [N, ...sample shape], the data set's type
  Tensor targets;                ///< [N] i64
  std::vector<int64_t> indices;  ///< of the samples in the data set
  int64_t number = 0;            ///< in the epoch, from 0
};

/// @thread one thread calls start() and next().
class TENON_API Loader {
 public:
  Loader(DatasetPtr dataset, LoaderOptions options);
  ~Loader();

  int64_t batchesPerEpoch() const;
  /// Begins an epoch at a batch (0: its start); what was prefetched before is dropped.
  void start(int64_t epoch, int64_t firstBatch = 0);
  /// The next batch; nothing at the end of the epoch or when `stop` is requested while waiting.
  /// @throws what reading a sample threw, with the context "sample N".
  std::optional<Batch> next(std::stop_token stop = {});
  /// Nanoseconds next() waited for workers since start().
  int64_t waitedNs() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The order of samples in an epoch. Depends on (seed, epoch, size) only.
TENON_API std::vector<int64_t> sampleOrder(int64_t size, bool shuffle, uint64_t seed,
                                           int64_t epoch);

}  // namespace tenon
