// SPDX-License-Identifier: Apache-2.0
// Times of the network operators at the shapes of the benchmark workloads. Switched off; run it
// with test_ops --gtest_also_run_disabled_tests --gtest_filter='*Speed*'.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <functional>

#include "engine/autograd/autograd.h"
#include "engine/ops/batch_norm/batch_norm.h"
#include "engine/ops/conv2d/conv2d.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/pool2d/pool2d.h"
#include "engine/ops/recurrent/recurrent.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

/// Best of several runs, in microseconds.
double best(const std::function<void()>& call) {
  using Clock = std::chrono::steady_clock;
  double least = 1e12;
  const auto end = Clock::now() + std::chrono::milliseconds(400);
  for (int i = 0; i < 5 || Clock::now() < end; ++i) {
    const auto start = Clock::now();
    call();
    const std::chrono::duration<double, std::micro> took = Clock::now() - start;
    least = std::min(least, took.count());
  }
  return least;
}

void print(const char* what, double micros, double flops = 0) {
  std::printf("%-44s %10.1f us", what, micros);
  if (flops > 0) std::printf("  %6.1f GFLOP/s", flops / micros * 1e-3);
  std::printf("\n");
  std::fflush(stdout);
}

Tensor random(const Shape& shape, uint64_t seed) {
  return converted(makeInput({shape}, seed), DType::F32);
}

Tensor blocked(const Tensor& t) { return laid(t, Lay::Blocked); }

void timeConv(int64_t in, int64_t out, int64_t size) {
  const gate::NoGradGuard noGrad;
  Tensor x = random({128, in, size, size}, 1);
  const Tensor w = random({out, in, 3, 3}, 2), b = random({out}, 3);
  Tensor dy = blocked(random({128, out, size, size}, 4));
  if (in >= 8) x = blocked(x);
  const Conv2dParams params{{1, 1}, {1, 1}, {1, 1}, 1};
  const double flops = 2.0 * 128 * static_cast<double>(in * out * 9 * size * size);
  std::printf("conv %ld -> %ld at %ld\n", in, out, size);
  print("  forward", best([&] { conv2d(x, w, b, params); }), flops);
  if (in >= 8)
    print("  backward data", best([&] { conv2dBackwardData(dy, w, params, size, size); }), flops);
  print("  backward weight", best([&] {
          conv2dBackwardWeight(dy, x, {params, {3, 3}, 1});
        }),
        flops);
}

void timeBatchNorm(int64_t channels, int64_t size) {
  const gate::NoGradGuard noGrad;
  const Tensor x = blocked(random({128, channels, size, size}, 1));
  const Tensor gamma = random({channels}, 2), beta = random({channels}, 3);
  std::printf("batch norm + relu, %ld at %ld\n", channels, size);
  print("  forward", best([&] { batchNormTraining(x, gamma, beta, 1e-5, true); }));
  const BatchNormResult batch = batchNormTraining(x, gamma, beta, 1e-5, true);
  const OpDef& backward = *findOp("batch_norm_backward");
  const BatchNormGradParams params{1e-5, 1, 0};
  print("  backward", best([&] {
          gate::runAll(backward, {&x, &x, &gamma, &beta, &batch.mean, &batch.var}, &params);
        }));
  const Pool2dParams pool;
  print("max pool 2x2 forward", best([&] { maxPool2d(x, pool); }));
  const Pool2dGradParams grad{pool, {size, size}};
  const gate::Outputs pooled = gate::runAll(*findOp("max_pool2d"), {&x}, &pool);
  print("max pool 2x2 backward", best([&] {
          gate::runAll(*findOp("max_pool2d_backward"), {&pooled[0], &pooled[1]}, &grad);
        }));
}

void timeLinear(int64_t rows, int64_t in, int64_t out) {
  const gate::NoGradGuard noGrad;
  const Tensor x = random({rows, in}, 1), w = random({out, in}, 2), b = random({out}, 3);
  const Tensor dy = random({rows, out}, 4);
  const double flops = 2.0 * static_cast<double>(rows * in * out);
  std::printf("linear %ld x %ld -> %ld\n", rows, in, out);
  print("  forward", best([&] { linear(x, w, b); }), flops);
  print("  backward input", best([&] { linearBackwardInput(dy, w); }), flops);
  print("  backward weight", best([&] { linearBackwardWeight(dy, x, true); }), flops);
}

/// Two layers over sequences, as the workload lstm has them; with their gradients in full.
void timeLstm(int64_t steps, int64_t batch, int64_t size) {
  std::printf("lstm, 2 layers of %ld, %ld sequences of %ld\n", size, batch, steps);
  const Tensor x = random({batch, steps, size}, 1);
  std::vector<Tensor> leaves = {x};
  std::vector<RecurrentWeights> weights;
  for (int layer = 0; layer < 2; ++layer) {
    for (const Shape& shape : {Shape{4 * size, size}, Shape{4 * size, size}, Shape{4 * size}})
      leaves.push_back(random(shape, leaves.size() + 2));
    const size_t at = leaves.size() - 3;
    weights.push_back({leaves[at], leaves[at + 1], leaves[at + 2], leaves[at + 2]});
  }
  RecurrentOptions options;
  options.batchFirst = true;
  const double flops = 2.0 * 2 * 2 * static_cast<double>(batch * steps * 4 * size * size);
  print("  forward", best([&] {
          const gate::NoGradGuard noGrad;
          recurrent(x, weights, {}, options);
        }),
        flops);
  for (const Tensor& leaf : leaves) autograd::setRequiresGrad(leaf);
  const Tensor dy = random({batch, steps, size}, 30);
  print("  forward and backward", best([&] {
          const Tensor y = recurrent(x, weights, {}, options).y;
          autograd::grad(std::vector{y}, leaves, std::vector{dy});
        }),
        3 * flops);
}

TEST(NnSpeed, DISABLED_Print) {
  timeLstm(64, 32, 256);
  timeConv(1, 32, 28);
  timeConv(32, 32, 28);
  timeConv(32, 64, 14);
  timeConv(64, 64, 14);
  timeBatchNorm(32, 28);
  timeBatchNorm(64, 14);
  timeLinear(128, 3136, 128);
  timeLinear(128, 128, 10);
  timeLinear(128, 784, 512);
  timeLinear(128, 512, 512);
  timeLinear(16, 16, 32);
  timeLinear(16, 32, 32);
  timeLinear(16, 32, 2);
}

}  // namespace
}  // namespace tenon::test
