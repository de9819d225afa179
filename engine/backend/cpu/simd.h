// SPDX-License-Identifier: Apache-2.0
// SIMD vectors for kernels: always 32 bytes (8 f32 or 4 f64), whatever the instruction level.
//
// Everything is inside the level's namespace, so that no inline code is shared between levels. A
// tail is loaded and stored by partial copy and goes through the same vector code as the rest, so
// that the bits of an element do not depend on where a chunk ends.
#pragma once

#include <immintrin.h>
#include <stdint.h>

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

#ifdef TENON_CPU_LEVEL_avx2
inline constexpr int kPartBytes = 32;
#else
inline constexpr int kPartBytes = 16;
#endif
inline constexpr int kVecBytes = 32;
inline constexpr int kParts = kVecBytes / kPartBytes;

namespace detail {
template <class T>
struct IntegerOf;
template <>
struct IntegerOf<float> {
  using Type = int32_t;
};
template <>
struct IntegerOf<double> {
  using Type = int64_t;
};
template <class T>
struct PartOf;
template <>
struct PartOf<float> {
  typedef float Type __attribute__((vector_size(kPartBytes)));
  typedef int32_t Integer __attribute__((vector_size(kPartBytes)));
};
template <>
struct PartOf<double> {
  typedef double Type __attribute__((vector_size(kPartBytes)));
  typedef int64_t Integer __attribute__((vector_size(kPartBytes)));
};
}  // namespace detail

#define TENON_INLINE __attribute__((always_inline)) inline

/// A lane-wise yes or no (all bits set or none), or integers as wide as T.
template <class T>
struct Bits {
  using Part = typename detail::PartOf<T>::Integer;
  Part part[kParts];
};

/// 8 f32 or 4 f64.
template <class T>
struct Vec {
  using Part = typename detail::PartOf<T>::Type;
  using Scalar = T;
  static constexpr int kLanes = kVecBytes / static_cast<int>(sizeof(T));
  Part part[kParts];

  Vec() = default;
  /// The same value in every lane.
  TENON_INLINE explicit Vec(double value) {
    const T lane = static_cast<T>(value);
    part[0] = lane - Part{};
    if constexpr (kParts == 2) part[1] = part[0];
  }

  TENON_INLINE static Vec load(const T* from) {
    Vec v;  // part by part: a copy of the whole struct would pass through the stack
    __builtin_memcpy(&v.part[0], from, kPartBytes);
    if constexpr (kParts == 2) __builtin_memcpy(&v.part[1], from + kLanes / 2, kPartBytes);
    return v;
  }
  TENON_INLINE void store(T* to) const {
    __builtin_memcpy(to, &part[0], kPartBytes);
    if constexpr (kParts == 2) __builtin_memcpy(to + kLanes / 2, &part[1], kPartBytes);
  }
  /// The first n lanes, zero elsewhere. 0 <= n <= kLanes.
  static Vec loadTail(const T* from, int64_t n) {
    T lanes[kLanes] = {};
    for (int64_t i = 0; i < n; ++i) lanes[i] = from[i];
    return load(lanes);
  }
  void storeTail(T* to, int64_t n) const {
    T lanes[kLanes];
    store(lanes);
    for (int64_t i = 0; i < n; ++i) to[i] = lanes[i];
  }
  /// The first n elements of a row with a stride.
  static Vec gather(const T* from, int64_t stride, int64_t n = kLanes) {
    T lanes[kLanes] = {};
    for (int64_t i = 0; i < n; ++i) lanes[i] = from[i * stride];
    return load(lanes);
  }
  void scatter(T* to, int64_t stride, int64_t n = kLanes) const {
    T lanes[kLanes];
    store(lanes);
    for (int64_t i = 0; i < n; ++i) to[i * stride] = lanes[i];
  }
};

// Lane-wise operators, part by part (no loop: the parts must end up in registers).
#define TENON_VEC_BINARY(sign)                                       \
  template <class T>                                                 \
  TENON_INLINE Vec<T> operator sign(Vec<T> a, Vec<T> b) {            \
    a.part[0] = a.part[0] sign b.part[0];                            \
    if constexpr (kParts == 2) a.part[1] = a.part[1] sign b.part[1]; \
    return a;                                                        \
  }
TENON_VEC_BINARY(+)
TENON_VEC_BINARY(-)
TENON_VEC_BINARY(*)
TENON_VEC_BINARY(/)
#undef TENON_VEC_BINARY

#define TENON_VEC_COMPARE(sign)                                      \
  template <class T>                                                 \
  TENON_INLINE Bits<T> operator sign(Vec<T> a, Vec<T> b) {           \
    Bits<T> m;                                                       \
    m.part[0] = a.part[0] sign b.part[0];                            \
    if constexpr (kParts == 2) m.part[1] = a.part[1] sign b.part[1]; \
    return m;                                                        \
  }
TENON_VEC_COMPARE(<)
TENON_VEC_COMPARE(<=)
TENON_VEC_COMPARE(>)
TENON_VEC_COMPARE(>=)
TENON_VEC_COMPARE(==)
TENON_VEC_COMPARE(!=)
#undef TENON_VEC_COMPARE

#define TENON_BITS_BINARY(sign)                                      \
  template <class T>                                                 \
  TENON_INLINE Bits<T> operator sign(Bits<T> a, Bits<T> b) {         \
    a.part[0] = a.part[0] sign b.part[0];                            \
    if constexpr (kParts == 2) a.part[1] = a.part[1] sign b.part[1]; \
    return a;                                                        \
  }
