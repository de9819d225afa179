// SPDX-License-Identifier: Apache-2.0
// How random kernels walk a tensor: in logical order wherever its elements lie, and which random
// words belong to the elements.
#pragma once

#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/philox8.h"
#include "engine/backend/cpu/views.h"
#include "engine/base/philox_wide.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// The sequence of one call.
struct Draw {
  philox::Key key;
  uint64_t call;

  explicit Draw(const TenonKernelArgs* args)
      : key{static_cast<uint32_t>(args->randomKey), static_cast<uint32_t>(args->randomKey >> 32)},
        call(args->randomCall) {}
};

namespace detail {

/// Where row `row` (all axes but the last) of a strided tensor begins.
inline int64_t rowStart(const TenonTensorView& view, int64_t row) {
  int64_t at = 0;
  for (int axis = view.ndim - 2; axis >= 0; --axis) {
    at += row % view.sizes[axis] * view.strides[axis];
    row /= view.sizes[axis];
  }
  return at;
}

/// Where channel `row` of N x C of a tensor begins that is blocked by 8 on axis 1.
inline int64_t channelStart(const TenonTensorView& view, int64_t row, int64_t inner) {
  const int64_t c = row % view.sizes[1];
  return (row / view.sizes[1] * (view.paddedSize / 8) + c / 8) * inner * 8 + c % 8;
}

}  // namespace detail

/// Calls body(begin, end, at, stride), in parallel: the elements begin .. end - 1 in row-major
/// order lie at `at`, `at` + stride, ... Blocked tensors have blocks of 8. `grain`: elements below
/// which a second thread does not pay.
template <class Body>
void forEachRun(const TenonTensorView& view, int64_t grain, Body&& body) {
  const int64_t count = countOf(view);
  if (count == 0) return;
  if (dense(view)) {
    parallelFor(count, grain,
                [&](int64_t begin, int64_t end) { body(begin, end, begin, int64_t{1}); });
    return;
  }
  const bool channels = blocked(view);
  int64_t length = 1;
  for (int i = channels ? 2 : view.ndim - 1; i < view.ndim; ++i) length *= view.sizes[i];
  const int64_t stride = channels ? 8 : view.strides[view.ndim - 1];
  parallelFor(count / length, 1 + grain / length, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t at =
          channels ? detail::channelStart(view, row, length) : detail::rowStart(view, row);
      body(row * length, (row + 1) * length, at, stride);
    }
  });
}

/// Calls each(i, words) for the groups of kPhiloxWords elements that hold elements begin .. end - 1
/// (i: the first that is wanted, end: after the last, `words`: from the group's first on).
template <class Group>
void forEachGroup(const Draw& draw, int64_t begin, int64_t end, Group&& group) {
  uint32_t words[kPhiloxWords];
  for (int64_t i = begin; i < end;) {
    const int64_t first = i / kPhiloxWords * kPhiloxWords;
    const int64_t stop = first + kPhiloxWords < end ? first + kPhiloxWords : end;
    philoxWords(draw.key, draw.call, static_cast<uint64_t>(first / 4), words);
    group(i, stop, first, words);
    i = stop;
  }
}

/// Calls each(i, word) for the elements begin .. end - 1.
template <class Each>
void forEachWord(const Draw& draw, int64_t begin, int64_t end, Each&& each) {
  forEachGroup(draw, begin, end,
               [&](int64_t i, int64_t stop, int64_t first, const uint32_t* words) {
                 for (; i < stop; ++i) each(i, words[i - first]);
               });
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
