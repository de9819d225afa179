// SPDX-License-Identifier: Apache-2.0
// The lstm operator where samples are too small to reach: several panels and depths of the hidden
// weight beside the f64 kernel, the same bits for any number of threads, what it leaves alone, and
// that a layer is one launch a direction.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/autograd/autograd.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/backend/cpu/wide.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/ops/lstm/lstm.h"
#include "engine/ops/recurrent/recurrent.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

struct Sizes {
  int64_t steps, batch, inputs, hidden;
};

/// Weights small enough that gates do not saturate.
std::vector<Tensor> inputsFor(const Sizes& s, DType dtype) {
  const double bound = 1 / std::sqrt(static_cast<double>(s.hidden));
  const auto drawn = [&](const Shape& shape, uint64_t seed, double high) {
    const SampleInput input = {shape, SampleInput::Values::Uniform, -high, high};
    return converted(converted(makeInput(input, seed), DType::F32), dtype);
  };
  return {drawn({s.steps, s.batch, s.inputs}, 1, 1), drawn({4 * s.hidden, s.inputs}, 2, 0.5),
          drawn({4 * s.hidden, s.hidden}, 3, bound), drawn({4 * s.hidden}, 4, bound),
          drawn({s.batch, s.hidden}, 5, 1),          drawn({s.batch, s.hidden}, 6, 1)};
}

/// States of every step, then the gradients of all inputs for fixed gradients of the states.
std::vector<Tensor> run(const Sizes& s, DType dtype, const std::vector<int64_t>& lengths,
                        bool backwards) {
  std::vector<Tensor> leaves = inputsFor(s, dtype);
  for (const Tensor& leaf : leaves) autograd::setRequiresGrad(leaf);
  const Tensor ends = lengths.empty() ? Tensor() : Tensor::fromValues(lengths, {s.batch});
  const LstmStates states =
      lstm({leaves[0], leaves[1], leaves[2], leaves[3], leaves[4], leaves[5], ends}, {backwards});
  std::vector<Tensor> all = {states.hidden, states.cell};
  std::vector<Tensor> given;
  for (uint64_t seed : {7, 8})
    given.push_back(
        converted(converted(makeInput({{s.steps, s.batch, s.hidden}}, seed), DType::F32), dtype));
  for (const Tensor& grad : autograd::grad(std::vector{all[0], all[1]}, leaves, given))
    all.push_back(grad);
  return all;
}

/// Differences of f32 grow with the sums: the largest one beside the largest number.
void expectAlike(const std::vector<Tensor>& got, const std::vector<Tensor>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const std::vector<double> a = numbersOf(got[i]), b = numbersOf(wanted[i]);
    ASSERT_EQ(a.size(), b.size());
    double most = 0, apart = 0;
    for (size_t j = 0; j < a.size(); ++j) {
      most = std::max(most, std::fabs(b[j]));
      apart = std::max(apart, std::fabs(a[j] - b[j]));
    }
    EXPECT_GT(most, 0.01) << "tensor " << i;
    EXPECT_LE(apart, 5e-6 * std::max(most, 1.0)) << "tensor " << i;
  }
}

TEST(Lstm, ManyUnitsAndRowsAgreeWithTheReference) {
  for (const Sizes& s : {Sizes{3, 5, 3, 270}, Sizes{4, 61, 9, 40}}) {
    std::vector<int64_t> lengths;
    for (int64_t n = 0; n < s.batch; ++n) lengths.push_back(1 + n % s.steps);
    for (bool backwards : {false, true})
      for (bool unequal : {false, true}) {
        const std::vector<int64_t> ends = unequal ? lengths : std::vector<int64_t>();
        const std::vector<Tensor> wanted = run(s, DType::F64, ends, backwards);
        for (const std::string& level : levels()) {
          SCOPED_TRACE(level + (backwards ? ", backwards" : "") + (unequal ? ", lengths" : ""));
          const LevelGuard guard(level.c_str());
          expectAlike(run(s, DType::F32, ends, backwards), wanted);
        }
      }
  }
}

std::vector<std::vector<std::byte>> bitsOf(const std::vector<Tensor>& tensors) {
  std::vector<std::vector<std::byte>> all;
  all.reserve(tensors.size());
  for (const Tensor& t : tensors) all.push_back(t.toBytes());
  return all;
}

/// One number of threads while it lives; the products with x by fixed bands of rows.
struct FixedThreads {
  explicit FixedThreads(int threads) {
    cpu::setThreadCount(threads);
    gate::threadState().deterministic = true;
  }
  ~FixedThreads() {
    cpu::setThreadCount(0);
    gate::threadState().deterministic = false;
  }
};

