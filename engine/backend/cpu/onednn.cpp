// SPDX-License-Identifier: Apache-2.0
// oneDNN's engine, streams and threads, and matrix products.
//
// Deterministic products are cut into fixed bands of rows, each computed by one thread.
#include "engine/backend/cpu/onednn.h"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "engine/backend/cpu/instruction_limit.h"
#include "engine/backend/cpu/onednn_internal.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/base/error.h"

namespace tenon::cpu::onednn {
namespace {

thread_local bool oneThread = false;

int32_t product(const TenonKernelArgs& args, const GemmProblem& p, const float* a, const float* b,
                float* c) noexcept {
  const dnnl_status_t status =
      dnnl_sgemm(p.transposeA ? 'T' : 'N', p.transposeB ? 'T' : 'N', p.m, p.n, p.k, 1.0f, a, p.lda,
                 b, p.ldb, p.accumulate ? 1.0f : 0.0f, c, p.ldc);
  return status == dnnl_success ? int32_t{TENON_OK} : failed(args, "matrix product failed");
}

}  // namespace

void limitInstructions(const char* level) {
  const bool baseline = std::strcmp(level, "baseline") == 0;
  const dnnl::status status =
      dnnl::set_max_cpu_isa(baseline ? dnnl::cpu_isa::sse41 : dnnl::cpu_isa::avx2);
  if (status == dnnl::status::success) return;
  const char* reason = status == dnnl::status::unimplemented
                           ? "it was built without such limits"
                           : "it has chosen its instructions already";
  throw Error(Code::Device,
              std::string("[cpu] oneDNN cannot be held to level '") + level + "': " + reason);
}

const dnnl::engine& cpuEngine() {
  // Outlives every thread's cache.
  static const dnnl::engine* made = new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return *made;
}

dnnl::stream& threadStream() {
  thread_local dnnl::stream stream(cpuEngine());
  return stream;
}

int useTeam() {
#ifdef __SANITIZE_THREAD__
  const int threads = 1;  // the sanitizer cannot see into OpenMP
#else
  const int threads = oneThread ? 1 : threadCount();
#endif
  if (omp_get_max_threads() != threads) omp_set_num_threads(threads);
  return threads;
}

OneThread::OneThread() : saved_(omp_get_max_threads()), outer_(oneThread) {
  oneThread = true;
  omp_set_num_threads(1);
}

OneThread::~OneThread() {
  oneThread = outer_;
  omp_set_num_threads(saved_);
}

int32_t sgemmOneThread(const TenonKernelArgs& args, const GemmProblem& p, const float* a,
                       const float* b, float* c) noexcept {
  const OneThread guard;
  return product(args, p, a, b, c);
}

int32_t sgemm(const TenonKernelArgs& args, const GemmProblem& p, const float* a, const float* b,
              float* c) noexcept {
  static const bool limited = (cpuEngine(), true);  // before oneDNN's first use
  (void)limited;
  useTeam();
  constexpr int64_t kBand = 64;  // rows
  if (!args.deterministic || p.m <= kBand) {
    // One band is one thread's work in deterministic mode, whatever the team.
    return args.deterministic ? sgemmOneThread(args, p, a, b, c) : product(args, p, a, b, c);
  }
  std::atomic<int32_t> worst{TENON_OK};
  parallelFor((p.m + kBand - 1) / kBand, 1, [&](int64_t begin, int64_t end) {
    for (int64_t band = begin; band < end; ++band) {
      GemmProblem part = p;
      const int64_t row = band * kBand;
      part.m = std::min(kBand, p.m - row);
      const float* from = a + (p.transposeA ? row : row * p.lda);
      if (sgemmOneThread(args, part, from, b, c + row * p.ldc) != TENON_OK) worst = TENON_FAILED;
    }
  });
  return worst;
}

}  // namespace tenon::cpu::onednn
