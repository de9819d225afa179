// SPDX-License-Identifier: Apache-2.0
// View operators: which share memory, what they read, gradients, errors.
#include <gtest/gtest.h>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

Tensor counted(const Shape& shape) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < shape.numel(); ++i) numbers.push_back(static_cast<double>(i));
  return fromNumbers(numbers, shape, DType::F32);
}

bool sharesMemory(const Tensor& a, const Tensor& b) {
  return a.impl()->storage.get() == b.impl()->storage.get();
}

TEST(View, ReshapeSharesWhereStridesAllow) {
  const Tensor x = counted({2, 3, 4});
  EXPECT_TRUE(sharesMemory(reshape(x, {6, 4}), x));
  EXPECT_EQ(reshape(x, {-1, 2}).shape(), (Shape{12, 2}));
  EXPECT_EQ(numbersOf(reshape(x, {4, 6})), numbersOf(x));
  const Tensor turned = transpose(x, 0, 1);  // [3, 2, 4], rows of 4 still dense
  EXPECT_TRUE(sharesMemory(reshape(turned, {3, 2, 2, 2}), x));
  const Tensor joined = reshape(turned, {6, 4});
  EXPECT_FALSE(sharesMemory(joined, x));
  EXPECT_EQ(numbersOf(joined), numbersOf(turned));
  EXPECT_EQ(reshape(x, {2, 3, 4}).impl(), x.impl());
}

TEST(View, ReshapeReadsEveryStridedView) {
  const Tensor x = counted({4, 6, 2});
  for (const Tensor& view :
       {permute(x, {2, 0, 1}), narrow(x, 1, 2, 3), slice(x, 0, 1, 2, 2),
        expand(narrow(x, 2, 0, 1), {4, 6, 5}), unsqueeze(select(x, 1, 3), 0)}) {
    const std::vector<double> wanted = numbersOf(view);
    EXPECT_EQ(numbersOf(reshape(view, {-1})), wanted);
    EXPECT_EQ(numbersOf(reshape(view, {1, -1, 2})), wanted);
    EXPECT_EQ(numbersOf(flatten(view)), wanted);
  }
}

TEST(View, BlockedTensorsAreMadeDense) {
  const Tensor x = laid(counted({2, 5, 2, 2}), Lay::Blocked);
  const Tensor flat = flatten(x, 1);
  EXPECT_EQ(flat.shape(), (Shape{2, 20}));
  EXPECT_EQ(numbersOf(flat), numbersOf(x));
  EXPECT_EQ(numbersOf(select(x, 1, 4)), (std::vector<double>{16, 17, 18, 19, 36, 37, 38, 39}));
}

TEST(View, ValuesOfEachView) {
  const Tensor x = counted({2, 3});
  EXPECT_EQ(numbersOf(transpose(x, 0, 1)), (std::vector<double>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(numbersOf(transpose(x, -1, -2)), (std::vector<double>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(numbersOf(narrow(x, 1, 1, 2)), (std::vector<double>{1, 2, 4, 5}));
  EXPECT_EQ(numbersOf(slice(x, 1, 0, 2, 2)), (std::vector<double>{0, 2, 3, 5}));
  EXPECT_EQ(numbersOf(select(x, 0, -1)), (std::vector<double>{3, 4, 5}));
  EXPECT_EQ(numbersOf(expand(select(x, 0, 0), {2, -1})), (std::vector<double>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(squeeze(counted({2, 1, 3}), 1).shape(), (Shape{2, 3}));
  EXPECT_EQ(unsqueeze(x, -1).shape(), (Shape{2, 3, 1}));
  EXPECT_EQ(flatten(counted({}), 0, -1).shape(), (Shape{1}));
}

TEST(View, GradientsFlowThroughChains) {
  const Tensor x = converted(counted({2, 3, 4}), DType::F64);
  autograd::setRequiresGrad(x);
  const Tensor part = select(permute(x, {2, 0, 1}), 0, 1);  // x[:, :, 1]
  autograd::backward(mulScalar(reshape(part, {3, 2}), 5), Tensor::full({3, 2}, 1, DType::F64));
  const std::vector<double> grad = numbersOf(autograd::gradOf(x));
  for (size_t i = 0; i < grad.size(); ++i) EXPECT_EQ(grad[i], i % 4 == 1 ? 5 : 0) << i;
}

TEST(View, ErrorsNameShapeAndAxis) {
  const Tensor x = counted({2, 3});
  EXPECT_EQ(errorOf([&] {
              reshape(x, {4, 2});
            }),
            "[reshape] 6 elements do not fill shape [4, 2]: f32 [2, 3] cpu");
  EXPECT_NE(errorOf([&] { reshape(x, {-1, -1}); }).find("do not fill"), std::string::npos);
  EXPECT_NE(errorOf([&] { transpose(x, 0, 2); }).find("axis 2"), std::string::npos);
  EXPECT_NE(errorOf([&] { permute(x, {0, 0}); }).find("named twice"), std::string::npos);
  EXPECT_NE(errorOf([&] { permute(x, {0}); }).find("1 axes"), std::string::npos);
  EXPECT_NE(errorOf([&] { narrow(x, 1, 2, 2); }).find("do not fit axis 1"), std::string::npos);
  EXPECT_NE(errorOf([&] { slice(x, 1, 0, 2, 0); }).find("do not fit"), std::string::npos);
  EXPECT_NE(errorOf([&] { select(x, 0, 2); }).find("index 2 is outside axis 0"), std::string::npos);
  EXPECT_NE(errorOf([&] { expand(x, {2, 4}); }).find("does not broadcast"), std::string::npos);
  EXPECT_NE(errorOf([&] { squeeze(x, 0); }).find("has not size 1"), std::string::npos);
  EXPECT_NE(errorOf([&] { flatten(x, 1, 0); }).find("comes after"), std::string::npos);
  for (const auto& call :
       {std::function<void()>([] { reshape({}, {1}); }), std::function<void()>([] { flatten({}); }),
        std::function<void()>([] { transpose({}, 0, 1); }),
        std::function<void()>([] { select({}, 0, 0); }),
        std::function<void()>([] { squeeze({}, 0); }),
        std::function<void()>([] { unsqueeze({}, 0); })})
    EXPECT_NE(errorOf(call).find("undefined"), std::string::npos);
}

}  // namespace
}  // namespace tenon::test
