// SPDX-License-Identifier: Apache-2.0
// Dataset: a size and get(index). Readers make them, transforms wrap them; nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/tensor/dtype.h"
#include "engine/tensor/shape.h"

namespace tenon {

/// What every sample of a data set looks like.
struct SampleMeta {
  Shape shape;  ///< of one sample, e.g. [1, 28, 28]
  DType dtype = DType::U8;
  int64_t classes = 0;  ///< number of classes of the target; 0: no class targets
  int64_t bytes() const { return shape.numel() * dtypeBytes(dtype); }
};

/// What a random transform may depend on, besides the sample's index.
struct SampleContext {
  uint64_t seed = 0;
  int64_t epoch = 0;
};

/// @thread get() may be called from several threads at once.
class Dataset {
 public:
  virtual ~Dataset() = default;
  virtual int64_t size() const = 0;
  virtual const SampleMeta& meta() const = 0;
  /// Writes sample `index` into `values` (meta().bytes() long) and returns its target (class
  /// number, -1: none).
  /// @throws Error(Code::Input) naming file and row if the sample is damaged.
  virtual int64_t get(int64_t index, const SampleContext& context,
                      std::span<std::byte> values) const = 0;
  /// The target alone, without decoding the sample.
  virtual int64_t target(int64_t index) const = 0;
};

using DatasetPtr = std::shared_ptr<const Dataset>;

}  // namespace tenon
