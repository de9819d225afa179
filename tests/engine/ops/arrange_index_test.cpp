// SPDX-License-Identifier: Apache-2.0
// Arranging, indexing and sorting beyond their samples: every type, views, order of equals, long
// lists, errors.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "engine/autograd/autograd.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/base/error.h"
#include "engine/ops/arrange/arrange.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/index/index.h"
#include "engine/ops/sort/sort.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr DType kTypes[] = {DType::F32, DType::F64, DType::I64, DType::I32,
                            DType::I8,  DType::U8,  DType::Bool};

Tensor counted(const Shape& shape, DType dtype = DType::F32) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < shape.numel(); ++i) numbers.push_back(static_cast<double>(i % 100));
  return fromNumbers(numbers, shape, dtype);
}

Tensor places(const std::vector<int64_t>& values, const Shape& shape) {
  return Tensor::fromValues(values, shape);
}

TEST(Arrange, EveryTypeIsMoved) {
  for (DType dtype : kTypes) {
    SCOPED_TRACE(std::string(dtypeName(dtype)));
    const Tensor x = fromNumbers({0, 1, 0, 1, 1, 0}, {2, 3}, dtype);
    EXPECT_EQ(numbersOf(flip(x, {1})), (std::vector<double>{0, 1, 0, 0, 1, 1}));
    EXPECT_EQ(numbersOf(cat({x, x}, 0)), (std::vector<double>{0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0}));
    EXPECT_EQ(numbersOf(tril(x)), (std::vector<double>{0, 0, 0, 1, 1, 0}));
    EXPECT_EQ(numbersOf(roll(x, 1, 1)), (std::vector<double>{0, 0, 1, 0, 1, 1}));
    EXPECT_EQ(numbersOf(indexSelect(x, 1, places({2, 1}, {2}))), (std::vector<double>{0, 1, 0, 1}));
    EXPECT_EQ(numbersOf(gather(x, 1, places({1, 2}, {2, 1}))), (std::vector<double>{1, 0}));
    EXPECT_EQ(numbersOf(pad(x, {{1, 1, 0}})), (std::vector<double>{0, 0, 1, 0, 0, 1, 1, 0}));
    EXPECT_EQ(flip(x, {0}).dtype(), dtype);
  }
}

TEST(Arrange, FlipReadsEveryLayout) {
  const Tensor x = counted({2, 5, 3, 4});
  for (uint32_t mask = 0; mask < 16; ++mask) {
    Axes axes;
    for (int i = 0; i < 4; ++i)
      if ((mask >> i) & 1u) axes.push_back(i);
    const std::vector<double> wanted = numbersOf(flip(x, axes));
    for (int64_t i : {0, 7, 59}) {
      int64_t rest = i;
      int64_t from = 0;
      int64_t step = 1;
      for (int axis = 3; axis >= 0; --axis) {
        const int64_t at = rest % x.size(axis);
        rest /= x.size(axis);
        from += (((mask >> axis) & 1u) ? x.size(axis) - 1 - at : at) * step;
        step *= x.size(axis);
      }
      EXPECT_EQ(wanted[static_cast<size_t>(i)], static_cast<double>(from % 100)) << mask;
    }
    for (Lay lay : kLays) EXPECT_EQ(numbersOf(flip(laid(x, lay), axes)), wanted) << layName(lay);
  }
}

TEST(Arrange, HundredsOfTensorsAreJoinedWithGradients) {
  std::vector<Tensor> parts;
  for (int i = 0; i < 150; ++i) {
    parts.push_back(Tensor::full({2, 1}, i, DType::F64));
    autograd::setRequiresGrad(parts.back());
  }
  const Tensor y = cat(parts, 1);
  EXPECT_EQ(y.shape(), (Shape{2, 150}));
  EXPECT_EQ(numbersOf(y)[149], 149);
  autograd::backward(y, counted({2, 150}, DType::F64));
  EXPECT_EQ(numbersOf(autograd::gradOf(parts[7])), (std::vector<double>{7, 57}));
}

