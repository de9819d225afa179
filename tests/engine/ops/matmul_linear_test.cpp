// SPDX-License-Identifier: Apache-2.0
// Matrix products beyond the samples: large ones (oneDNN), transposed views, vectors, batches,
// threads, empty sizes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/autograd/autograd.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/matmul/matmul.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

Tensor random(const Shape& shape, uint64_t seed, DType dtype = DType::F32) {
  return converted(converted(makeInput({shape}, seed), DType::F32), dtype);
}
Tensor exact(const Tensor& t) { return converted(t, DType::F64); }

constexpr Tolerance kLong = {1e-5, 5e-5};  // sums of some hundred products

TEST(Linear, LargeSizesAgreeWithTheReference) {
  for (const auto& [rows, in, out] : {std::tuple{130, 300, 70}, {65, 784, 33}, {3, 1000, 10}}) {
    SCOPED_TRACE(testing::Message() << rows << " x " << in << " -> " << out);
    const Tensor x = random({rows, in}, 1), w = random({out, in}, 2), b = random({out}, 3);
    const Tensor dy = random({rows, out}, 4);
    KernelLog log;
    linear(x, w, b);
    EXPECT_EQ(log.last("linear"), "gemm");
    EXPECT_TRUE(near(linear(x, w, b), linear(exact(x), exact(w), exact(b)), kLong));
    EXPECT_TRUE(near(linear(x, w, {}), linear(exact(x), exact(w), {}), kLong));
    EXPECT_TRUE(near(linearBackwardInput(dy, w), linearBackwardInput(exact(dy), exact(w)), kLong));
    const auto [dw, db] = linearBackwardWeight(dy, x, true);
    const auto [dwExact, dbExact] = linearBackwardWeight(exact(dy), exact(x), true);
    EXPECT_TRUE(near(dw, dwExact, kLong));
    EXPECT_TRUE(near(db, dbExact, kLong));
  }
}

TEST(Linear, TransposedInputsAreReadInPlace) {
  const Tensor x = random({40, 50}, 1), w = random({60, 50}, 2), dy = random({40, 60}, 3);
  const Tensor wanted = linear(exact(x), exact(w), {});
  KernelLog log;
  const Tensor xt = laid(x, Lay::Transposed), wt = laid(w, Lay::Transposed);
  const Tensor dyt = laid(dy, Lay::Transposed);
  EXPECT_TRUE(near(linear(xt, w, {}), wanted, kLong));
  EXPECT_TRUE(near(linear(x, wt, {}), wanted, kLong));
  EXPECT_TRUE(near(linearBackwardInput(dyt, wt), linearBackwardInput(exact(dy), exact(w)), kLong));
  const auto [dw, db] = linearBackwardWeight(dyt, xt, true);
  const auto [dwExact, dbExact] = linearBackwardWeight(exact(dy), exact(x), true);
  EXPECT_TRUE(near(dw, dwExact, kLong));
  EXPECT_TRUE(near(db, dbExact, kLong));
  for (const auto& [op, kernel] : log.calls()) EXPECT_NE(op, "reorder");
}

/// Forward and gradients of relu(linear(x, w, b)), as one operator or as two.
std::vector<Tensor> rectified(bool fused, const Shape& rows, int64_t out, bool bias, DType dtype) {
  const Tensor x = random(rows, 1, dtype), w = random({out, rows.at(-1)}, 2, dtype);
  const Tensor b = bias ? random({out}, 3, dtype) : Tensor();
  for (const Tensor& leaf : {x, w, b})
    if (leaf) autograd::setRequiresGrad(leaf);
  const Tensor y = fused ? linearRelu(x, w, b) : relu(linear(x, w, b));
  autograd::backward(y, random(y.shape(), 4, dtype));
  std::vector<Tensor> all = {y, autograd::gradOf(x), autograd::gradOf(w)};
  if (bias) all.push_back(autograd::gradOf(b));
  return all;
}

TEST(LinearRelu, HasTheBitsOfTheTwoCalls) {
  for (const auto& [rows, in, out] :
       {std::tuple{3, 5, 7}, {16, 16, 24}, {65, 784, 33}, {700, 90, 200}})
    for (const bool bias : {true, false})
      for (const DType dtype : {DType::F32, DType::F64, DType::BF16}) {
        SCOPED_TRACE(testing::Message() << rows << " x " << in << " -> " << out << ", bias " << bias
                                        << ", " << dtypeName(dtype));
        const auto one = rectified(true, {rows, in}, out, bias, dtype);
        const auto two = rectified(false, {rows, in}, out, bias, dtype);
        for (size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].toBytes(), two[i].toBytes()) << i;
      }
}

