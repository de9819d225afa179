// SPDX-License-Identifier: Apache-2.0
// The machinery of pointwise kernels: layout wishes, and a function mapped over operands of any
// strides.
//
// Operands of one layout are walked flat through memory, padding included; an element of a blocked
// tensor's padding is computed like any other, so the function must keep zero there. Outputs may be
// the same memory as inputs of the same strides.
#pragma once

#include "engine/backend/cpu/loops.h"
#include "engine/backend/cpu/simd.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// Elements below which a pointwise loop stays on one thread.
inline constexpr int64_t kPointwiseGrain = 16384;

/// Wishes of a pointwise operator: as it comes if nothing is blocked; all blocked if something is
/// and every operand has the output's shape (and f keeps zero or there is no padding); else dense.
/// @param inPlace the output is input 0, whose layout then decides
inline void pointwiseWishes(const TenonKernelArgs* args, TenonKernelQuery* answer, bool keepsZero,
                            bool inPlace = false) {
  const TenonTensorView& out = args->outputs[0];
  bool anyBlocked = false;
  bool broadcast = false;
  for (int i = 0; i < args->inputCount; ++i) {
    const TenonTensorView& in = args->inputs[i];
    anyBlocked |= blocked(in);
    broadcast |= present(in) && !sameShape(in, out);
  }
  if (!anyBlocked) return;
  const bool may =
      !broadcast && (keepsZero || out.sizes[1] % 8 == 0) && (!inPlace || blocked(args->inputs[0]));
  for (int i = 0; i < args->inputCount && i < TENON_MAX_WISHES; ++i)
    if (may || blocked(args->inputs[i]))
      answer->inputs[i] = may ? TENON_WISH_BLOCKED : TENON_WISH_CONTIGUOUS;
  for (int i = 0; i < args->outputCount; ++i)
    answer->outputs[i] = may ? TENON_WISH_BLOCKED : TENON_WISH_AS_IS;
}

/// Access to lanes of V, which is a Vec or a scalar.
template <class V>
struct Lanes {
  using Scalar = V;
  static constexpr int kCount = 1;
  static V load(const V* from) { return *from; }
  static void store(V* to, V v) { *to = v; }
  static V gather(const V* from, int64_t, int64_t) { return *from; }
  static void scatter(V* to, V v, int64_t, int64_t) { *to = v; }
};
template <class T>
struct Lanes<Vec<T>> {
  using Scalar = T;
  static constexpr int kCount = Vec<T>::kLanes;
  TENON_INLINE static Vec<T> load(const T* from) { return Vec<T>::load(from); }
  TENON_INLINE static void store(T* to, Vec<T> v) { v.store(to); }
  static Vec<T> gather(const T* from, int64_t stride, int64_t n) {
    return Vec<T>::gather(from, stride, n);
  }
  static void scatter(T* to, Vec<T> v, int64_t stride, int64_t n) { v.scatter(to, stride, n); }
};

namespace detail {

/// The part of a row that is whole vectors at unit stride; bit k of Broadcast: input k is one
/// value. Returns how far it came.
template <class V, int Broadcast, class S, class F>
TENON_INLINE int64_t mapUnit(F& f, S* out, const S* a, int64_t n) {
  using L = Lanes<V>;
  int64_t i = 0;
  for (; i + L::kCount <= n; i += L::kCount) L::store(out + i, f(L::load(a + i)));
  return i;
}
template <class V, int Broadcast, class S, class F>
TENON_INLINE int64_t mapUnit(F& f, S* out, const S* a, const S* b, int64_t n) {
  using L = Lanes<V>;
  const V fixedA = L::gather(a, 0, n < L::kCount ? n : L::kCount);
  const V fixedB = L::gather(b, 0, n < L::kCount ? n : L::kCount);
  int64_t i = 0;
  for (; i + L::kCount <= n; i += L::kCount) {
    const V x = Broadcast & 1 ? fixedA : L::load(a + i);
    const V y = Broadcast & 2 ? fixedB : L::load(b + i);
    L::store(out + i, f(x, y));
  }
  return i;
}

/// What is left of a row, or all of it for other strides: gathered, computed by the same vector
/// code, scattered.
template <class V, class S, class F>
void mapRest(F& f, const int64_t (&s)[2], int64_t i, int64_t n, S* out, const S* a) {
  using L = Lanes<V>;
  for (; i < n; i += L::kCount) {
    const int64_t m = n - i < L::kCount ? n - i : L::kCount;
    L::scatter(out + i * s[0], f(L::gather(a + i * s[1], s[1], m)), s[0], m);
  }
}
template <class V, class S, class F>
void mapRest(F& f, const int64_t (&s)[3], int64_t i, int64_t n, S* out, const S* a, const S* b) {
  using L = Lanes<V>;
  for (; i < n; i += L::kCount) {
    const int64_t m = n - i < L::kCount ? n - i : L::kCount;
    const V x = L::gather(a + i * s[1], s[1], m);
    const V y = L::gather(b + i * s[2], s[2], m);
    L::scatter(out + i * s[0], f(x, y), s[0], m);
  }
}

template <class V, class S, class F>
void mapRow(F& f, const int64_t (&s)[2], int64_t n, S* out, const S* a) {
  int64_t done = 0;
  if (s[0] == 1 && s[1] == 1) done = mapUnit<V, 0>(f, out, a, n);
  if (done < n) mapRest<V>(f, s, done, n, out, a);
}
template <class V, class S, class F>
void mapRow(F& f, const int64_t (&s)[3], int64_t n, S* out, const S* a, const S* b) {
  int64_t done = 0;
  if (s[0] == 1 && s[1] == 1 && s[2] == 1)
    done = mapUnit<V, 0>(f, out, a, b, n);
  else if (s[0] == 1 && s[1] == 1 && s[2] == 0)
    done = mapUnit<V, 2>(f, out, a, b, n);
  else if (s[0] == 1 && s[1] == 0 && s[2] == 1)
    done = mapUnit<V, 1>(f, out, a, b, n);
  if (done < n) mapRest<V>(f, s, done, n, out, a, b);
}

}  // namespace detail