TEST(Arrange, UnfoldSharesMemoryAndSumsOverlaps) {
  const Tensor x = counted({5}, DType::F64);
  autograd::setRequiresGrad(x);
  const Tensor windows = unfold(x, 0, 3, 1);
  EXPECT_EQ(windows.impl()->storage.get(), x.impl()->storage.get());
  EXPECT_EQ(numbersOf(windows), (std::vector<double>{0, 1, 2, 1, 2, 3, 2, 3, 4}));
  autograd::backward(windows, Tensor::full({3, 3}, 1, DType::F64));
  EXPECT_EQ(numbersOf(autograd::gradOf(x)), (std::vector<double>{1, 2, 3, 2, 1}));
}

TEST(Arrange, ChunksOfNothingAndOfLess) {
  EXPECT_EQ(chunk(counted({7}), 4, 0).size(), 4u);
  EXPECT_EQ(chunk(counted({3}), 5, 0).size(), 3u);
  EXPECT_EQ(chunk(Tensor::zeros({2, 0}), 3, 1).size(), 3u);
}

TEST(Arrange, RefusalsNameWhatDoesNotFit) {
  const Tensor x = counted({2, 3});
  EXPECT_EQ(errorOf([] { cat({}); }), "[cat] there are no tensors to join");
  EXPECT_NE(errorOf([&] { cat({x, Tensor()}); }).find("tensor 1 is undefined"), std::string::npos);
  EXPECT_NE(errorOf([&] {
              cat({x, counted({2, 4})}, 0);
            }).find("tensor 1 does not fit"),
            std::string::npos);
  EXPECT_NE(errorOf([] { cat({Tensor::zeros({})}); }).find("use stack"), std::string::npos);
  EXPECT_NE(errorOf([&] {
              stack({x, counted({3})});
            }).find("[stack] wants one shape"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { flip(x, {0, 0}); }).find("named twice"), std::string::npos);
  EXPECT_NE(errorOf([&] { triu(counted({3})); }).find("two axes"), std::string::npos);
  EXPECT_NE(errorOf([&] { unfold(x, 1, 4, 1); }).find("do not fit axis 1"), std::string::npos);
  EXPECT_NE(errorOf([&] { unfold(x, 1, 2, 0); }).find("[unfold]"), std::string::npos);
  EXPECT_NE(errorOf([&] { split(x, {1, 1}, 1); }).find("do not fill axis 1"), std::string::npos);
  EXPECT_NE(errorOf([&] { chunk(x, 0, 1); }).find("[chunk]"), std::string::npos);
  EXPECT_NE(errorOf([&] {
              pad(x, {{1, 3, 0}}, PadMode::Reflect);
            }).find("do not fit axis 1"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              pad(x, {{1, 4, 0}}, PadMode::Circular);
            }).find("[pad]"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              pad(x, {{1, -1, 0}}, PadMode::Replicate);
            }).find("[pad]"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { pad(x, {{1, -2, -2}}); }).find("[pad]"), std::string::npos);
  for (const auto& call :
       {std::function<void()>([] { flip({}, {0}); }), std::function<void()>([] { roll({}, 1, 0); }),
        std::function<void()>([] { tril({}); }), std::function<void()>([] { pad({}, {}); }),
        std::function<void()>([] { unfold({}, 0, 1, 1); }),
        std::function<void()>([] { split({}, {}, 0); }),
        std::function<void()>([] { chunk({}, 1, 0); })})
    EXPECT_NE(errorOf(call).find("undefined"), std::string::npos);
}

