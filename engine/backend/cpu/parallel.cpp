// SPDX-License-Identifier: Apache-2.0
// parallelRange over OpenMP, or over plain threads under the thread sanitizer, which cannot see
// into OpenMP; oneDNN gets one thread there (the tests set OMP_NUM_THREADS=1).
#include "engine/backend/cpu/parallel.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "engine/base/error.h"

namespace tenon::cpu {
namespace {

std::atomic<int> gThreads{0};

#ifdef __SANITIZE_THREAD__
constexpr bool kOwnTeam = true;
#else
constexpr bool kOwnTeam = false;
#endif

int defaultThreads() {
  static const int threads =
      kOwnTeam ? std::max(2, static_cast<int>(std::thread::hardware_concurrency()))
               : std::max(1, omp_get_max_threads());
  return threads;
}

struct Cut {
  int64_t n;
  int64_t chunk;
  RangeBody body;
  void* context;
  void run(int64_t part) const {
    const int64_t begin = part * chunk;
    if (begin < n) body(context, begin, std::min(n, begin + chunk));
  }
};

#ifdef __SANITIZE_THREAD__
void runTeam(const Cut& cut, int64_t parts) {
  std::vector<std::jthread> team;
  for (int64_t part = 1; part < parts; ++part) team.emplace_back([&cut, part] { cut.run(part); });
  cut.run(0);
}
#else
void runTeam(const Cut& cut, int64_t parts) {
#pragma omp parallel for num_threads(static_cast <int>(parts)) schedule(static, 1)
  for (int64_t part = 0; part < parts; ++part) cut.run(part);
}
#endif

}  // namespace

int threadCount() {
  const int set = gThreads.load(std::memory_order_relaxed);
  return set > 0 ? set : defaultThreads();
}

void setThreadCount(int n) {
  if (n < 0) throw Error(Code::Usage, "thread count " + std::to_string(n) + " is negative");
  defaultThreads();  // asks OpenMP, so before OpenMP is told
  gThreads = n;
  omp_set_num_threads(kOwnTeam ? 1 : threadCount());  // oneDNN asks OpenMP
}

void parallelRange(int64_t n, int64_t grain, RangeBody body, void* context) {
  if (n <= 0) return;
  if (n <= grain) {  // the common case of small operators, without a division
    body(context, 0, n);
    return;
  }
  const int64_t grains = (n + grain - 1) / grain;
  const int64_t parts = std::min<int64_t>(grains, threadCount());
  if (parts <= 1) {
    body(context, 0, n);
    return;
  }
  const Cut cut{n, (grains + parts - 1) / parts * grain, body, context};
  runTeam(cut, parts);
}

}  // namespace tenon::cpu