// 30 rows are divided evenly enough among 2 and 4 threads to go their own way through all steps;
// 33 are not, and the steps are divided by hidden units.
TEST(Lstm, BitsDoNotDependOnThreadsOrTheRun) {
  for (int64_t batch : {30, 33}) {
    const Sizes s = {5, batch, 24, 136};  // more work a step than one thread is given
    std::vector<std::vector<std::byte>> wanted;
    for (int threads : {1, 2, 3, 4, 3}) {
      const FixedThreads fixed(threads);
      const auto got = bitsOf(run(s, DType::F32, {}, false));
      if (wanted.empty()) wanted = got;
      EXPECT_EQ(got, wanted) << threads << " threads, " << batch << " rows";
    }
  }
}

TEST(Lstm, BitsDoNotDependOnTheWideLoops) {
  if (!cpu::wide::available()) GTEST_SKIP() << "this processor has no AVX-512";
  for (const Sizes& s : {Sizes{3, 53, 7, 19}, Sizes{2, 6, 5, 300}}) {
    const FixedThreads fixed(2);
    const auto wanted = bitsOf(run(s, DType::F32, {}, false));
    cpu::wide::allow(false);
    const auto got = bitsOf(run(s, DType::F32, {}, false));
    cpu::wide::allow(true);
    EXPECT_EQ(got, wanted) << s.batch << " rows";
  }
}

TEST(Lstm, KeepsTheStateBeyondTheEndOfASequence) {
  const Sizes s = {3, 2, 2, 9};
  for (bool backwards : {false, true}) {
    const std::vector<Tensor> all = run(s, DType::F32, {3, 1}, backwards);
    const std::vector<float> hidden = all[0].toVector<float>();
    const std::vector<float> start = inputsFor(s, DType::F32)[4].toVector<float>();
    const auto state = [&](int64_t t) { return hidden.begin() + (t * s.batch + 1) * s.hidden; };
    const auto equal = [&](auto a, auto b) { return std::equal(a, a + s.hidden, b); };
    EXPECT_TRUE(equal(state(1), state(2)));
    EXPECT_TRUE(equal(state(2), backwards ? start.begin() + s.hidden : state(0)));
    EXPECT_FALSE(equal(state(0), start.begin() + s.hidden));
    const std::vector<float> dx = all[2].toVector<float>();
    for (int64_t t = 0; t < s.steps; ++t)
      for (int64_t i = 0; i < s.inputs; ++i)
        EXPECT_EQ(dx[static_cast<size_t>((t * s.batch + 1) * s.inputs + i)] != 0, t == 0);
  }
}

TEST(Lstm, WithoutAGradientOfTheInputNoneIsComputed) {
  const Sizes s = {2, 3, 4, 5};
  std::vector<Tensor> in = inputsFor(s, DType::F32);
  autograd::setRequiresGrad(in[2]);
  const LstmStates states = lstm({in[0], in[1], in[2], in[3], in[4], in[5], {}});
  const Tensor dy = converted(makeInput({states.hidden.shape()}, 9), DType::F32);
  const Tensor alone =
      autograd::grad(std::vector{states.hidden}, std::vector{in[2]}, std::vector{dy})[0];
  in = inputsFor(s, DType::F32);
  for (const Tensor& leaf : in) autograd::setRequiresGrad(leaf);
  const LstmStates again = lstm({in[0], in[1], in[2], in[3], in[4], in[5], {}});
  const std::vector<Tensor> both =
      autograd::grad(std::vector{again.hidden}, std::vector{in[0], in[2]}, std::vector{dy});
  EXPECT_EQ(alone.toBytes(), both[1].toBytes());
  EXPECT_EQ(both[0].shape(), (Shape{2, 3, 4}));
}

TEST(Lstm, ALayerIsOneLaunchADirection) {
  const Sizes s = {6, 2, 3, 4};
  const std::vector<Tensor> in = inputsFor(s, DType::F32);
  const RecurrentWeights weights = {in[1], in[2], in[3], in[3]};
  RecurrentOptions options;
  options.bidirectional = true;
  KernelLog log;
  const Tensor y = recurrent(in[0], {weights, weights}, {}, options).y;
  EXPECT_EQ(y.shape(), (Shape{6, 2, 8}));
  int64_t launches = 0;
  for (const auto& [op, kernel] : log.calls()) {
    EXPECT_NE(op, "linear");
    if (op == "lstm") {
      EXPECT_EQ(kernel, "panels");
      ++launches;
    }
  }
  EXPECT_EQ(launches, 2);
}

}  // namespace
}  // namespace tenon::test