TEST(Index, TheLastOfSeveralWritesCountsAndAdditionsAddUp) {
  const Tensor x = Tensor::zeros({1, 3}, DType::F64);
  const Tensor index = places({1, 1, 0, 1}, {1, 4});
  const Tensor src = fromNumbers({5, 6, 7, 8}, {1, 4}, DType::F64);
  EXPECT_EQ(numbersOf(scatter(x, 1, index, src)), (std::vector<double>{7, 8, 0}));
  EXPECT_EQ(numbersOf(scatterAdd(x, 1, index, src)), (std::vector<double>{7, 19, 0}));
  for (DType dtype : {DType::I64, DType::I32})
    EXPECT_EQ(numbersOf(scatterAdd(converted(x, dtype), 1, index, converted(src, dtype))),
              (std::vector<double>{7, 19, 0}));
}

TEST(Index, AdditionsHaveTheSameBitsForEveryThreadCount) {
  const int64_t n = 20000;
  std::vector<int64_t> index;
  for (int64_t i = 0; i < n; ++i) index.push_back(i * 7919 % 13);
  const Tensor src = converted(makeInput({{n, 9}}, 3), DType::F32);
  const Tensor flat = converted(makeInput({{3, n}}, 4), DType::F32);
  const Tensor lines = contiguous(expand(reshape(places(index, {n}), {1, n}), {3, n}));
  const auto both = [&] {
    return std::vector<Tensor>{indexAdd(Tensor::zeros({13, 9}), 0, places(index, {n}), src),
                               scatterAdd(Tensor::zeros({3, 13}), 1, lines, flat)};
  };
  cpu::setThreadCount(1);
  const std::vector<Tensor> wanted = both();
  for (int threads : {2, 5}) {
    cpu::setThreadCount(threads);
    const std::vector<Tensor> got = both();
    for (size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i].toBytes(), wanted[i].toBytes()) << i;
  }
  cpu::setThreadCount(0);
}

TEST(Index, EmbeddingsPaddingRowIsReadButGetsNoGradient) {
  const Tensor weight = counted({4, 2}, DType::F64);
  autograd::setRequiresGrad(weight);
  const Tensor y = embedding(weight, places({3, 1, 1, 0}, {2, 2}), 1);
  EXPECT_EQ(y.shape(), (Shape{2, 2, 2}));
  EXPECT_EQ(numbersOf(y), (std::vector<double>{6, 7, 2, 3, 2, 3, 0, 1}));
  autograd::backward(y, Tensor::full({2, 2, 2}, 1, DType::F64));
  EXPECT_EQ(numbersOf(autograd::gradOf(weight)), (std::vector<double>{1, 1, 0, 0, 0, 0, 1, 1}));
}

TEST(Index, MasksChooseAndFill) {
  const Tensor x = counted({2, 3});
  const Tensor mask = fromNumbers({1, 0, 1}, {3}, DType::Bool);
  EXPECT_EQ(numbersOf(maskedSelect(x, mask)), (std::vector<double>{0, 2, 3, 5}));
  EXPECT_EQ(numbersOf(maskedFill(x, mask, 9)), (std::vector<double>{9, 1, 9, 9, 4, 9}));
  EXPECT_EQ(maskedSelect(x, fromNumbers({0}, {1}, DType::Bool)).shape(), (Shape{0}));
}

