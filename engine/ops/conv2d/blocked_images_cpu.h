// SPDX-License-Identifier: Apache-2.0
// Images blocked by 8 channels, as the convolutions of our own read and write them.
#pragma once

#include "engine/backend/api/types.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/simd.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// Images [N, 8 * blocks, h, w] without padding of their channels. T: float or const float.
template <class T>
struct Images {
  static constexpr int64_t kLanes = 8;
  T* data;
  int64_t blocks, h, w;

  int64_t pixels() const { return h * w; }
  int64_t channels() const { return blocks * kLanes; }
  T* plane(int64_t n, int64_t block) const { return data + (n * blocks + block) * h * w * kLanes; }
};

inline Images<const float> imagesOf(const TenonTensorView& v) {
  return {static_cast<const float*>(v.data), v.sizes[1] / 8, v.sizes[2], v.sizes[3]};
}
inline Images<float> writtenImages(const TenonTensorView& v) {
  return {static_cast<float*>(v.data), v.sizes[1] / 8, v.sizes[2], v.sizes[3]};
}

/// db [8 * blocks]: sums of dy over n images and their pixels, each on one thread.
inline void sumPixels(const Images<const float>& dy, int64_t n, float* db) {
  using V = Vec<float>;
  parallelFor(dy.blocks, 1 + 32768 / (n * dy.pixels()), [&](int64_t begin, int64_t end) {
    for (int64_t block = begin; block < end; ++block) {
      V sum(0.0);
      for (int64_t i = 0; i < n; ++i) {
        V image(0.0);
        const float* from = dy.plane(i, block);
        for (int64_t j = 0; j < dy.pixels(); ++j) image = image + V::load(from + j * 8);
        sum = sum + image;
      }
      sum.store(db + block * 8);
    }
  });
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
