// SPDX-License-Identifier: Apache-2.0
// SIMD vectors for kernels: always 32 bytes (8 f32 or 4 f64), whatever the instruction level.
//
// Everything is inside the level's namespace, so that no inline code is shared between levels. A
// tail is loaded and stored by partial copy and goes through the same vector code as the rest, so
// that the bits of an element do not depend on where a chunk ends.
#pragma once

#include <immintrin.h>
#include <stdint.h>

#define TENON_INLINE __attribute__((always_inline)) inline

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

// Set words, then clear ones: what lies n before the middle begins with n set words.
alignas(32) inline constexpr int32_t kTail32[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
alignas(32) inline constexpr int64_t kTail64[8] = {-1, -1, -1, -1};

#ifdef TENON_CPU_LEVEL_avx2
/// All bits of the first n lanes.
template <class T>
TENON_INLINE __m256i tailMask(int64_t n) {
  const void* from = nullptr;
  if constexpr (sizeof(T) == 4) {
    from = kTail32 + (8 - n);
  } else {
    from = kTail64 + (4 - n);
  }
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}
#endif
}  // namespace detail

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
  TENON_INLINE static Vec loadTail(const T* from, int64_t n) {
#ifdef TENON_CPU_LEVEL_avx2
    Vec v;
    if constexpr (sizeof(T) == 4) {
      v.part[0] = _mm256_maskload_ps(from, detail::tailMask<T>(n));
    } else {
      v.part[0] = _mm256_maskload_pd(from, detail::tailMask<T>(n));
    }
    return v;
#else
    T lanes[kLanes] = {};
    for (int64_t i = 0; i < n; ++i) lanes[i] = from[i];
    return load(lanes);
#endif
  }
  TENON_INLINE void storeTail(T* to, int64_t n) const {
#ifdef TENON_CPU_LEVEL_avx2
    if constexpr (sizeof(T) == 4) {
      _mm256_maskstore_ps(to, detail::tailMask<T>(n), part[0]);
    } else {
      _mm256_maskstore_pd(to, detail::tailMask<T>(n), part[0]);
    }
#else
    T lanes[kLanes];
    store(lanes);
    for (int64_t i = 0; i < n; ++i) to[i] = lanes[i];
#endif
  }
  /// The first n elements of a row with a stride.
  static Vec gather(const T* from, int64_t stride, int64_t n = kLanes) {
    if (stride == 1) return loadTail(from, n);
    T lanes[kLanes] = {};
    for (int64_t i = 0; i < n; ++i) lanes[i] = from[i * stride];
    return load(lanes);
  }
  void scatter(T* to, int64_t stride, int64_t n = kLanes) const {
    if (stride == 1) return storeTail(to, n);
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

/// Set in the first n lanes.
TENON_INLINE Bits<float> firstLanes(int64_t n) {
  Bits<float> mask;
  const int32_t* from = detail::kTail32 + (8 - n);
  __builtin_memcpy(&mask.part[0], from, kPartBytes);
  if constexpr (kParts == 2) __builtin_memcpy(&mask.part[1], from + 4, kPartBytes);
  return mask;
}

/// Folds the lanes to one by f(Vec, Vec), always in the same tree: ((0 4)(2 6)) ((1 5)(3 7)).
template <class F>
TENON_INLINE float foldLanes(Vec<float> v, F f) {
  using I = Bits<float>::Part;
#ifdef TENON_CPU_LEVEL_avx2
  Vec<float> other;
  other.part[0] = __builtin_shuffle(v.part[0], I{4, 5, 6, 7, 0, 1, 2, 3});
  v = f(v, other);
  other.part[0] = __builtin_shuffle(v.part[0], I{2, 3, 0, 1, 6, 7, 4, 5});
  v = f(v, other);
  other.part[0] = __builtin_shuffle(v.part[0], I{1, 0, 3, 2, 5, 4, 7, 6});
#else
  Vec<float> other = v;
  other.part[0] = v.part[1];
  v = f(v, other);
  other.part[0] = __builtin_shuffle(v.part[0], I{2, 3, 0, 1});
  v = f(v, other);
  other.part[0] = __builtin_shuffle(v.part[0], I{1, 0, 3, 2});
#endif
  return f(v, other).part[0][0];
}

TENON_INLINE float sumLanes(Vec<float> v) {
  return foldLanes(v, [](Vec<float> a, Vec<float> b) { return a + b; });
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
