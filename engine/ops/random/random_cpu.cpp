// SPDX-License-Identifier: Apache-2.0
// CPU kernels of random operators. Each number is a function of key, call and logical row-major
// index alone (philox.h), computed in f64 and rounded (f16, bf16: to f32 first); any layout and
// strides.
#include "engine/ops/random/random.h"

#include "engine/backend/api/half.h"
#include "engine/backend/cpu/earliest.h"
#include "engine/backend/cpu/message.h"
#include "engine/backend/cpu/random_walk.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {
namespace {

constexpr int64_t kGrain = 4096;  // numbers: each costs some ten times a pointwise operation

template <class P>
const P& paramsOf(const TenonKernelArgs* args) {
  return *static_cast<const P*>(args->params);
}

float before(float x) {
  if (x == 0) return -0x1p-149F;
  const uint32_t bits = tenonBitsOfF32(x);
  return tenonF32OfBits(x < 0 ? bits + 1 : bits - 1);
}
double before(double x) {
  if (x == 0) return -0x1p-1074;
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &x, sizeof(bits));
  bits = x < 0 ? bits + 1 : bits - 1;
  __builtin_memcpy(&x, &bits, sizeof(bits));
  return x;
}
/// Bits of the 16-bit floating number before a finite one.
uint16_t before(uint16_t bits) {
  if ((bits & 0x7FFFu) == 0) return 0x8001u;
  return static_cast<uint16_t>((bits & 0x8000u) != 0 ? bits + 1 : bits - 1);
}

/// How a type holds numbers that were computed in f64.
template <class T>
struct Plain {
  using Stored = T;
  static T widened(T x) { return x; }
  static T rounded(double x) { return static_cast<T>(x); }
};
struct F16Bits {
  using Stored = uint16_t;
  static float widened(uint16_t bits) { return tenonF32OfF16(bits); }
  static uint16_t rounded(double x) { return tenonF16OfF32(static_cast<float>(x)); }
};
struct BF16Bits {
  using Stored = uint16_t;
  static float widened(uint16_t bits) { return tenonF32OfBF16(bits); }
  static uint16_t rounded(double x) { return tenonBF16OfF32(static_cast<float>(x)); }
};

template <class Type>
int32_t uniform(const TenonKernelArgs* args) {
  const auto& p = paramsOf<UniformParams>(args);
  const Draw draw(args);
  auto* data = dataOf<typename Type::Stored>(args->outputs[0]);
  const double length = p.high - p.low;
  forEachRun(args->outputs[0], kGrain, [&](int64_t begin, int64_t end, int64_t at, int64_t stride) {
    forEachWord(draw, begin, end, [&](int64_t i, uint32_t word) {
      const auto x = Type::rounded(p.low + length * philox::toUniform01(word));
      data[at + (i - begin) * stride] = Type::widened(x) < p.high ? x : before(x);
    });
  });
  return TENON_OK;
}

int32_t uniformF64(const TenonKernelArgs* args) {
  const auto& p = paramsOf<UniformParams>(args);
  const Draw draw(args);
  auto* data = dataOf<double>(args->outputs[0]);
  const double length = p.high - p.low;
  forEachRun(args->outputs[0], kGrain, [&](int64_t begin, int64_t end, int64_t at, int64_t stride) {
    for (int64_t i = begin; i < end; ++i) {
      const double u = philox::uniform01Double(draw.key, draw.call, static_cast<uint64_t>(i));
      const double x = p.low + length * u;
      data[at + (i - begin) * stride] = x < p.high ? x : before(p.high);
    }
  });
  return TENON_OK;
}

template <class Type>
int32_t normal(const TenonKernelArgs* args) {
  const auto& p = paramsOf<NormalParams>(args);
  const Draw draw(args);
  auto* data = dataOf<typename Type::Stored>(args->outputs[0]);
  forEachRun(args->outputs[0], kGrain, [&](int64_t begin, int64_t end, int64_t at, int64_t stride) {
    const auto group = [&](int64_t i, int64_t stop, int64_t first, const uint32_t* words) {
      for (int64_t pair = i - i % 2; pair < stop; pair += 2) {
        const auto both = philox::toNormalPairDouble(words[pair - first], words[pair - first + 1]);
        if (pair >= i)
          data[at + (pair - begin) * stride] = Type::rounded(p.mean + p.std * both.first);
        if (pair + 1 < stop)
          data[at + (pair + 1 - begin) * stride] = Type::rounded(p.mean + p.std * both.second);
      }
    };
    forEachGroup(draw, begin, end, group);
  });
  return TENON_OK;
}

/// A chance p as a 64-bit limit: an element is 1 if its 64 random bits lie below it. The upper half
/// nearly always decides, so the lower is drawn only where it does not.
struct Chance {
  uint64_t upper;  // 2^32 for p = 1
  uint32_t lower;

  explicit Chance(double p) {
    const double scaled = p * 0x1p32;
    upper = static_cast<uint64_t>(scaled);
    lower = static_cast<uint32_t>((scaled - static_cast<double>(upper)) * 0x1p32);
  }
  bool hit(const Draw& draw, int64_t i, uint32_t word) const {
    if (word != upper) return word < upper;
    return philox::wordOf(philox::lowerKey(draw.key), draw.call, static_cast<uint64_t>(i)) < lower;
  }
};

