// SPDX-License-Identifier: Apache-2.0
// Copies elements between tensors of one shape that lie differently: strided or blocked, any
// strides (also 0, where the source is broadcast).
//
// Elements are only moved, so an unsigned integer of their width stands for any type. The padding
// of a blocked destination is set to zero.
#pragma once

#include "engine/backend/cpu/loops.h"
#include "engine/backend/cpu/transpose.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace detail {

inline constexpr int64_t kCopyGrain = 16384;
inline constexpr int64_t kTile = 16;

template <class T>
void copyRow(T* to, int64_t toStride, const T* from, int64_t fromStride, int64_t n) {
  if (toStride == 1 && fromStride == 1) {
    __builtin_memcpy(to, from, static_cast<size_t>(n) * sizeof(T));
  } else {
    for (int64_t i = 0; i < n; ++i) to[i * toStride] = from[i * fromStride];
  }
}

/// to[i * toStep + j] = from[j * fromStep + i] for i < rows, j < columns.
template <class T>
void copyTile(T* to, int64_t toStep, const T* from, int64_t fromStep, int64_t rows,
              int64_t columns) {
  int64_t i = 0;
  if constexpr (sizeof(T) == 4)
    for (; i + 8 <= rows; i += 8) {
      int64_t j = 0;
      for (; j + 8 <= columns; j += 8)
        transpose8x8(to + i * toStep + j, toStep, from + j * fromStep + i, fromStep);
      for (; j < columns; ++j)
        for (int64_t k = i; k < i + 8; ++k) to[k * toStep + j] = from[j * fromStep + k];
    }
  for (; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) to[i * toStep + j] = from[j * fromStep + i];
}

/// Axes of a nest along which a transposition runs: the source is contiguous along `across`, the
/// destination along the row.
template <class T>
void copyTransposed(const LoopNest<2>& nest, int across, T* to, const T* from) {
  const int row = nest.ndim - 1;
  const int64_t columns = nest.sizes[row];
  const int64_t lines = nest.sizes[across];
  LoopNest<2> outer;  // the axes but these two
  for (int axis = 0; axis < row; ++axis) {
    if (axis == across) continue;
    outer.sizes[outer.ndim] = nest.sizes[axis];
    for (int k = 0; k < 2; ++k) outer.strides[k][outer.ndim] = nest.strides[k][axis];
    outer.total *= outer.sizes[outer.ndim++];
  }
  const int64_t bands = (lines + kTile - 1) / kTile;
  const int64_t toStep = nest.strides[0][across];
  const int64_t fromStep = nest.strides[1][row];
  parallelFor(outer.total * bands, 1 + kCopyGrain / (kTile * columns),
              [&](int64_t begin, int64_t end) {
                for (int64_t part = begin; part < end; ++part) {
                  const NestPosition<2> at(outer, part / bands);
                  const int64_t first = part % bands * kTile;
                  const int64_t count = lines - first < kTile ? lines - first : kTile;
                  T* const t = to + at.offset[0] + first * toStep;
                  const T* const f = from + at.offset[1] + first;
                  for (int64_t c = 0; c < columns; c += kTile) {
                    const int64_t width = columns - c < kTile ? columns - c : kTile;
                    copyTile(t + c, toStep, f + c * fromStep, fromStep, count, width);
                  }
                }
              });
}

template <class T>
void copyStrided(const TenonTensorView& to, const TenonTensorView& from) {
  const LoopNest<2> nest = makeNest<2>(to, {&to, &from});
  T* const t = dataOf<T>(to);
  const T* const f = dataOf<T>(from);
  if (nest.ndim >= 2 && nest.rowStride(0) == 1 && nest.rowStride(1) != 1)
    for (int axis = 0; axis + 1 < nest.ndim; ++axis)
      if (nest.strides[1][axis] == 1 && nest.sizes[axis] >= 4)
        return copyTransposed(nest, axis, t, f);
  forEachRow(nest, kCopyGrain, [&](const int64_t(&at)[2], int64_t n) {
    copyRow(t + at[0], nest.rowStride(0), f + at[1], nest.rowStride(1), n);
  });
}

/// A strided tensor seen by blocks of channels: outer axes x blocks x inner axes x lanes.
struct BlockedWalk {
  int64_t outer = 1;
  int64_t blocks;
  int64_t block;
  int64_t channels;
  int64_t channelStride;
  LoopNest<1> outerNest;
  LoopNest<1> inner;

  BlockedWalk(const TenonTensorView& blockedView, const TenonTensorView& strided)
      : blocks(blockedView.paddedSize / blockedView.blockSize),
        block(blockedView.blockSize),
        channels(blockedView.sizes[blockedView.blockAxis]),
        channelStride(strided.strides[blockedView.blockAxis]) {
    TenonTensorView head = strided;
    head.ndim = blockedView.blockAxis;
    outerNest = makeNest<1>(head, {&head});
    outer = outerNest.total;
    TenonTensorView tail = strided;
    tail.ndim = strided.ndim - blockedView.blockAxis - 1;
    for (int i = 0; i < tail.ndim; ++i) {
      tail.sizes[i] = strided.sizes[blockedView.blockAxis + 1 + i];
      tail.strides[i] = strided.strides[blockedView.blockAxis + 1 + i];
    }
    inner = makeNest<1>(tail, {&tail});
  }
};