TEST(LinearRelu, RunsAsOneLaunchAndKeepsNaN) {
  const Tensor x = random({40, 300}, 1), w = random({60, 300}, 2), b = random({60}, 3);
  x.data<float>()[0] = std::numeric_limits<float>::quiet_NaN();
  KernelLog log;
  const std::vector<double> y = numbersOf(linearRelu(x, w, b));
  EXPECT_EQ(log.calls().size(), 1u);
  EXPECT_EQ(log.last("linear_relu"), "gemm");
  for (size_t i = 0; i < 60; ++i) EXPECT_TRUE(std::isnan(y[i])) << i;  // the whole first row
  int64_t zeros = 0;
  for (size_t i = 60; i < y.size(); ++i) {
    EXPECT_GE(y[i], 0.0) << i;
    zeros += y[i] == 0.0;
  }
  EXPECT_GT(zeros, 0);
}

TEST(Linear, NoRowsGiveZeroGradients) {
  const Tensor x = Tensor::empty({0, 5}), w = random({3, 5}, 1), dy = Tensor::empty({0, 3});
  EXPECT_EQ(linear(x, w, random({3}, 2)).shape(), Shape({0, 3}));
  const auto [dw, db] = linearBackwardWeight(dy, x, true);
  EXPECT_EQ(numbersOf(dw), std::vector<double>(15, 0.0));
  EXPECT_EQ(numbersOf(db), std::vector<double>(3, 0.0));
}

TEST(Linear, NoFeaturesLeaveTheBias) {
  const Tensor b = random({3}, 1);
  const Tensor y = linear(Tensor::empty({2, 0}), Tensor::empty({3, 0}), b);
  std::vector<double> twice = numbersOf(b);
  const std::vector<double> once = twice;
  twice.insert(twice.end(), once.begin(), once.end());
  EXPECT_EQ(numbersOf(y), twice);
}

TEST(Linear, DeterministicProductIgnoresThreads) {
  gate::threadState().deterministic = true;
  const Tensor dy = random({700, 200}, 1), x = random({700, 90}, 2);
  std::vector<std::byte> bits[2];
  for (const int threads : {1, 2}) {
    cpu::setThreadCount(threads);
    const auto [dw, db] = linearBackwardWeight(dy, x, true);
    bits[threads - 1] = dw.toBytes();
    EXPECT_TRUE(near(dw, linearBackwardWeight(exact(dy), exact(x), true).first, {1e-5, 2e-4}));
  }
  cpu::setThreadCount(0);
  gate::threadState().deterministic = false;
  EXPECT_EQ(bits[0], bits[1]);
}

TEST(Matmul, ManyLargeMatricesAgreeWithTheReference) {
  const Tensor a = random({3, 2, 90, 80}, 1), b = random({2, 80, 70}, 2);
  EXPECT_TRUE(near(matmul(a, b), matmul(exact(a), exact(b)), kLong));
  const Tensor bt = random({2, 70, 80}, 3);
  EXPECT_TRUE(near(matmul(a, bt, {0, 1}), matmul(exact(a), exact(bt), {0, 1}), kLong));
}

TEST(Matmul, VectorsLoseTheirAxis) {
  const Tensor v = Tensor::fromValues<float>({1, 2, 3}, {3});
  const Tensor m = Tensor::fromValues<float>({1, 0, 2, 1, 0, 3}, {3, 2});
  EXPECT_EQ(matmul(v, m).shape(), Shape({2}));
  EXPECT_EQ(numbersOf(matmul(v, m)), (std::vector<double>{5, 11}));
  EXPECT_EQ(matmul(v, v).shape(), Shape({}));
  EXPECT_EQ(numbersOf(matmul(v, v)), (std::vector<double>{14}));
  const Tensor batch = random({4, 5, 3}, 1);
  EXPECT_EQ(matmul(batch, v).shape(), Shape({4, 5}));
  EXPECT_EQ(matmul(v, random({4, 3, 2}, 2)).shape(), Shape({4, 2}));
}

void expectRefused(const std::function<void()>& call, const std::string& words) {
  try {
    call();
    ADD_FAILURE() << "was not refused: " << words;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Matmul, RefusesScalarsAndNothing) {
  const Tensor m = random({2, 2}, 1);
  expectRefused([&] { matmul(Tensor::full({}, 1.0), m); },
                "[matmul] a wants at least one axis, got a scalar");
  expectRefused([&] { matmul(m, Tensor()); }, "[matmul] b is undefined: it holds no tensor");
  expectRefused([&] { matmul(m, exact(m)); },
                "[matmul] wants one element type, got a f32 and b f64");
  expectRefused(
      [&] {
        linear(Tensor::full({2, 2}, 1, DType::I64), m, {});
      },
      "[linear] x wants a floating type, got i64");
}

}  // namespace
}  // namespace tenon::test
