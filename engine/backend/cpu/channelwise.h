// SPDX-License-Identifier: Apache-2.0
// Pointwise kernels of two operands over blocked tensors where one has a single number for each
// channel: the weights of squeeze-and-excite, dropped channels, biases.
//
// The other operand and the output are blocked by 8 on axis 1, in place or not; the one of the
// channels may lie in any way. Padding is computed from zeros, so the function must keep zero.
#pragma once

#include "engine/backend/cpu/pointwise.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// True if `in` has one number for each channel of `out`, of each sample or of all: [N or 1, C, 1,
/// ...] beside [N, C, ...].
inline bool channelwise(const TenonTensorView& in, const TenonTensorView& out) {
  if (in.ndim != out.ndim || in.ndim < 2 || in.sizes[1] != out.sizes[1]) return false;
  if (in.sizes[0] != out.sizes[0] && in.sizes[0] != 1) return false;
  for (int i = 2; i < in.ndim; ++i)
    if (in.sizes[i] != 1) return false;
  return true;
}

/// Whether mapChannelwise() does the call: one of two operands is blocked and of the output's
/// shape (the first if that is written in place), the other is smaller and channelwise.
inline bool takesChannelwise(const TenonKernelArgs* args, bool inPlace) {
  const TenonTensorView& out = args->outputs[0];
  const TenonTensorView& a = args->inputs[0];
  const TenonTensorView& b = args->inputs[1];
  if (sameShape(a, out)) return blocked(a) && !sameShape(b, out) && channelwise(b, out);
  return !inPlace && sameShape(b, out) && blocked(b) && channelwise(a, out);
}

/// Wishes of a binary operator whose function keeps zero.
template <bool InPlace>
void askChannelwise(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  if (!takesChannelwise(args, InPlace)) return pointwiseWishes(args, answer, true, InPlace);
  answer->inputs[0] = answer->inputs[1] = TENON_WISH_AS_IS;
  answer->outputs[0] = TENON_WISH_BLOCKED;
}

namespace detail {

/// Where the numbers of a channelwise operand lie.
struct ChannelNumbers {
  int64_t sample;  ///< stride; 0: one sample for all
  int64_t channel;

  explicit ChannelNumbers(const TenonTensorView& v)
      : sample(v.sizes[0] == 1 ? 0
               : blocked(v)    ? v.paddedSize
                               : v.strides[0]),
        channel(blocked(v) ? 1 : v.strides[1]) {}
};

/// The numbers of `left` channels from `from` on, as many as V holds; zero beyond.
template <class V, class S>
V channelLanes(const S* from, int64_t stride, int64_t left) {
  using L = Lanes<V>;
  return left <= 0 ? V(0) : L::gather(from, stride, left < L::kCount ? left : L::kCount);
}

/// Combines blocked `x` with channelwise `c`.
template <class V, class F>
void mapOverChannels(const TenonTensorView& out, const TenonTensorView& x, const TenonTensorView& c,
                     F f) {
  using L = Lanes<V>;
  using S = typename L::Scalar;
  int64_t pixels = 1;
  for (int i = 2; i < out.ndim; ++i) pixels *= out.sizes[i];
  const int64_t channels = out.sizes[1];
  const int64_t blocks = out.paddedSize / 8;
  const ChannelNumbers numbers(c);
  const S* from = dataOf<S>(x);
  const S* weights = dataOf<S>(c);
  S* to = dataOf<S>(out);
  parallelFor(out.sizes[0] * blocks, 1 + kPointwiseGrain / (8 * pixels + 1),
              [=](int64_t begin, int64_t end) {
                for (int64_t row = begin; row < end; ++row)
                  for (int64_t lane = 0; lane < 8; lane += L::kCount) {
                    const int64_t first = row % blocks * 8 + lane;
                    const S* place =
                        weights + row / blocks * numbers.sample + first * numbers.channel;
                    const V weight = channelLanes<V>(place, numbers.channel, channels - first);
                    const int64_t base = row * pixels * 8 + lane;
                    for (int64_t i = base; i < base + pixels * 8; i += 8)
                      L::store(to + i, f(L::load(from + i), weight));
                  }
              });
}

}  // namespace detail

/// out = f(a, b) for what takesChannelwise() takes.
template <class V, class F>
void mapChannelwise(const TenonKernelArgs* args, F f) {
  const TenonTensorView& out = args->outputs[0];
  const TenonTensorView& a = args->inputs[0];
  const TenonTensorView& b = args->inputs[1];
  if (sameShape(a, out)) return detail::mapOverChannels<V>(out, a, b, f);
  detail::mapOverChannels<V>(out, b, a, [f](V y, V x) { return f(x, y); });
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
