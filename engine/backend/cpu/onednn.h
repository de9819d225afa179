// SPDX-License-Identifier: Apache-2.0
// oneDNN behind a narrow interface: matrix products and convolutions. No oneDNN header is needed to
// call it. Compiled once; oneDNN chooses its own instruction set (TENON_CPU=baseline limits it).
//
// All functions are called from the step's thread, use the team of parallel.h, and return enum
// TenonStatus with the reason in args.message. No exception leaves them.
#pragma once

#include <cstdint>

#include "engine/backend/api/kernel.h"
#include "engine/base/export.h"

namespace tenon::cpu::onednn {

/// Row-major C [m, n] = op(A) [m, k] op(B) [k, n], added to what C holds if `accumulate`.
struct GemmProblem {
  int64_t m = 0, n = 0, k = 0;
  bool transposeA = false;  ///< A lies as [k, m]
  bool transposeB = false;  ///< B lies as [n, k]
  int64_t lda = 0, ldb = 0, ldc = 0;
  bool accumulate = false;
};

/// f32 matrix product. With args.deterministic the result does not depend on the thread count.
int32_t sgemm(const TenonKernelArgs& args, const GemmProblem& problem, const float* a,
              const float* b, float* c) noexcept;
/// The same on the calling thread alone; may run inside parallelFor.
int32_t sgemmOneThread(const TenonKernelArgs& args, const GemmProblem& problem, const float* a,
                       const float* b, float* c) noexcept;

enum class ConvKind : int64_t { Forward, BackwardData, BackwardWeight };

/// A f32 convolution. Without padding bytes, so that it can be hashed and compared as memory.
struct ConvProblem {
  ConvKind kind = ConvKind::Forward;
  int64_t n = 0, c = 0, h = 0, w = 0;  ///< x [n, c, h, w]
  int64_t o = 0, oh = 0, ow = 0;       ///< y [n, o, oh, ow]
  int64_t kh = 0, kw = 0;              ///< weight [o, c / groups, kh, kw], dense row-major
  int64_t stride[2] = {1, 1};
  int64_t padding[2] = {0, 0};
  int64_t dilation[2] = {1, 1};
  int64_t groups = 1;
  int64_t xBlocked = 0;  ///< 1: blocked by 8 on axis 1, without padding; 0: dense row-major
  int64_t yBlocked = 0;
  int64_t bias = 0;  ///< 1: forward reads, backward-weight writes a bias [o]
};

/// The four tensors (or their gradients) of a convolution; which are written depends on the kind.
struct ConvData {
  void* x = nullptr;
  void* weight = nullptr;
  void* bias = nullptr;
  void* y = nullptr;
};

/// True if oneDNN has an optimized implementation for these layouts (never its plain loops).
bool convolutionSupported(const ConvProblem& problem) noexcept;
/// Runs it. Weights are brought into oneDNN's order in workspace. With args.deterministic the
/// result does not depend on the thread count.
int32_t convolve(const TenonKernelArgs& args, const ConvProblem& problem,
                 const ConvData& data) noexcept;
/// How many convolutions of this process had to be prepared because no thread's cache held them.
TENON_API int64_t convolutionsPrepared() noexcept;

}  // namespace tenon::cpu::onednn
