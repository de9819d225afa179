// SPDX-License-Identifier: Apache-2.0
// What wrapping data sets share: a base that passes on, scratch memory, f32 access.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/data/dataset.h"

namespace tenon {

/// Passes size and targets of the inner data set on.
class WrappingDataset : public Dataset {
 public:
  explicit WrappingDataset(DatasetPtr inner) : inner_(std::move(inner)), meta_(inner_->meta()) {}
  int64_t size() const override { return inner_->size(); }
  const SampleMeta& meta() const override { return meta_; }
  int64_t target(int64_t index) const override { return inner_->target(index); }

 protected:
  const Dataset& inner() const { return *inner_; }

 private:
  DatasetPtr inner_;

 protected:
  SampleMeta meta_;
};

/// The bytes of a sample as f32 numbers.
inline std::span<float> asFloats(std::span<std::byte> values) {
  return {reinterpret_cast<float*>(values.data()), values.size() / sizeof(float)};
}

}  // namespace tenon