template <class Type>
int32_t bernoulliOfOne(const TenonKernelArgs* args) {
  const Draw draw(args);
  const Chance chance(paramsOf<BernoulliParams>(args).p);
  auto* data = dataOf<typename Type::Stored>(args->outputs[0]);
  const auto one = Type::rounded(1);
  const auto zero = Type::rounded(0);
  forEachRun(args->outputs[0], kGrain, [&](int64_t begin, int64_t end, int64_t at, int64_t stride) {
    forEachWord(draw, begin, end, [&](int64_t i, uint32_t word) {
      data[at + (i - begin) * stride] = chance.hit(draw, i, word) ? one : zero;
    });
  });
  return TENON_OK;
}

template <class T>
int32_t bernoulli(const TenonKernelArgs* args) {
  const Draw draw(args);
  const T* chances = dataOf<T>(args->inputs[0]);
  T* data = dataOf<T>(args->outputs[0]);
  Earliest wrong(countOf(args->inputs[0]));
  forEachRun(args->outputs[0], kGrain, [&](int64_t begin, int64_t end, int64_t, int64_t) {
    forEachWord(draw, begin, end, [&](int64_t i, uint32_t word) {
      const auto p = static_cast<double>(chances[i]);
      if (!(p >= 0 && p <= 1)) return wrong.note(i);
      data[i] = Chance(p).hit(draw, i, word) ? T(1) : T(0);
    });
  });
  if (!wrong.found()) return TENON_OK;
  return fail(args, TENON_BAD_VALUE, "p must be 0 .. 1, but element %lld is %g",
              static_cast<long long>(wrong.place()), static_cast<double>(chances[wrong.place()]));
}

template <class T>
int32_t randint(const TenonKernelArgs* args) {
  const auto& p = paramsOf<RandintParams>(args);
  const Draw draw(args);
  T* data = dataOf<T>(args->outputs[0]);
  const auto low = static_cast<uint64_t>(p.low);
  const uint64_t range = static_cast<uint64_t>(p.high) - low;
  forEachRun(args->outputs[0], kGrain, [&](int64_t begin, int64_t end, int64_t at, int64_t stride) {
    for (int64_t i = begin; i < end; ++i)
      data[at + (i - begin) * stride] = static_cast<T>(static_cast<int64_t>(
          low + philox::boundedInt(draw.key, draw.call, static_cast<uint64_t>(i), range)));
  });
  return TENON_OK;
}

/// Fisher-Yates, as philox::permutation.
int32_t permutation(const TenonKernelArgs* args) {
  const Draw draw(args);
  auto* order = dataOf<int64_t>(args->outputs[0]);
  const int64_t n = args->outputs[0].sizes[0];
  const int64_t stride = args->outputs[0].strides[0];
  for (int64_t i = 0; i < n; ++i) order[i * stride] = i;
  for (int64_t i = n; i > 1; --i) {
    const auto last = static_cast<uint64_t>(i - 1);
    const auto j = static_cast<int64_t>(
        philox::boundedInt(draw.key, draw.call, last, static_cast<uint64_t>(i)));
    const int64_t moved = order[(i - 1) * stride];
    order[(i - 1) * stride] = order[j * stride];
    order[j * stride] = moved;
  }
  return TENON_OK;
}

void askAny(const TenonKernelArgs*, TenonKernelQuery*) {}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);
constexpr uint32_t kF16 = TENON_DTYPE_BIT(TENON_F16);
constexpr uint32_t kBF16 = TENON_DTYPE_BIT(TENON_BF16);
constexpr uint32_t kBool = TENON_DTYPE_BIT(TENON_BOOL);
constexpr uint32_t kI64 = TENON_DTYPE_BIT(TENON_I64);
constexpr uint32_t kI32 = TENON_DTYPE_BIT(TENON_I32);
constexpr TenonKernel kKernels[] = {
    {"uniform_", "philox8", 10, kF32, &askAny, &uniform<Plain<float>>},
    {"uniform_", "reference", 0, kF64, &askAny, &uniformF64},
    {"uniform_", "philox8", 10, kF16, &askAny, &uniform<F16Bits>},
    {"uniform_", "philox8", 10, kBF16, &askAny, &uniform<BF16Bits>},
    {"normal_", "philox8", 10, kF32, &askAny, &normal<Plain<float>>},
    {"normal_", "reference", 0, kF64, &askAny, &normal<Plain<double>>},
    {"normal_", "philox8", 10, kF16, &askAny, &normal<F16Bits>},
    {"normal_", "philox8", 10, kBF16, &askAny, &normal<BF16Bits>},
    {"bernoulli_", "philox8", 10, kF32, &askAny, &bernoulliOfOne<Plain<float>>},
    {"bernoulli_", "reference", 0, kF64, &askAny, &bernoulliOfOne<Plain<double>>},
    {"bernoulli_", "philox8", 10, kF16, &askAny, &bernoulliOfOne<F16Bits>},
    {"bernoulli_", "philox8", 10, kBF16, &askAny, &bernoulliOfOne<BF16Bits>},
    {"bernoulli_", "philox8", 10, kBool, &askAny, &bernoulliOfOne<Plain<uint8_t>>},
    {"bernoulli", "philox8", 10, kF32, nullptr, &bernoulli<float>},
    {"bernoulli", "reference", 0, kF64, nullptr, &bernoulli<double>},
    {"randint_", "reference", 0, kI64, &askAny, &randint<int64_t>},
    {"randint_", "reference", 0, kI32, &askAny, &randint<int32_t>},
    {"permutation_", "reference", 0, kI64, &askAny, &permutation},
};

}  // namespace

KernelList cpuKernels_random();
KernelList cpuKernels_random() { return {kKernels, sizeof(kKernels) / sizeof(kKernels[0])}; }

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu
