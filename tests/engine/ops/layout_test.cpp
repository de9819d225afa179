// SPDX-License-Identifier: Apache-2.0
// Reorders and copies between every pair of layouts, and which layouts pointwise operators keep.
#include <gtest/gtest.h>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/dropout/dropout.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/reorder.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

const Shape kShapes[] = {{2, 8},        {3, 5},   {2, 16, 3, 5},   {2, 5, 4, 4},
                         {1, 17, 1, 1}, {33, 40}, {2, 3, 2, 3, 4}, {4, 1, 19}};

Tensor numbered(const Shape& shape, DType dtype) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < shape.numel(); ++i) numbers.push_back(static_cast<double>(i % 113));
  return fromNumbers(numbers, shape, dtype);
}

TEST(Layout, ReorderKeepsValuesInEveryDirection) {
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (const Shape& shape : kShapes)
      for (DType dtype : {DType::F32, DType::F64, DType::Bool, DType::U8})
        for (Lay lay : kLays) {
          SCOPED_TRACE(toString(shape) + " " + std::string(dtypeName(dtype)) + " " + layName(lay));
          const Tensor x = laid(numbered(shape, dtype), lay);
          const Tensor blocks = gate::reordered(x, kBlocked8);
          EXPECT_EQ(blocks.layout(), kBlocked8);
          EXPECT_TRUE(near(blocks, x, {}));
          EXPECT_TRUE(paddingIsZero(blocks));
          const Tensor dense = gate::reordered(x, Layout{});
          EXPECT_TRUE(dense.isContiguous());
          EXPECT_TRUE(near(dense, x, {}));
        }
  }
}

TEST(Layout, ReorderReadsExpandedTensors) {
  const Tensor x = expand(numbered({1, 3, 1, 1}, DType::F32), {4, 3, 5, 2});
  const Tensor blocks = gate::reordered(x, kBlocked8);
  EXPECT_TRUE(near(blocks, x, {}));
  EXPECT_TRUE(paddingIsZero(blocks));
}

TEST(Layout, ReorderToBlocksNeedsTwoAxes) {
  try {
    gate::reordered(numbered({3}, DType::F32), kBlocked8);
    FAIL() << "a vector has no channels";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("at least 2 dimensions"), std::string::npos)
        << error.what();
  }
}

TEST(Layout, CopyIntoWritesEveryLayoutFromEveryLayout) {
  for (const Shape& shape : kShapes)
    for (Lay to : kLays)
      for (Lay from : kLays) {
        SCOPED_TRACE(toString(shape) + " " + layName(from) + " to " + layName(to));
        const Tensor source = laid(numbered(shape, DType::F32), from);
        const Tensor target = laid(Tensor::full(shape, -1), to);
        copyInPlace(target, source);
        EXPECT_TRUE(near(target, source, {}));
        EXPECT_TRUE(paddingIsZero(target));
      }
}

TEST(Layout, CopyIntoBroadcastsAndConverts) {
  const Tensor target = laid(Tensor::full({2, 5, 3}, -1), Lay::Blocked);
  copyInPlace(target, numbered({5, 1}, DType::I64));
  const std::vector<double> got = numbersOf(target);
  for (size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], static_cast<double>(i / 3 % 5));
  EXPECT_TRUE(paddingIsZero(target));
  EXPECT_EQ(target.version(), 1u);
}

uint64_t reordersOf(const std::function<void()>& run) {
  const uint64_t before = gate::threadState().counters.reorders;
  run();
  return gate::threadState().counters.reorders - before;
}

TEST(Layout, PointwiseKeepsBlocksWithoutReorder) {
  for (const Shape& shape : {Shape{2, 16, 3, 3}, Shape{2, 5, 3, 3}}) {
    const Tensor x = laid(numbered(shape, DType::F32), Lay::Blocked);
    Tensor y, z;
    EXPECT_EQ(reordersOf([&] { y = relu(x); }), 0u);
    EXPECT_EQ(y.layout(), kBlocked8);
    EXPECT_EQ(reordersOf([&] { z = add(x, y); }), 0u);
    EXPECT_EQ(z.layout(), kBlocked8);
    EXPECT_EQ(reordersOf([&] { addInPlace(z, x); }), 0u);
    EXPECT_EQ(reordersOf([&] { fillInPlace(z, 3); }), 0u);
    EXPECT_TRUE(paddingIsZero(z));
    EXPECT_TRUE(near(z, Tensor::full(shape, 3), {}));
  }
}

