// SPDX-License-Identifier: Apache-2.0
// Matrix product kernels over batches with broadcast leading axes.
//
// Matrices may lie row-major or transposed, batches at any strides. One large product uses the
// whole team; many products are divided among it, each computed by one thread.
#include "engine/ops/matmul/matmul.h"

#include "engine/backend/api/kernel.h"
#include "engine/backend/cpu/gemm.h"
#include "engine/backend/cpu/parallel.h"

namespace tenon::cpu::TENON_CPU_LEVEL {
namespace {

/// The products of a call: where the matrices of each lie.
struct Batches {
  const TenonKernelArgs* args;
  GemmProblem problem;
  int64_t count;

  /// First element of the b-th matrix of an input.
  int64_t offset(const TenonTensorView& in, int64_t b) const {
    const TenonTensorView& out = args->outputs[0];
    int64_t at = 0;
    for (int axis = out.ndim - 3; axis >= 0; --axis) {
      const int64_t index = b % out.sizes[axis];
      b /= out.sizes[axis];
      const int own = axis - (out.ndim - in.ndim);
      if (own >= 0 && in.sizes[own] != 1) at += index * in.strides[own];
    }
    return at;
  }
};

Batches batchesOf(const TenonKernelArgs* args) {
  const auto* p = static_cast<const MatmulParams*>(args->params);
  const MatrixView a = matrixOf(args->inputs[0]), b = matrixOf(args->inputs[1]);
  const TenonTensorView& c = args->outputs[0];
  Batches all = {args, {}, 1};
  all.problem.m = c.sizes[c.ndim - 2];
  all.problem.n = c.sizes[c.ndim - 1];
  all.problem.k = p->transposeA ? a.rows : a.cols;
  all.problem.transposeA = a.transposed != (p->transposeA != 0);
  all.problem.transposeB = b.transposed != (p->transposeB != 0);
  all.problem.lda = a.ld;
  all.problem.ldb = b.ld;
  all.problem.ldc = all.problem.n > 0 ? all.problem.n : 1;
  for (int axis = 0; axis < c.ndim - 2; ++axis) all.count *= c.sizes[axis];
  return all;
}

/// One product. `alone`: on the calling thread only.
int32_t product(const Batches& all, int64_t b, bool alone) {
  const TenonKernelArgs& args = *all.args;
  const auto* left = static_cast<const float*>(args.inputs[0].data);
  const auto* right = static_cast<const float*>(args.inputs[1].data);
  auto* out = static_cast<float*>(args.outputs[0].data) + b * all.problem.m * all.problem.n;
  return gemm(args, all.problem, left + all.offset(args.inputs[0], b),
              right + all.offset(args.inputs[1], b), {}, out, alone);
}

int32_t run(const TenonKernelArgs* args) {
  const Batches all = batchesOf(args);
  if (all.count == 1) return product(all, 0, false);
  const int64_t work = all.problem.m * all.problem.n * all.problem.k + 1;
  int32_t status = TENON_OK;
  const int64_t grain = 1 + 65536 / work;
  parallelFor(all.count, grain, [&](int64_t begin, int64_t end) {
    int32_t worst = TENON_OK;
    for (int64_t b = begin; b < end; ++b) {
      const int32_t one = product(all, b, true);
      if (one != TENON_OK) worst = one;
    }
    if (worst != TENON_OK) __atomic_store_n(&status, worst, __ATOMIC_RELAXED);
  });
  return status;
}

void query(const TenonKernelArgs* args, TenonKernelQuery* answer) {
  answer->inputs[0] = matrixWish(args->inputs[0]);
  answer->inputs[1] = matrixWish(args->inputs[1]);
}

template <class T>
int32_t reference(const TenonKernelArgs* args) {
  const Batches all = batchesOf(args);
  for (int64_t b = 0; b < all.count; ++b)
    referenceGemm<T>(
        all.problem, static_cast<const T*>(args->inputs[0].data) + all.offset(args->inputs[0], b),
        static_cast<const T*>(args->inputs[1].data) + all.offset(args->inputs[1], b), nullptr,
        static_cast<T*>(args->outputs[0].data) + b * all.problem.m * all.problem.n);
  return TENON_OK;
}

constexpr uint32_t kF32 = TENON_DTYPE_BIT(TENON_F32);
constexpr uint32_t kF64 = TENON_DTYPE_BIT(TENON_F64);

const TenonKernel kKernels[] = {
    {"matmul", "gemm", 20, kF32, &query, &run},
    {"matmul", "reference", 0, kF64, nullptr, &reference<double>},
};

}  // namespace

KernelList cpuKernels_matmul();
KernelList cpuKernels_matmul() { return {kKernels, sizeof kKernels / sizeof kKernels[0]}; }

}  // namespace tenon::cpu::TENON_CPU_LEVEL
