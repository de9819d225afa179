// SPDX-License-Identifier: Apache-2.0
// Kernels of unary functions and of their gradients, made from a functor; for kernel files only.
//
// f32 runs over SIMD vectors ("simd"), the other types over scalars ("reference"); integers of 8
// bits are computed as 32. Layout and aliasing as in engine/backend/cpu/pointwise.h.
#pragma once

#include "engine/backend/cpu/pointwise.h"
#include "engine/ops/elementwise/elementwise.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// A list of kernels that grows while it is made.
template <int Most>
struct KernelTable {
  TenonKernel items[Most];
  int count = 0;

  void add(const TenonKernel& kernel) { items[count++] = kernel; }
  KernelList list() const { return {items, count}; }
};

/// A number as V; integers stop at their limits (an infinite limit of clamp is none).
template <class V>
V numberAs(double number) {
  return V(number);
}
template <>
inline int64_t numberAs(double number) {
  if (number >= 9223372036854775807.0) return INT64_MAX;
  return number <= -9223372036854775808.0 ? INT64_MIN : static_cast<int64_t>(number);
}
template <>
inline int32_t numberAs(double number) {
  if (number >= 2147483647.0) return INT32_MAX;
  return number <= -2147483648.0 ? INT32_MIN : static_cast<int32_t>(number);
}

template <>
inline uint64_t numberAs(double number) {
  return static_cast<uint64_t>(numberAs<int64_t>(number));
}
template <>
inline uint32_t numberAs(double number) {
  return static_cast<uint32_t>(numberAs<int64_t>(number));
}

template <class V>
functions::Options<V> optionsOf(const TenonKernelArgs* args) {
  const auto* params = static_cast<const UnaryParams*>(args->params);
  return {numberAs<V>(params->a), numberAs<V>(params->b)};
}

template <class F, class V>
int32_t runUnary(const TenonKernelArgs* args) {
  const functions::Options<V> o = optionsOf<V>(args);
  mapUnary<V>(args->outputs[0], args->inputs[0], [o](V x) { return F::forward(x, o); });
  return TENON_OK;
}

/// Integers of type S computed as V, which holds S or wraps around as S does.
template <class F, class S, class V>
int32_t runUnaryIntegers(const TenonKernelArgs* args) {
  const functions::Options<V> o = optionsOf<V>(args);
  mapMixed([o](S x) { return static_cast<S>(F::forward(static_cast<V>(x), o)); },
           Operand<S>{args->outputs[0]}, Operand<S>{args->inputs[0]});
  return TENON_OK;
}

/// Inputs: the gradient that arrives, and what the function saved.
template <class F, class V>
int32_t runUnaryBackward(const TenonKernelArgs* args) {
  const functions::Options<V> o = optionsOf<V>(args);
  mapBinary<V>(args->outputs[0], args->inputs[0], args->inputs[1],
               [o](V dy, V saved) { return F::backward(dy, saved, o); });
  return TENON_OK;
}

template <bool KeepsZero>
void askPointwise(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  pointwiseWishes(args, answer, KeepsZero);
}
template <bool KeepsZero>
void askInPlaceAs(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  pointwiseWishes(args, answer, KeepsZero, true);
}
inline constexpr auto askInPlace = &askInPlaceAs<true>;

inline constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
inline constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);
inline constexpr uint32_t kI64 = TENON_DTYPE_BIT(TENON_I64);
inline constexpr uint32_t kI32 = TENON_DTYPE_BIT(TENON_I32);
inline constexpr uint32_t kI8 = TENON_DTYPE_BIT(TENON_I8);
inline constexpr uint32_t kU8 = TENON_DTYPE_BIT(TENON_U8);
inline constexpr uint32_t kBool = TENON_DTYPE_BIT(TENON_BOOL);
inline constexpr uint32_t kHalves = TENON_DTYPE_BIT(TENON_F16) | TENON_DTYPE_BIT(TENON_BF16);

template <bool Wraps>
struct IntegersOf {
  using Long = int64_t;
  using Short = int32_t;
};
template <>
struct IntegersOf<true> {
  using Long = uint64_t;
  using Short = uint32_t;
};

/// The integer kernels of one function.
template <class F, class Table>
void addUnaryIntegers(Table& table, const char* id,
                      void (*ask)(const TenonKernelArgs*, TenonKernelQuery*)) {
  using Long = typename IntegersOf<F::kWraps>::Long;
  using Short = typename IntegersOf<F::kWraps>::Short;
  table.add({id, "reference", 0, kI64, ask, &runUnaryIntegers<F, int64_t, Long>});
  table.add({id, "reference", 0, kI32, ask, &runUnaryIntegers<F, int32_t, Short>});
  table.add({id, "reference", 0, kI8, ask, &runUnaryIntegers<F, int8_t, Short>});
  table.add({id, "reference", 0, kU8, ask, &runUnaryIntegers<F, uint8_t, Short>});
}

template <class F, class Table>
void addUnaryForward(Table& table, const char* id,
                     void (*ask)(const TenonKernelArgs*, TenonKernelQuery*)) {
  table.add({id, "simd", 10, kF32, ask, &runUnary<F, Vec<float>>});
  table.add({id, "reference", 0, kF64, ask, &runUnary<F, double>});
  if constexpr (F::kIntegers) addUnaryIntegers<F>(table, id, ask);
}

/// The kernels of one function: forward, in place, and backward where the gradient needs something
/// saved.
template <class F, class Table>
void addUnary(Table& table, const char* id, const char* inPlaceId, const char* backwardId) {
  constexpr auto kAsk = &askPointwise<F::kKeepsZero>;
  addUnaryForward<F>(table, id, kAsk);
  addUnaryForward<F>(table, inPlaceId, &askInPlaceAs<F::kKeepsZero>);
  if constexpr (F::kSaves != functions::Saves::Nothing) {
    table.add({backwardId, "simd", 10, kF32, kAsk, &runUnaryBackward<F, Vec<float>>});
    table.add({backwardId, "reference", 0, kF64, kAsk, &runUnaryBackward<F, double>});
  }
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu

#define TENON_ADD_UNARY(name, functor, id, ...) \
  addUnary<functions::functor>(table, id, id "_", id "_backward");