TENON_BITS_BINARY(+)
TENON_BITS_BINARY(-)
TENON_BITS_BINARY(&)
TENON_BITS_BINARY(|)
TENON_BITS_BINARY(^)
#undef TENON_BITS_BINARY

template <class T>
TENON_INLINE Vec<T> operator-(Vec<T> a) {
  a.part[0] = -a.part[0];
  if constexpr (kParts == 2) a.part[1] = -a.part[1];
  return a;
}
/// Arithmetic shift of every lane.
template <class T>
TENON_INLINE Bits<T> shiftRight(Bits<T> a, int count) {
  a.part[0] = a.part[0] >> count;
  if constexpr (kParts == 2) a.part[1] = a.part[1] >> count;
  return a;
}
template <class T>
TENON_INLINE Bits<T> shiftLeft(Bits<T> a, int count) {
  a.part[0] = a.part[0] << count;
  if constexpr (kParts == 2) a.part[1] = a.part[1] << count;
  return a;
}
/// The same integer in every lane.
template <class T>
TENON_INLINE Bits<T> bitsOf(typename detail::IntegerOf<T>::Type value) {
  Bits<T> b;
  b.part[0] = value - typename Bits<T>::Part{};
  if constexpr (kParts == 2) b.part[1] = b.part[0];
  return b;
}
/// Lanes whose integers are equal.
template <class T>
TENON_INLINE Bits<T> equalBits(Bits<T> a, Bits<T> b) {
  a.part[0] = a.part[0] == b.part[0];
  if constexpr (kParts == 2) a.part[1] = a.part[1] == b.part[1];
  return a;
}
/// The representation of every lane.
template <class T>
TENON_INLINE Bits<T> toBits(Vec<T> v) {
  Bits<T> b;
  b.part[0] = reinterpret_cast<typename Bits<T>::Part>(v.part[0]);
  if constexpr (kParts == 2) b.part[1] = reinterpret_cast<typename Bits<T>::Part>(v.part[1]);
  return b;
}
template <class T>
TENON_INLINE Vec<T> fromBits(Bits<T> b) {
  Vec<T> v;
  v.part[0] = reinterpret_cast<typename Vec<T>::Part>(b.part[0]);
  if constexpr (kParts == 2) v.part[1] = reinterpret_cast<typename Vec<T>::Part>(b.part[1]);
  return v;
}
/// Integer lanes as numbers.
TENON_INLINE Vec<float> toFloat(Bits<float> b) {
  Vec<float> v;
  v.part[0] = __builtin_convertvector(b.part[0], Vec<float>::Part);
  if constexpr (kParts == 2) v.part[1] = __builtin_convertvector(b.part[1], Vec<float>::Part);
  return v;
}
/// x where the mask is set, else y.
template <class T>
TENON_INLINE Vec<T> select(Bits<T> mask, Vec<T> x, Vec<T> y) {
  x.part[0] = mask.part[0] ? x.part[0] : y.part[0];
  if constexpr (kParts == 2) x.part[1] = mask.part[1] ? x.part[1] : y.part[1];
  return x;
}

/// a * b + c: rounded once where the level has FMA, twice where it has not.
template <class T>
TENON_INLINE Vec<T> mulAdd(Vec<T> a, Vec<T> b, Vec<T> c) {
#ifdef TENON_CPU_LEVEL_avx2
  if constexpr (sizeof(T) == 4) {
    c.part[0] = _mm256_fmadd_ps(a.part[0], b.part[0], c.part[0]);
  } else {
    c.part[0] = _mm256_fmadd_pd(a.part[0], b.part[0], c.part[0]);
  }
  return c;
#else
  return a * b + c;
#endif
}

/// Correctly rounded square root.
TENON_INLINE Vec<float> squareRoot(Vec<float> x) {
#ifdef TENON_CPU_LEVEL_avx2
  x.part[0] = _mm256_sqrt_ps(x.part[0]);
#else
  x.part[0] = _mm_sqrt_ps(x.part[0]);
  x.part[1] = _mm_sqrt_ps(x.part[1]);
#endif
  return x;
}
TENON_INLINE Vec<double> squareRoot(Vec<double> x) {
#ifdef TENON_CPU_LEVEL_avx2
  x.part[0] = _mm256_sqrt_pd(x.part[0]);
#else
  x.part[0] = _mm_sqrt_pd(x.part[0]);
  x.part[1] = _mm_sqrt_pd(x.part[1]);
#endif
  return x;
}

/// Sum of the lanes, always added in the same tree: ((0+4)+(2+6)) + ((1+5)+(3+7)) for f32.
template <class T>
TENON_INLINE T sumLanes(Vec<T> v) {
  T lanes[Vec<T>::kLanes];
  v.store(lanes);
  for (int half = Vec<T>::kLanes / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  return lanes[0];
}

/// Applies a function of one scalar lane by lane; for what has no vector form.
template <class T, class F>
TENON_INLINE Vec<T> eachLane(Vec<T> x, F f) {
  T lanes[Vec<T>::kLanes];
  x.store(lanes);
  for (T& lane : lanes) lane = f(lane);
  return Vec<T>::load(lanes);
}
template <class T, class F>
TENON_INLINE Vec<T> eachLane(Vec<T> x, Vec<T> y, F f) {
  T a[Vec<T>::kLanes];
  T b[Vec<T>::kLanes];
  x.store(a);
  y.store(b);
  for (int i = 0; i < Vec<T>::kLanes; ++i) a[i] = f(a[i], b[i]);
  return Vec<T>::load(a);
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
