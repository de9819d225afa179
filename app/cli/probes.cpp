// SPDX-License-Identifier: Apache-2.0
// Copies are memcpy, a range a thread, whose way around the cache is the C library's choice. The
// multiply-adds run in as many independent chains as their latency needs, in the widest registers
// that kernels may use.
#include "app/cli/probes.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string_view>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/wide.h"
#include "engine/backend/registry/devices.h"

namespace tenon::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kMostBytes = 128.0 * 1024 * 1024;  // several times a last-level cache
constexpr int kChains = 12;                         // latency of 4 to 5 cycles, two units
constexpr int64_t kRounds = 1 << 16;

/// How often a second `work` runs.
template <class Work>
double ratePerSecond(double seconds, Work&& work) {
  work();
  const auto start = Clock::now();
  int64_t runs = 0;
  double passed = 0;
  do {
    work();
    ++runs;
    passed = std::chrono::duration<double>(Clock::now() - start).count();
  } while (passed < seconds);
  return static_cast<double>(runs) / passed;
}

using Four = float __attribute__((vector_size(16)));

/// kRounds * kChains multiplications and additions of 4 numbers.
float chainsOfFour() {
  Four sums[kChains] = {};  // chains that begin alike could be made one
  for (int i = 0; i < kChains; ++i) sums[i][0] = static_cast<float>(i);
  const Four factor = {0.5F, 0.5F, 0.5F, 0.5F};
  const Four term = {1, 2, 3, 4};
  for (int64_t round = 0; round < kRounds; ++round) {
#pragma GCC unroll 12
    for (Four& sum : sums) sum = sum * factor + term;
  }
  Four all = sums[0];
  for (int i = 1; i < kChains; ++i) all += sums[i];
  return all[0] + all[1] + all[2] + all[3];
}

#if defined(__x86_64__)
/// kRounds * kChains fused multiply-adds of 8 numbers.
__attribute__((target("avx2,fma"))) float chainsOfEight() {
  __m256 sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = _mm256_set1_ps(static_cast<float>(i));
  const __m256 factor = _mm256_set1_ps(0.5F);
  const __m256 term = _mm256_set1_ps(1);
  for (int64_t round = 0; round < kRounds; ++round) {
#pragma GCC unroll 12
    for (__m256& sum : sums) sum = _mm256_fmadd_ps(sum, factor, term);
  }
  __m256 all = sums[0];
  for (int i = 1; i < kChains; ++i) all = _mm256_add_ps(all, sums[i]);
  return _mm256_cvtss_f32(all);
}
/// kRounds * kChains fused multiply-adds of 16 numbers.
__attribute__((target("avx512f"))) float chainsOfSixteen() {
  __m512 sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 factor = _mm512_set1_ps(0.5F);
  const __m512 term = _mm512_set1_ps(1);
  for (int64_t round = 0; round < kRounds; ++round) {
#pragma GCC unroll 12
    for (__m512& sum : sums) sum = _mm512_fmadd_ps(sum, factor, term);
  }
  __m512 all = sums[0];
  for (int i = 1; i < kChains; ++i) all = _mm512_add_ps(all, sums[i]);
  return _mm512_cvtss_f32(all);
}
#else
float chainsOfEight() { return chainsOfFour(); }
float chainsOfSixteen() { return chainsOfFour(); }
#endif

/// The chains for the registers that kernels use here.
struct Chains {
  float (*run)();
  double numbers;
};
Chains chainsHere() {
  if (std::string_view(backend::cpuLevel()) != "avx2") return {&chainsOfFour, 4};
  if (cpu::wide::available()) return {&chainsOfSixteen, 16};
  return {&chainsOfEight, 8};
}

}  // namespace

CopyProbe::CopyProbe(double bytes)
    : from_(static_cast<size_t>(std::max(1.0, std::min(bytes, kMostBytes) / 2 / sizeof(float))), 1),
      to_(from_.size()) {}

void CopyProbe::copy() {
  cpu::parallelFor(static_cast<int64_t>(from_.size()), 1024, [this](int64_t begin, int64_t end) {
    std::memcpy(to_.data() + begin, from_.data() + begin,
                static_cast<size_t>(end - begin) * sizeof(float));
  });
}

double CopyProbe::perSecond(double seconds) {
  return 2.0 * sizeof(float) * static_cast<double>(from_.size()) *
         ratePerSecond(seconds, [this] { copy(); });
}

double multiplyAddsPerSecond(double seconds) {
  const Chains chains = chainsHere();
  const int threads = backend::threads();
  std::vector<float> results(static_cast<size_t>(threads));
  const double rate = ratePerSecond(seconds, [&] {
    cpu::parallelFor(threads, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) results[static_cast<size_t>(i)] = chains.run();
    });
  });
  return rate * threads * 2.0 * chains.numbers * kChains * static_cast<double>(kRounds);
}

}  // namespace tenon::cli