TEST(Layout, FunctionsThatDoNotKeepZeroLeaveThePadding) {
  const Tensor padded = laid(numbered({2, 5, 3, 3}, DType::F32), Lay::Blocked);
  const Tensor y = exp(mulScalar(padded, 0.01));
  EXPECT_FALSE(y.layout().blocked());  // e^0 is not 0
  const Tensor whole = laid(numbered({2, 8, 3, 3}, DType::F32), Lay::Blocked);
  EXPECT_EQ(reordersOf([&] { EXPECT_TRUE(exp(whole).layout().blocked()); }), 0u);
}

TEST(Layout, OneReorderWhenLayoutsMeet) {
  const Tensor blocks = laid(numbered({2, 16, 3, 3}, DType::F32), Lay::Blocked);
  const Tensor dense = numbered({2, 16, 3, 3}, DType::F32);
  Tensor y;
  EXPECT_EQ(reordersOf([&] { y = add(dense, blocks); }), 1u);
  EXPECT_EQ(y.layout(), kBlocked8);
  EXPECT_EQ(reordersOf([&] { y = add(blocks, numbered({16, 1, 1}, DType::F32)); }), 1u);
  EXPECT_FALSE(y.layout().blocked());
}

/// One number for each channel beside blocks: the weights of squeeze-and-excite.
TEST(Layout, BlocksStayBesideOneNumberAChannel) {
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (const Shape& shape : {Shape{2, 16, 3, 5}, Shape{3, 5, 4, 4}, Shape{2, 8, 7}})
      for (const DType dtype : {DType::F32, DType::F64})
        for (const Lay lay : kLays)
          for (const bool each : {true, false}) {
            SCOPED_TRACE(toString(shape) + level + layName(lay) +
                         (each ? " each" : " one for all"));
            Shape small = shape;
            for (int i = 2; i < shape.ndim(); ++i) small[i] = 1;
            if (!each) small[0] = 1;
            const Tensor plain = numbered(shape, dtype);
            const Tensor x = laid(plain, Lay::Blocked);
            const Tensor weights = mulScalar(numbered(small, dtype), 0.25);
            const Tensor w = laid(weights, lay);
            for (auto* function : {&mul, &add, &sub})
              for (const bool first : {true, false}) {
                Tensor y;
                EXPECT_EQ(reordersOf([&] { y = first ? function(x, w) : function(w, x); }), 0U);
                EXPECT_EQ(y.layout(), kBlocked8);
                EXPECT_TRUE(paddingIsZero(y));
                EXPECT_TRUE(
                    near(y, first ? function(plain, weights) : function(weights, plain), {}));
              }
            EXPECT_EQ(reordersOf([&] { mulInPlace(x, w); }), 0U);
            EXPECT_TRUE(near(x, mul(plain, weights), {}));
            EXPECT_TRUE(paddingIsZero(x));
          }
  }
}

TEST(Layout, ProductsWithOneNumberAChannelKeepBlocksBackward) {
  const Tensor plain = numbered({2, 16, 3, 5}, DType::F32);
  const Tensor x = laid(plain, Lay::Blocked), w = mulScalar(numbered({2, 16, 1, 1}, DType::F32), 2);
  const Tensor dy = laid(addScalar(plain, 1), Lay::Blocked);
  autograd::setRequiresGrad(x);
  autograd::setRequiresGrad(w);
  std::vector<Tensor> got;
  EXPECT_EQ(reordersOf([&] {
              const Tensor inputs[] = {x, w}, y[] = {mul(x, w)}, grads[] = {dy};
              got = autograd::grad(y, inputs, grads);
            }),
            0U);
  EXPECT_EQ(got[0].layout(), kBlocked8);
  EXPECT_TRUE(near(got[0], mul(addScalar(plain, 1), w), {}));
  EXPECT_TRUE(near(got[1], sum(mul(addScalar(plain, 1), plain), {2, 3}, true), {1e-6, 0}));
}