/// Calls body(lanes in use, blocked elements, strided elements, stride, n) for runs of the inner
/// axes: blocked element i * block + lane belongs to strided element i * stride + lane *
/// channelStride.
template <class B, class S, class Body>
void walkBlocked(const BlockedWalk& walk, B* blockedData, S* stridedData, Body&& body) {
  const int64_t size = walk.inner.total * walk.block;
  parallelFor(walk.outer * walk.blocks, 1 + kCopyGrain / (size + 1),
              [&](int64_t begin, int64_t end) {
                for (int64_t part = begin; part < end; ++part) {
                  const int64_t first = part % walk.blocks * walk.block;
                  const int64_t used =
                      walk.channels - first < walk.block ? walk.channels - first : walk.block;
                  const NestPosition<1> outer(walk.outerNest, part / walk.blocks);
                  S* const s = stridedData + outer.offset[0] + first * walk.channelStride;
                  B* b = blockedData + part * size;
                  NestPosition<1> at(walk.inner, 0);
                  for (int64_t done = 0; done < walk.inner.total;) {
                    const int64_t n = at.rest();
                    body(used, b, s + at.offset[0], walk.inner.rowStride(0), n);
                    b += n * walk.block;
                    done += n;
                    at.advance(n);
                  }
                }
              });
}

template <class T>
void toBlocked(const TenonTensorView& to, const TenonTensorView& from) {
  const BlockedWalk walk(to, from);
  const int64_t block = walk.block;
  const int64_t channel = walk.channelStride;
  walkBlocked(walk, dataOf<T>(to), dataOf<const T>(from),
              [=](int64_t used, T* b, const T* s, int64_t stride, int64_t n) {
                if (used == 8 && block == 8 && stride == 1) return copyTile(b, 8, s, channel, n, 8);
                for (int64_t i = 0; i < n; ++i)
                  for (int64_t lane = 0; lane < block; ++lane)
                    b[i * block + lane] = lane < used ? s[i * stride + lane * channel] : T{};
              });
}

template <class T>
void fromBlocked(const TenonTensorView& to, const TenonTensorView& from) {
  const BlockedWalk walk(from, to);
  const int64_t block = walk.block;
  const int64_t channel = walk.channelStride;
  walkBlocked(walk, dataOf<const T>(from), dataOf<T>(to),
              [=](int64_t used, const T* b, T* s, int64_t stride, int64_t n) {
                if (used == 8 && block == 8 && stride == 1) return copyTile(s, channel, b, 8, 8, n);
                for (int64_t lane = 0; lane < used; ++lane)
                  for (int64_t i = 0; i < n; ++i)
                    s[i * stride + lane * channel] = b[i * block + lane];
              });
}

template <class T>
void copyAny(const TenonTensorView& to, const TenonTensorView& from) {
  if (sameLayout(to, from)) {
    T* const t = dataOf<T>(to);
    const T* const f = dataOf<T>(from);
    parallelFor(physicalCount(to), kCopyGrain, [&](int64_t begin, int64_t end) {
      copyRow(t + begin, 1, f + begin, 1, end - begin);
    });
  } else if (blocked(to)) {
    toBlocked<T>(to, from);
  } else if (blocked(from)) {
    fromBlocked<T>(to, from);
  } else {
    copyStrided<T>(to, from);
  }
}

}  // namespace detail

/// to = from, element by element. One shape and type (a strided source may also broadcast to a
/// strided destination), no overlap.
/// @param bytes width of an element: 1, 2, 4 or 8
inline void copyElements(const TenonTensorView& to, const TenonTensorView& from, int bytes) {
  switch (bytes) {
    case 8:
      return detail::copyAny<uint64_t>(to, from);
    case 4:
      return detail::copyAny<uint32_t>(to, from);
    case 2:
      return detail::copyAny<uint16_t>(to, from);
    default:
      return detail::copyAny<uint8_t>(to, from);
  }
}

/// A strided view read as the shape of another, to which it broadcasts.
inline TenonTensorView broadcastView(const TenonTensorView& view, const TenonTensorView& shape) {
  TenonTensorView wide = view;
  wide.ndim = shape.ndim;
  for (int i = 0; i < shape.ndim; ++i) {
    wide.sizes[i] = shape.sizes[i];
    wide.strides[i] = detail::strideAlong(view, i, shape.ndim);
  }
  return wide;
}

/// Width of an element of a type.
inline int widthOf(int32_t dtype) {
  switch (dtype) {
    case TENON_F64:
    case TENON_I64:
      return 8;
    case TENON_F32:
    case TENON_I32:
      return 4;
    case TENON_F16:
    case TENON_BF16:
      return 2;
    default:
      return 1;
  }
}

/// Kernels that only move elements take every type.
inline constexpr uint32_t kAnyType = ~0U;

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
