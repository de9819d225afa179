// SPDX-License-Identifier: Apache-2.0
// Why batch norm and max pooling have kernels of their own: their times beside oneDNN's, in turn,
// at the shapes of the sample. Switched off; run it with test_ops --gtest_also_run_disabled_tests
// --gtest_filter='OneDnnSpeed*'.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

#include <dnnl.hpp>

#include "engine/ops/batch_norm/batch_norm.h"
#include "engine/ops/pool2d/pool2d.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

using dnnl::memory;

struct OneDnn {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  memory images(int64_t c, int64_t size) const {
    return filled({{128, c, size, size}, memory::data_type::f32, memory::format_tag::nChw8c});
  }
  memory channels(int64_t c) const {
    return filled({{c}, memory::data_type::f32, memory::format_tag::a});
  }
  memory filled(const memory::desc& desc) const {
    memory made(desc, engine);
    auto* data = static_cast<float*>(made.get_data_handle());
    for (size_t i = 0; i < desc.get_size() / 4; ++i)
      data[i] = 0.001F * static_cast<float>(i % 1999) - 1;
    return made;
  }
  using Arguments = std::unordered_map<int, memory>;
  std::function<void()> call(const dnnl::primitive& primitive, const Arguments& arguments) {
    return [this, primitive, arguments] {
      primitive.execute(stream, arguments);
      stream.wait();
    };
  }
};

/// Best of many, in turn, in microseconds.
void printInTurn(const char* what, const std::function<void()>& ours,
                 const std::function<void()>& theirs) {
  using Clock = std::chrono::steady_clock;
  double best[2] = {1e12, 1e12};
  const std::function<void()>* calls[2] = {&ours, &theirs};
  const auto end = Clock::now() + std::chrono::seconds(2);
  while (Clock::now() < end) {
    for (int who = 0; who < 2; ++who) {
      const auto start = Clock::now();
      (*calls[who])();
      const std::chrono::duration<double, std::micro> took = Clock::now() - start;
      best[who] = std::min(best[who], took.count());
    }
  }
  std::printf("%-36s %9.1f us, oneDNN %9.1f us, ratio %.2f\n", what, best[0], best[1],
              best[0] / best[1]);
  std::fflush(stdout);
}

Tensor blockedImages(int64_t c, int64_t size, uint64_t seed) {
  return laid(converted(makeInput({{128, c, size, size}}, seed), DType::F32), Lay::Blocked);
}