/// Operands that are not one number a channel, and functions that do not keep zero, take dense
/// tensors as before.
TEST(Layout, OtherBroadcastsOfBlocksAreDense) {
  const Tensor plain = addScalar(numbered({2, 16, 3, 3}, DType::F32), 1);
  const Tensor x = laid(plain, Lay::Blocked);
  for (const Shape& shape : {Shape{2, 1, 3, 3}, Shape{2, 16, 1, 3}, Shape{16, 1, 1}, Shape{1}}) {
    const Tensor other = addScalar(numbered(shape, DType::F32), 1);
    EXPECT_TRUE(near(mul(x, other), mul(plain, other), {})) << toString(shape);
  }
  const Tensor weights = addScalar(numbered({2, 16, 1, 1}, DType::F32), 1);
  EXPECT_TRUE(near(div(x, weights), div(plain, weights), {}));
  EXPECT_TRUE(near(mul(laid(weights, Lay::Blocked), plain), mul(weights, plain), {}));
}

/// The mask goes by the logical index, so the values are those of the dense tensor.
TEST(Layout, DropoutKeepsBlocksForwardAndBackward) {
  for (const Shape& shape : {Shape{2, 16, 3, 5}, Shape{2, 5, 4, 4}})
    for (const DType dtype : {DType::F32, DType::F64, DType::BF16}) {
      SCOPED_TRACE(toString(shape) + " " + std::string(dtypeName(dtype)));
      std::vector<Tensor> all[2];
      for (const Lay lay : {Lay::Dense, Lay::Blocked}) {
        Generator generator{3, 1};
        const gate::GeneratorGuard guard(generator);
        const Tensor x = laid(numbered(shape, dtype), lay);
        const Tensor dy = laid(numbered(shape, dtype), lay);
        autograd::setRequiresGrad(x);
        std::vector<Tensor>& got = all[lay == Lay::Blocked ? 1 : 0];
        EXPECT_EQ(reordersOf([&] {
                    const Tensor y[] = {dropout(x, 0.4, true)}, inputs[] = {x}, grads[] = {dy};
                    got = {y[0], autograd::grad(y, inputs, grads)[0]};
                  }),
                  0U);
      }
      for (size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(all[1][i].layout(), kBlocked8) << i;
        EXPECT_TRUE(near(all[1][i], all[0][i], {})) << i;
        EXPECT_TRUE(paddingIsZero(all[1][i])) << i;
      }
    }
}

TEST(Layout, SumsOverThePixelsOfBlocksNeedNoReorder) {
  for (const DType dtype : {DType::F32, DType::F64})
    for (const Shape& shape : {Shape{2, 16, 3, 5}, Shape{3, 8, 7}, Shape{1, 24, 2, 3, 4}}) {
      const Tensor plain = numbered(shape, dtype);
      const Tensor x = laid(plain, Lay::Blocked);
      Axes pixels;
      for (int axis = 2; axis < shape.ndim(); ++axis) pixels.push_back(axis);
      Tensor total, average;
      EXPECT_EQ(reordersOf([&] { total = sum(x, pixels), average = mean(x, pixels, true); }), 0U);
      EXPECT_TRUE(near(total, sum(plain, pixels), {1e-6, 0}));
      EXPECT_TRUE(near(average, mean(plain, pixels, true), {1e-6, 0}));
      // With padding, or over other axes.
      EXPECT_TRUE(near(sum(x, {0}), sum(plain, {0}), {1e-6, 0}));
      const Tensor five = numbered({2, 5, 3, 3}, dtype);
      EXPECT_TRUE(near(sum(laid(five, Lay::Blocked), {2, 3}), sum(five, {2, 3}), {1e-6, 0}));
    }
}

TEST(Layout, ContiguousIsItselfWhenDense) {
  const Tensor x = numbered({3, 5}, DType::F32);
  EXPECT_EQ(contiguous(x).impl(), x.impl());
  const Tensor turned = transpose(x, 0, 1);
  const Tensor dense = contiguous(turned);
  EXPECT_TRUE(dense.isContiguous());
  EXPECT_NE(dense.impl()->storage.get(), x.impl()->storage.get());
  EXPECT_TRUE(near(dense, turned, {}));
  EXPECT_NE(clone(x).impl()->storage.get(), x.impl()->storage.get());
}

TEST(Layout, LargeTranspositionsAreTiledRight) {
  const Tensor x = numbered({67, 3, 131}, DType::F32);
  for (const Axes& order : {Axes{2, 1, 0}, Axes{1, 2, 0}, Axes{2, 0, 1}, Axes{0, 2, 1}}) {
    const Tensor turned = permute(x, order);
    EXPECT_TRUE(near(contiguous(turned), turned, {}));
  }
}

}  // namespace
}  // namespace tenon::test
