// SPDX-License-Identifier: Apache-2.0
// How batch norm kernels walk a tensor: which vectors belong to which channels.
//
// Two ways. *Channels in lanes*: a group is 8 channels; a pixel of a blocked tensor, or 8 columns
// of a [N, C] matrix, is one vector. *Pixels in lanes*: a group is one channel of a dense [N, C,
// ...] tensor; 8 neighbouring pixels are one vector. Each image's part of a group is cut into
// segments of at most kSegment vectors, so that a second pass over a segment finds it in the cache.
// Groups and segments depend on the shape alone, never on threads; a group's segments are added up
// in shards, and these in order.
#pragma once

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/tails.h"
#include "engine/backend/cpu/views.h"

namespace tenon::cpu::TENON_CPU_LEVEL::batch_norm {

using V = Vec<float>;
constexpr int64_t kLanes = V::kLanes;
constexpr int64_t kSegment = 512;  // vectors: 16 KiB a tensor
constexpr int64_t kMostShards = 16;

/// Vectors at offset, offset + stride, ...; all have `width` lanes, but the last `lastWidth`.
struct Segment {
  int64_t offset, vectors, stride, width, lastWidth;
  int64_t values() const { return (vectors - 1) * width + lastWidth; }
};

class Walk {
 public:
  explicit Walk(const TenonTensorView& x) : channels_(x.sizes[1]) {
    pixels_ = 1;
    for (int i = 2; i < x.ndim; ++i) pixels_ *= x.sizes[i];
    images_ = x.sizes[0];
    blocked_ = x.layout == TENON_BLOCKED;
    matrix_ = !blocked_ && pixels_ == 1;
    if (matrix_) {
      pixels_ = images_;
      images_ = 1;
    }
    runVectors_ = channelsInLanes() ? pixels_ : (pixels_ + kLanes - 1) / kLanes;
    perRun_ = (runVectors_ + kSegment - 1) / kSegment;
  }

  bool channelsInLanes() const { return blocked_ || matrix_; }
  int64_t channels() const { return channels_; }
  int64_t groups() const {
    return channelsInLanes() ? (channels_ + kLanes - 1) / kLanes : channels_;
  }
  /// Channels of a group start here.
  int64_t firstChannel(int64_t group) const { return channelsInLanes() ? group * kLanes : group; }
  /// Channels in a group.
  int64_t width(int64_t group) const {
    if (!channelsInLanes()) return 1;
    const int64_t left = channels_ - group * kLanes;
    return left < kLanes ? left : kLanes;
  }
  int64_t valuesPerChannel() const { return images_ * pixels_; }
  /// Tasks of an even division that are worth a thread.
  int64_t grain(int64_t tasks) const {
    return 1 + 16384 / (valuesPerChannel() * channels_ / tasks + 1);
  }
  /// Whether a thread takes a group from its sums to its results, which finds in the cache what the
  /// sums have read. Not where runs are short or of a matrix, so that groups share cache lines, and
  /// not where it would leave threads idle. Either way the bits are the same.
  bool byGroup() const {
    const int64_t threads = threadCount();
    const int64_t rounds = (groups() + threads - 1) / threads;
    return !matrix_ && runVectors_ >= 32 && rounds * threads * 7 <= groups() * 8;
  }
  int64_t segments() const { return images_ * perRun_; }
  int64_t shards() const { return segments() < kMostShards ? segments() : kMostShards; }
  int64_t firstSegment(int64_t shard) const { return shard * segments() / shards(); }

  Segment segment(int64_t group, int64_t index) const {
    const int64_t image = index / perRun_;
    const int64_t first = index % perRun_ * kSegment;
    Segment s;
    s.vectors = runVectors_ - first < kSegment ? runVectors_ - first : kSegment;
    if (matrix_) {
      s.stride = channels_;
      s.offset = first * channels_ + group * kLanes;
      s.width = s.lastWidth = width(group);
      return s;
    }
    s.stride = s.width = s.lastWidth = kLanes;
    const int64_t run = image * groups() + group;
    if (blocked_) {  // padding channels are zeros and stay so: every lane counts as one
      s.offset = (run * pixels_ + first) * kLanes;
      return s;
    }
    s.offset = run * pixels_ + first * kLanes;
    const int64_t left = pixels_ - (first + s.vectors - 1) * kLanes;
    if (left < kLanes) s.lastWidth = left;
    return s;
  }

 private:
  int64_t channels_, images_, pixels_;
  int64_t runVectors_;  // vectors of one image's part of a group
  int64_t perRun_;      // segments of it
  bool blocked_, matrix_;
};

/// Calls body(k, at, width) for every vector of a segment, k going round 0..3 so that four
/// independent sums can be kept.
template <class Body>
TENON_INLINE void forVectors(const Segment& s, Body&& body) {
  const int64_t whole = s.width < kLanes ? 0 : s.lastWidth < kLanes ? s.vectors - 1 : s.vectors;
  int64_t at = s.offset;
  int64_t v = 0;
  for (; v + 4 <= whole; v += 4, at += 4 * s.stride) {
    body(0, at, kLanes);
    body(1, at + s.stride, kLanes);
    body(2, at + 2 * s.stride, kLanes);
    body(3, at + 3 * s.stride, kLanes);
  }
  for (; v < whole; ++v, at += s.stride) body(0, at, kLanes);
  for (; v < s.vectors; ++v, at += s.stride) body(0, at, v + 1 < s.vectors ? s.width : s.lastWidth);
}

/// Asks for what a walk through the segment reads 2 KiB later (of a matrix: 64 rows).
TENON_INLINE void readAhead(const Segment& s, const float* at) {
  __builtin_prefetch(at + 64 * s.stride);
}

TENON_INLINE V sumOf(const V (&parts)[4]) { return (parts[0] + parts[1]) + (parts[2] + parts[3]); }

}  // namespace tenon::cpu::TENON_CPU_LEVEL::batch_norm