/// out[i] = f(a[i]) over the shape of `out`. V: Vec<T> or T.
template <class V, class F>
void mapUnary(const TenonTensorView& out, const TenonTensorView& a, F f) {
  using S = typename Lanes<V>::Scalar;
  S* o = dataOf<S>(out);
  const S* x = dataOf<S>(a);
  if (sameLayout(out, a)) {
    parallelFor(physicalCount(out), kPointwiseGrain, [&](int64_t begin, int64_t end) {
      detail::mapRow<V>(f, {1, 1}, end - begin, o + begin, x + begin);
    });
    return;
  }
  const LoopNest<2> nest = makeNest<2>(out, {&out, &a});
  const int64_t strides[2] = {nest.rowStride(0), nest.rowStride(1)};
  forEachRow(nest, kPointwiseGrain, [&](const int64_t(&at)[2], int64_t n) {
    detail::mapRow<V>(f, strides, n, o + at[0], x + at[1]);
  });
}

/// out[i] = f(a[i], b[i]) over the shape of `out`, to which a and b broadcast.
template <class V, class F>
void mapBinary(const TenonTensorView& out, const TenonTensorView& a, const TenonTensorView& b,
               F f) {
  using S = typename Lanes<V>::Scalar;
  S* o = dataOf<S>(out);
  const S* x = dataOf<S>(a);
  const S* y = dataOf<S>(b);
  if (sameLayout(out, a) && sameLayout(out, b)) {
    parallelFor(physicalCount(out), kPointwiseGrain, [&](int64_t begin, int64_t end) {
      detail::mapRow<V>(f, {1, 1, 1}, end - begin, o + begin, x + begin, y + begin);
    });
    return;
  }
  const LoopNest<3> nest = makeNest<3>(out, {&out, &a, &b});
  const int64_t strides[3] = {nest.rowStride(0), nest.rowStride(1), nest.rowStride(2)};
  forEachRow(nest, kPointwiseGrain, [&](const int64_t(&at)[3], int64_t n) {
    detail::mapRow<V>(f, strides, n, o + at[0], x + at[1], y + at[2]);
  });
}

namespace detail {
template <int... K>
struct IndexList {};
}  // namespace detail

/// One operand of mapMixed: its view and element type.
template <class T>
struct Operand {
  const TenonTensorView& view;
};

namespace detail {
template <class T>
struct Row {
  T* at;
  int64_t stride;
};

template <class F, class Out, class... In>
void mixedRow(F& f, int64_t n, Row<Out> out, Row<const In>... in) {
  if (out.stride == 1 && ((in.stride == 1) && ...)) {
    for (int64_t i = 0; i < n; ++i) out.at[i] = f(in.at[i]...);
  } else {
    for (int64_t i = 0; i < n; ++i) out.at[i * out.stride] = f(in.at[i * in.stride]...);
  }
}

template <class Out, class... In, class F, int... K>
void mapMixed(F& f, Operand<Out> out, IndexList<K...>, Operand<In>... in) {
  if ((sameLayout(out.view, in.view) && ...)) {
    parallelFor(physicalCount(out.view), kPointwiseGrain, [&](int64_t begin, int64_t end) {
      mixedRow<F, Out, In...>(f, end - begin, {dataOf<Out>(out.view) + begin, 1},
                              {dataOf<const In>(in.view) + begin, 1}...);
    });
    return;
  }
  constexpr int kOperands = 1 + static_cast<int>(sizeof...(In));
  const auto nest = makeNest<kOperands>(out.view, {&out.view, &in.view...});
  forEachRow(nest, kPointwiseGrain, [&](const int64_t(&at)[kOperands], int64_t n) {
    mixedRow<F, Out, In...>(f, n, {dataOf<Out>(out.view) + at[0], nest.rowStride(0)},
                            {dataOf<const In>(in.view) + at[K], nest.rowStride(K)}...);
  });
}
}  // namespace detail

/// out[i] = f(in[i]...) for operands of different types, scalar by scalar.
template <class Out, class A, class B, class F>
void mapMixed(F f, Operand<Out> out, Operand<A> a, Operand<B> b) {
  detail::mapMixed<Out, A, B>(f, out, detail::IndexList<1, 2>{}, a, b);
}
template <class Out, class A, class B, class C, class F>
void mapMixed(F f, Operand<Out> out, Operand<A> a, Operand<B> b, Operand<C> c) {
  detail::mapMixed<Out, A, B, C>(f, out, detail::IndexList<1, 2, 3>{}, a, b, c);
}
template <class Out, class A, class F>
void mapMixed(F f, Operand<Out> out, Operand<A> a) {
  detail::mapMixed<Out, A>(f, out, detail::IndexList<1>{}, a);
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
