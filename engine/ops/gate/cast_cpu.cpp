// SPDX-License-Identifier: Apache-2.0
// CPU kernels of "cast", between all types.
//
// Layout and aliasing as in engine/backend/cpu/pointwise.h. f16 and bf16 pass through f32 on both
// sides. Floating numbers pass through i64 on the way to 8-bit integers, so that they wrap around.
#include "engine/ops/gate/cast.h"

#include "engine/backend/api/half.h"
#include "engine/backend/cpu/pointwise.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

struct F16 {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};

template <class T>
TENON_INLINE T widened(T x) {
  return x;
}
TENON_INLINE float widened(F16 x) { return tenonF32OfF16(x.bits); }
TENON_INLINE float widened(BF16 x) { return tenonF32OfBF16(x.bits); }

template <class To>
struct Narrowed {
  template <class T>
  TENON_INLINE static To of(T x) {
    if constexpr (sizeof(To) == 1 && T(0.5) != T(0)) {
      return static_cast<To>(static_cast<int64_t>(x));
    } else {
      return static_cast<To>(x);
    }
  }
};
template <>
struct Narrowed<bool> {
  template <class T>
  TENON_INLINE static bool of(T x) {
    return x != T(0);
  }
};
template <>
struct Narrowed<F16> {
  template <class T>
  TENON_INLINE static F16 of(T x) {
    return {tenonF16OfF32(static_cast<float>(x))};
  }
};
template <>
struct Narrowed<BF16> {
  template <class T>
  TENON_INLINE static BF16 of(T x) {
    return {tenonBF16OfF32(static_cast<float>(x))};
  }
};

template <class From, class To>
void castElements(const TenonKernelArgs* args) {
  mapMixed([](From x) { return Narrowed<To>::of(widened(x)); }, Operand<To>{args->outputs[0]},
           Operand<From>{args->inputs[0]});
}

template <class From>
int32_t runCast(const TenonKernelArgs* args) {
  switch (static_cast<const CastParams*>(args->params)->dtype) {
    case TENON_F32:
      castElements<From, float>(args);
      break;
    case TENON_F64:
      castElements<From, double>(args);
      break;
    case TENON_F16:
      castElements<From, F16>(args);
      break;
    case TENON_BF16:
      castElements<From, BF16>(args);
      break;
    case TENON_I64:
      castElements<From, int64_t>(args);
      break;
    case TENON_I32:
      castElements<From, int32_t>(args);
      break;
    case TENON_I8:
      castElements<From, int8_t>(args);
      break;
    case TENON_U8:
      castElements<From, uint8_t>(args);
      break;
    default:
      castElements<From, bool>(args);
  }
  return TENON_OK;
}

void askCast(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  pointwiseWishes(args, answer, true);
}

#define TENON_CAST(type, number) \
  { "cast", "reference", 0, TENON_DTYPE_BIT(number), &askCast, &runCast<type> }
constexpr TenonKernel kKernels[] = {
    TENON_CAST(float, TENON_F32), TENON_CAST(double, TENON_F64),  TENON_CAST(F16, TENON_F16),
    TENON_CAST(BF16, TENON_BF16), TENON_CAST(int64_t, TENON_I64), TENON_CAST(int32_t, TENON_I32),
    TENON_CAST(int8_t, TENON_I8), TENON_CAST(uint8_t, TENON_U8),  TENON_CAST(bool, TENON_BOOL),
};

}  // namespace

KernelList cpuKernels_cast();
KernelList cpuKernels_cast() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