void compareBatchNorm(OneDnn& peer, int64_t c, int64_t size) {
  using dnnl::batch_normalization_backward;
  using dnnl::batch_normalization_forward;
  const gate::NoGradGuard noGrad;
  const Tensor x = blockedImages(c, size, 1), dy = blockedImages(c, size, 2);
  const Tensor gamma = Tensor::full({c}, 1.5), beta = Tensor::full({c}, 0.1);
  const BatchNormResult batch = batchNormTraining(x, gamma, beta, 1e-5, true);
  const BatchNormGradParams params{1e-5, 1, 0};

  const auto kFlags = dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift |
                      dnnl::normalization_flags::fuse_norm_relu;
  const memory src = peer.images(c, size), dst = peer.images(c, size);
  const memory diffDst = peer.images(c, size), diffSrc = peer.images(c, size);
  const memory scale = peer.channels(c), shift = peer.channels(c), mean = peer.channels(c);
  const memory variance = peer.channels(c), dScale = peer.channels(c), dShift = peer.channels(c);
  const batch_normalization_forward::primitive_desc forward(
      {dnnl::prop_kind::forward_training, src.get_desc(), 1e-5F, kFlags}, peer.engine);
  const memory workspace(forward.workspace_desc(), peer.engine);
  printInTurn(
      "batch norm + relu forward", [&] { batchNormTraining(x, gamma, beta, 1e-5, true); },
      peer.call(batch_normalization_forward(forward), {{DNNL_ARG_SRC, src},
                                                       {DNNL_ARG_DST, dst},
                                                       {DNNL_ARG_SCALE, scale},
                                                       {DNNL_ARG_SHIFT, shift},
                                                       {DNNL_ARG_MEAN, mean},
                                                       {DNNL_ARG_VARIANCE, variance},
                                                       {DNNL_ARG_WORKSPACE, workspace}}));
  const batch_normalization_backward::primitive_desc backward(
      {dnnl::prop_kind::backward, diffDst.get_desc(), src.get_desc(), 1e-5F, kFlags}, peer.engine,
      forward);
  const OpDef& own = *findOp("batch_norm_backward");
  printInTurn(
      "batch norm + relu backward",
      [&] {
        gate::runAll(own, {&dy, &x, &gamma, &beta, &batch.mean, &batch.var}, &params);
      },
      peer.call(batch_normalization_backward(backward), {{DNNL_ARG_SRC, src},
                                                         {DNNL_ARG_DIFF_DST, diffDst},
                                                         {DNNL_ARG_DIFF_SRC, diffSrc},
                                                         {DNNL_ARG_SCALE, scale},
                                                         {DNNL_ARG_SHIFT, shift},
                                                         {DNNL_ARG_MEAN, mean},
                                                         {DNNL_ARG_VARIANCE, variance},
                                                         {DNNL_ARG_DIFF_SCALE, dScale},
                                                         {DNNL_ARG_DIFF_SHIFT, dShift},
                                                         {DNNL_ARG_WORKSPACE, workspace}}));
}

void compareMaxPool(OneDnn& peer, int64_t c, int64_t size) {
  using dnnl::pooling_backward;
  using dnnl::pooling_forward;
  const gate::NoGradGuard noGrad;
  const Tensor x = blockedImages(c, size, 1);
  const Pool2dParams pool;
  const Pool2dGradParams grad{pool, {size, size}};
  const gate::Outputs pooled = gate::runAll(*findOp("max_pool2d"), {&x}, &pool);

  constexpr auto kMax = dnnl::algorithm::pooling_max;
  const memory src = peer.images(c, size), dst = peer.images(c, size / 2);
  const memory diffSrc = peer.images(c, size), diffDst = peer.images(c, size / 2);
  const memory::dims two = {2, 2}, none = {0, 0};
  const pooling_forward::primitive_desc forward(
      {dnnl::prop_kind::forward_training, kMax, src.get_desc(), dst.get_desc(), two, two, none,
       none},
      peer.engine);
  const memory workspace(forward.workspace_desc(), peer.engine);
  printInTurn(
      "max pool 2x2 forward", [&] { maxPool2d(x, pool); },
      peer.call(pooling_forward(forward),
                {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}, {DNNL_ARG_WORKSPACE, workspace}}));
  const pooling_backward::primitive_desc backward(
      {kMax, diffSrc.get_desc(), diffDst.get_desc(), two, two, none, none}, peer.engine, forward);
  const OpDef& own = *findOp("max_pool2d_backward");
  printInTurn(
      "max pool 2x2 backward",
      [&] {
        gate::runAll(own, {&pooled[0], &pooled[1]}, &grad);
      },
      peer.call(pooling_backward(backward), {{DNNL_ARG_DIFF_DST, diffDst},
                                             {DNNL_ARG_DIFF_SRC, diffSrc},
                                             {DNNL_ARG_WORKSPACE, workspace}}));
}

TEST(OneDnnSpeed, DISABLED_Print) {
  OneDnn peer;
  for (const auto& [channels, size] : {std::pair<int64_t, int64_t>{32, 28}, {64, 14}}) {
    std::printf("128 x %ld x %ld x %ld\n", channels, size, size);
    compareBatchNorm(peer, channels, size);
    compareMaxPool(peer, channels, size);
  }
}

}  // namespace
}  // namespace tenon::test
