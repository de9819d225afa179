// SPDX-License-Identifier: Apache-2.0
// Gradients that leaves keep while the computation of gradients is recorded. Values are those of
// PyTorch 2.15 for the same calls.
#include <gtest/gtest.h>

#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/optim/optimizer_def.h"
#include "tests/engine/autograd/autograd_fixture.h"

namespace tenon {
namespace {

using autograd::backward;
using autograd::gradOf;
using Values = std::vector<double>;

Tensor cubes(const Tensor& w) { return sum(mul(mul(w, w), w)); }

std::vector<OptimizedParameter> only(const Tensor& w) { return {{.name = "w", .tensor = w}}; }

TEST(RecordedGradient, NeitherLeavesNorTheSeedShareIt) {
  const Tensor a = leaf({1, 2}, {2});
  const Tensor b = leaf({3, 4}, {2});
  const Tensor seed = Tensor::full({2}, 1, DType::F64);
  backward(add(a, b), seed, {.createGraph = true});
  backward(sum(mulScalar(a, 3)));
  EXPECT_EQ(gradient(a), (Values{4, 4}));
  EXPECT_EQ(gradient(b), (Values{1, 1}));
  EXPECT_EQ(seed.toVector<double>(), (Values{1, 1}));
}

TEST(RecordedGradient, HasMemoryForEachElement) {
  const Tensor x = leaf({1, 2, 3}, {3});
  backward(sum(x), {}, {.createGraph = true});
  EXPECT_TRUE(gradOf(x).isContiguous());
  backward(sum(x));
  EXPECT_EQ(gradient(x), (Values{2, 2, 2}));
  EXPECT_NEAR(clipGradNorm(only(x), 1.0), 3.4641016151377544, 1e-12);
  for (double value : gradient(x)) EXPECT_NEAR(value, 0.5773501025230072, 1e-12);
}

TEST(RecordedGradient, GrowsOutOfPlaceAndKeepsItsHistory) {
  const Tensor w = leaf({2, 3}, {2});
  backward(cubes(w), {}, {.createGraph = true});
  const Tensor first = gradOf(w);
  EXPECT_EQ(first.toVector<double>(), (Values{12, 27}));
  backward(sum(mul(w, w)), {}, {.createGraph = true});
  EXPECT_EQ(first.toVector<double>(), (Values{12, 27})) << "a new tensor holds the sum";
  const Tensor both = gradOf(w);
  EXPECT_EQ(both.toVector<double>(), (Values{16, 33}));
  autograd::setGrad(w, {});
  backward(sum(mul(both, Tensor::fromValues(Values{1, 10}, {2}))));
  EXPECT_EQ(gradient(w), (Values{14, 200})) << "6 w + 2, times 1 and 10";
}

TEST(RecordedGradient, IsClippedInPlaceWithoutARecord) {
  const Tensor w = leaf({2, 3}, {2});
  backward(cubes(w), {}, {.createGraph = true});
  clipGradValue(only(w), 20);
  EXPECT_EQ(gradient(w), (Values{12, 20}));
  EXPECT_TRUE(gradOf(w).requiresGrad());
  clipGradNorm(only(w), 1);
  EXPECT_NEAR(gradient(w)[0], 0.5144957333687039, 1e-12);
  EXPECT_NEAR(gradient(w)[1], 0.8574928889478397, 1e-12);
  const Tensor given = leaf({12, -27}, {2});
  autograd::setGrad(w, given);
  clipGradValue(only(w), 20);
  EXPECT_EQ(given.toVector<double>(), (Values{12, -20}));
  backward(cubes(w), {}, {.createGraph = true});
  EXPECT_EQ(gradient(w), (Values{24, 7}));
  autograd::setGrad(w, {});  // w holds it, and its history holds w
}

}  // namespace
}  // namespace tenon
