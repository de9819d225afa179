// SPDX-License-Identifier: Apache-2.0
// Inference mode: what its tensors may do outside, and what stays as it is inside.
#include "engine/autograd/inference_mode.h"

#include <gtest/gtest.h>

#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "tests/engine/autograd/autograd_fixture.h"

namespace tenon {
namespace {

using autograd::InferenceModeGuard;

Tensor one() { return Tensor::full({1}, 1, DType::F64); }

TEST(InferenceMode, CountsNoChangesAndRecordsNothing) {
  const Tensor x = leaf(3);
  const Tensor outside = one();
  const InferenceModeGuard guard;
  const Tensor y = mul(x, x);
  EXPECT_TRUE(y.inference());
  EXPECT_TRUE(one().inference());  // made without an operator
  EXPECT_FALSE(y.requiresGrad());
  addInPlace(y, y);
  EXPECT_EQ(y.version(), 0u);
  EXPECT_EQ(y.toVector<double>(), (std::vector<double>{18}));
  EXPECT_FALSE(outside.inference());
  addInPlace(outside, y);
  EXPECT_EQ(outside.version(), 1u);
  EXPECT_FALSE(reshape(outside, {1, 1}).inference());
}

TEST(InferenceMode, ItsTensorsAreReadOnlyOutside) {
  const Tensor x = leaf(3);
  Tensor y;
  {
    const InferenceModeGuard guard;
    y = mulScalar(x, 2);
  }
  for (const Tensor& each : {y, reshape(y, {1, 1})}) {
    const std::string changed = errorOf([&] { addInPlace(each, each); });
    EXPECT_TRUE(hasAll(changed, {"changes in place a tensor that was made in inference mode",
                                 "f64 [1", "clone it"}))
        << changed;
  }
  const std::string saved = errorOf([&] { mul(x, y); });
  EXPECT_TRUE(hasAll(saved, {"can't be saved for backward", "clone it"})) << saved;
  const std::string wanted = errorOf([&] { autograd::setRequiresGrad(y); });
  EXPECT_TRUE(hasAll(wanted, {"can't want a gradient", "clone it"})) << wanted;

  autograd::backward(sum(add(x, y)));  // adding saves nothing
  EXPECT_EQ(gradient(x), (std::vector<double>{1}));
  const Tensor copy = clone(y);
  EXPECT_FALSE(copy.inference());
  autograd::setRequiresGrad(copy);
  autograd::backward(sum(mul(copy, x)));
  EXPECT_EQ(gradient(copy), (std::vector<double>{3}));
}

TEST(InferenceMode, CanBeLeftForABlock) {
  const Tensor x = leaf(3);
  const InferenceModeGuard guard;
  {
    const InferenceModeGuard off(false);
    const Tensor y = mul(x, x);
    EXPECT_FALSE(y.inference());
    autograd::backward(y);
    EXPECT_EQ(gradient(x), (std::vector<double>{6}));
  }
  EXPECT_TRUE(one().inference());
  const gate::GradModeGuard recording(true);  // the mode still wins
  EXPECT_TRUE(hasAll(errorOf([&] {
                       const Tensor y = one();
                       mul(x, y);
                     }),
                     {"can't be saved for backward"}));
}

}  // namespace
}  // namespace tenon
