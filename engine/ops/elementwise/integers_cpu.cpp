// SPDX-License-Identifier: Apache-2.0
// CPU kernels of integers alone: division with its remainders, powers, bits.
//
// Division looks for zeros among the divisors first. The smallest integer divided by -1, which C
// leaves undefined, wraps around. Layout and aliasing as in engine/backend/cpu/pointwise.h.
#include "engine/backend/cpu/message.h"
#include "engine/ops/elementwise/unary_cpu.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

template <class T>
constexpr bool kSigned = T(-1) < T(0);

template <class T>
bool isMinusOne(T b) {
  return kSigned<T> && b == static_cast<T>(-1);
}
template <class T>
T negated(T a) {
  return static_cast<T>(0 - static_cast<uint64_t>(a));
}
template <class T>
bool signsDiffer(T a, T b) {
  if constexpr (kSigned<T>) return (a < 0) != (b < 0);
  return false;
}

struct Leaves {  // with the sign of a
  template <class T>
  static T of(T a, T b) {
    return isMinusOne(b) ? T(0) : static_cast<T>(a % b);
  }
};
struct LeavesOfFloor {  // with the sign of b
  template <class T>
  static T of(T a, T b) {
    const T m = Leaves::of(a, b);
    return m != 0 && signsDiffer(m, b) ? static_cast<T>(m + b) : m;
  }
};
struct Floor {
  template <class T>
  static T of(T a, T b) {
    if (isMinusOne(b)) return negated(a);
    const T quotient = static_cast<T>(a / b);
    return a % b != 0 && signsDiffer(a, b) ? static_cast<T>(quotient - 1) : quotient;
  }
};
/// A negative power is 0, but of 1 and -1.
struct Power {
  template <class T>
  static T of(T a, T b) {
    if constexpr (kSigned<T>)
      if (b < 0) return a == 1 ? T(1) : isMinusOne(a) ? T(b % 2 == 0 ? 1 : -1) : T(0);
    return static_cast<T>(math::wholePower(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  }
};

template <class F, class T>
int32_t runPair(const TenonKernelArgs* args) {
  mapMixed([](T a, T b) { return F::of(a, b); }, Operand<T>{args->outputs[0]},
           Operand<T>{args->inputs[0]}, Operand<T>{args->inputs[1]});
  return TENON_OK;
}

/// Place of the first zero in memory order, or -1.
template <class T>
int64_t firstZero(const TenonTensorView& b) {
  const T* data = dataOf<T>(b);
  if (blocked(b)) {  // asked for without padding only
    for (int64_t i = 0, n = physicalCount(b); i < n; ++i)
      if (data[i] == 0) return i;
    return -1;
  }
  const LoopNest<1> nest = makeNest<1>(b, {&b});
  NestPosition<1> at(nest, 0);
  for (int64_t i = 0; i < nest.total; ++i, at.advance(1))
    if (data[at.offset[0]] == 0) return i;
  return -1;
}

template <class F, class T>
int32_t runDivision(const TenonKernelArgs* args) {
  const int64_t zero = firstZero<T>(args->inputs[1]);
  if (zero >= 0)
    return fail(args, TENON_BAD_VALUE, "integers divided by zero: element %lld of b is 0",
                static_cast<long long>(zero));
  return runPair<F, T>(args);
}

template <class T>
int32_t runAnd(const TenonKernelArgs* args) {
  mapBinary<T>(args->outputs[0], args->inputs[0], args->inputs[1],
               [](T a, T b) { return static_cast<T>(a & b); });
  return TENON_OK;
}
template <class T>
int32_t runOr(const TenonKernelArgs* args) {
  mapBinary<T>(args->outputs[0], args->inputs[0], args->inputs[1],
               [](T a, T b) { return static_cast<T>(a | b); });
  return TENON_OK;
}
template <class T>
int32_t runXor(const TenonKernelArgs* args) {
  mapBinary<T>(args->outputs[0], args->inputs[0], args->inputs[1],
               [](T a, T b) { return static_cast<T>(a ^ b); });
  return TENON_OK;
}
/// Turns over the bits of Mask: all of an integer's, the one of a bool.
template <class T, T Mask>
int32_t runNot(const TenonKernelArgs* args) {
  mapUnary<T>(args->outputs[0], args->inputs[0], [](T x) { return static_cast<T>(x ^ Mask); });
  return TENON_OK;
}

constexpr auto kAsk = &askPointwise<false>;
constexpr uint32_t kBytes = kI8 | kU8 | kBool;

constexpr auto kAskInPlace = &askInPlaceAs<false>;

#define TENON_INTEGERS(id, ask, run, F)                  \
  {id, "reference", 0, kI64, ask, &run<F, int64_t>},     \
      {id, "reference", 0, kI32, ask, &run<F, int32_t>}, \
      {id, "reference", 0, kI8, ask, &run<F, int8_t>}, { \
    id, "reference", 0, kU8, ask, &run<F, uint8_t>       \
  }
#define TENON_BOTH(id, run, F) \
  TENON_INTEGERS(id, kAsk, run, F), TENON_INTEGERS(id "_", kAskInPlace, run, F)
#define TENON_BITS(id, run)                               \
  {id, "reference", 0, kI64, kAsk, &run<uint64_t>},       \
      {id, "reference", 0, kI32, kAsk, &run<uint32_t>}, { \
    id, "reference", 0, kBytes, kAsk, &run<uint8_t>       \
  }
constexpr TenonKernel kKernels[] = {
    TENON_BOTH("fmod", runDivision, Leaves),
    TENON_BOTH("remainder", runDivision, LeavesOfFloor),
    TENON_BOTH("floor_divide", runDivision, Floor),
    TENON_BOTH("pow", runPair, Power),
    TENON_BITS("bitwise_and", runAnd),
    TENON_BITS("bitwise_or", runOr),
    TENON_BITS("bitwise_xor", runXor),
    {"bitwise_not", "reference", 0, kI64, kAsk, &runNot<uint64_t, ~uint64_t{0}>},
    {"bitwise_not", "reference", 0, kI32, kAsk, &runNot<uint32_t, ~uint32_t{0}>},
    {"bitwise_not", "reference", 0, kI8 | kU8, kAsk, &runNot<uint8_t, 0xFF>},
    {"bitwise_not", "reference", 0, kBool, kAsk, &runNot<uint8_t, 1>},
};

}  // namespace

KernelList cpuKernels_integers();
KernelList cpuKernels_integers() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