TEST(Index, RefusalsNamePlaces) {
  const Tensor x = counted({2, 3});
  EXPECT_EQ(errorOf([&] {
              gather(x, 1, places({0, 3}, {2, 1}));
            }),
            "[gather] index 3 of element 1 is outside 0 .. 2");
  EXPECT_NE(errorOf([&] { indexSelect(x, 0, places({-1}, {1})); }).find("index -1 of element 0"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { embedding(x, places({2}, {1})); }).find("outside 0 .. 1"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { embedding(x, places({0}, {1}), 2); }).find("padding index 2"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { oneHot(places({5}, {1}), 3); }).find("outside 0 .. 2"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { oneHot(x); }).find("must be i64"), std::string::npos);
  EXPECT_NE(errorOf([&] { maskedFill(x, x, 0); }).find("mask must be bool"), std::string::npos);
  const Tensor wide = fromNumbers({1, 0}, {2, 1, 1}, DType::Bool);
  EXPECT_NE(errorOf([&] { maskedFill(x, wide, 0); }).find("does not broadcast"), std::string::npos);
  EXPECT_NE(errorOf([&] { gather(Tensor::zeros({}), 0, places({0}, {})); }).find("scalar"),
            std::string::npos);
  EXPECT_NE(errorOf([&] {
              indexAdd(x, 0, places({0}, {1}), counted({2, 3}));
            }).find("[1, 3]"),
            std::string::npos);
  const Tensor some = places({0}, {1});
  for (const auto& call : {std::function<void()>([&] { gather({}, 0, some); }),
                           std::function<void()>([&] { scatter({}, 0, some, 1.0); }),
                           std::function<void()>([&] { indexSelect({}, 0, some); }),
                           std::function<void()>([&] { embedding({}, some); }),
                           std::function<void()>([&] { maskedSelect({}, some); }),
                           std::function<void()>([] { oneHot({}); })})
    EXPECT_NE(errorOf(call).find("undefined"), std::string::npos);
}

TEST(Sort, EqualsKeepTheirOrderAndNanIsLargest) {
  for (DType dtype : {DType::F32, DType::F64}) {
    const Tensor x = fromNumbers({2, kNan, 1, 2, kNan, 1}, {6}, dtype);
    EXPECT_EQ(numbersOf(sort(x).indices), (std::vector<double>{2, 5, 0, 3, 1, 4}));
    EXPECT_EQ(numbersOf(sort(x, 0, true).indices), (std::vector<double>{1, 4, 0, 3, 2, 5}));
  }
  const Tensor bytes = Tensor::fromValues<uint8_t>({200, 3, 200, 7}, {4});
  EXPECT_EQ(numbersOf(sort(bytes, 0, true).values), (std::vector<double>{200, 200, 7, 3}));
  const Tensor small = Tensor::fromValues<int8_t>({5, -128, 127, -1}, {4});
  EXPECT_EQ(numbersOf(sort(small).values), (std::vector<double>{-128, -1, 5, 127}));
}

TEST(Sort, LongRowsOfEveryLength) {
  for (int64_t n : {1, 2, 3, 7, 8, 9, 1000, 4099}) {
    const Tensor x = converted(makeInput({{n, 2}}, 8), DType::F32);
    const ValuesAndIndices sorted = sort(x, 0);
    const std::vector<double> values = numbersOf(sorted.values);
    for (size_t i = 2; i < values.size(); ++i) ASSERT_LE(values[i - 2], values[i]) << n;
    EXPECT_EQ(numbersOf(gather(x, 0, sorted.indices)), values);
  }
}

TEST(Sort, TopkGivesTheFirstAndTheirGradients) {
  const Tensor x = fromNumbers({3, 9, -1, 4}, {4}, DType::F64);
  autograd::setRequiresGrad(x);
  const ValuesAndIndices two = topk(x, 2);
  EXPECT_EQ(numbersOf(two.values), (std::vector<double>{9, 4}));
  EXPECT_EQ(numbersOf(two.indices), (std::vector<double>{1, 3}));
  autograd::backward(two.values, fromNumbers({5, 7}, {2}, DType::F64));
  EXPECT_EQ(numbersOf(autograd::gradOf(x)), (std::vector<double>{0, 5, 0, 7}));
  EXPECT_EQ(numbersOf(topk(x, 1, 0, false).values), (std::vector<double>{-1}));
  EXPECT_NE(errorOf([&] { topk(x, 5); }).find("no 5 elements"), std::string::npos);
  EXPECT_NE(errorOf([&] { sort(x, 1); }).find("[sort]"), std::string::npos);
  EXPECT_NE(errorOf([] { sort({}); }).find("undefined"), std::string::npos);
  EXPECT_NE(errorOf([] { topk({}, 1); }).find("undefined"), std::string::npos);
}

}  // namespace
}  // namespace tenon::test
