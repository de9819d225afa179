// SPDX-License-Identifier: Apache-2.0
// Nothing is written in place to elements that share memory.
#include <gtest/gtest.h>

#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/overlap.h"
#include "engine/ops/random/random.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

constexpr const char* kRefused =
    "writes in place only where it is sure that every element has memory of its own, but the 4 "
    "elements of axis 1 are one in memory: f32 [3, 4] cpu; clone it first";

std::string refusalOf(const char* op, const std::vector<Tensor>& inputs) {
  const std::vector<const Tensor*> list = pointers(inputs);
  return errorOf([&] { gate::refuseOverlap(*findOp(op), {list.data(), list.size()}); });
}

TEST(Overlap, ElementsThatAreOneInMemoryAreNotWritten) {
  const Tensor shared = expand(Tensor::zeros({3, 1}), {3, 4});
  const Tensor own = Tensor::zeros({3, 4});
  EXPECT_EQ(refusalOf("uniform_", {shared}), std::string("[uniform_] ") + kRefused);
  EXPECT_EQ(refusalOf("add_", {shared, own}), std::string("[add_] ") + kRefused);
  EXPECT_EQ(refusalOf("clip_", {Tensor::zeros({2}), shared}), std::string("[clip_] ") + kRefused);
}

std::string windowsRefused(const char* op, int axis, int step, int span, const char* what) {
  return std::string("[") + op +
         "] writes in place only where it is sure that every element has memory of its own, but " +
         "axis " + std::to_string(axis) + " steps by " + std::to_string(step) + " inside the " +
         std::to_string(span) + " elements of memory that other axes span: " + what +
         "; clone it first";
}

TEST(Overlap, WindowsThatOverlapAreNotWritten) {
  const Tensor line = Tensor::zeros({8});
  const Tensor image = Tensor::zeros({2, 5, 6});
  EXPECT_EQ(refusalOf("uniform_", {unfold(line, 0, 3, 2)}),
            windowsRefused("uniform_", 0, 2, 3, "f32 [3, 3] cpu"));
  // Both axes of the windows of step 1 have the same stride.
  EXPECT_EQ(refusalOf("add_", {unfold(line, 0, 3, 1), Tensor::zeros({6, 3})}),
            windowsRefused("add_", 1, 1, 6, "f32 [6, 3] cpu"));
  EXPECT_EQ(refusalOf("uniform_", {unfold(image, 1, 2, 1)}),
            windowsRefused("uniform_", 3, 6, 24, "f32 [2, 4, 6, 2] cpu"));
  EXPECT_EQ(refusalOf("uniform_", {transpose(unfold(line, 0, 3, 2), 0, 1)}),
            windowsRefused("uniform_", 1, 2, 3, "f32 [3, 3] cpu"));
  EXPECT_EQ(errorOf([&] {
              addInPlace(unfold(line, 0, 3, 2), Tensor::zeros({3, 3}));
            }),
            windowsRefused("add_", 0, 2, 3, "f32 [3, 3] cpu"));
  EXPECT_EQ(numbersOf(line), std::vector<double>(8, 0));
}

TEST(Overlap, ViewsWhoseElementsLieApartAreWritten) {
  const Tensor own = Tensor::zeros({4, 6, 5});
  const Tensor views[] = {transpose(own, 0, 2),
                          permute(own, {1, 2, 0}),
                          slice(own, 1, 1, 2, 3),
                          transpose(slice(slice(own, 2, 0, 3, 2), 0, 1, 2, 2), 0, 1),
                          select(own, 1, 2),
                          unfold(own, 1, 2, 2),
                          unfold(own, 1, 2, 4),
                          slice(unfold(Tensor::zeros({9}), 0, 3, 3), 1, 0, 2, 2),
                          narrow(unfold(Tensor::zeros({8}), 0, 3, 2), 0, 1, 1)};
  for (const Tensor& view : views) EXPECT_EQ(refusalOf("uniform_", {view}), "no error");
}

TEST(Overlap, WhatOnlyReadsOrHasOneElementIsLetThrough) {
  const Tensor own = Tensor::zeros({3, 4});
  EXPECT_EQ(refusalOf("add_", {own, expand(Tensor::zeros({3, 1}), {3, 4})}), "no error");
  EXPECT_EQ(refusalOf("add", {expand(Tensor::zeros({1}), {3, 4}), own}), "no error");
  EXPECT_EQ(refusalOf("uniform_", {expand(Tensor::zeros({3, 4}), {1, 3, 4})}), "no error");
  EXPECT_EQ(refusalOf("uniform_", {expand(Tensor::zeros({3, 1}), {0, 3, 4})}), "no error");
  for (Lay lay : kLays)
    EXPECT_EQ(refusalOf("uniform_", {laid(Tensor::zeros({2, 5, 3, 3}), lay)}), "no error");
}

TEST(Overlap, TheGateRefuses) {
  const Tensor shared = expand(Tensor::zeros({3, 1}), {3, 4});
  EXPECT_EQ(errorOf([&] { uniformInPlace(shared); }), std::string("[uniform_] ") + kRefused);
  EXPECT_EQ(errorOf([&] { mulScalarInPlace(shared, 2); }),
            std::string("[mul_scalar_] ") + kRefused);
  EXPECT_EQ(errorOf([&] { addInPlace(shared, shared); }), std::string("[add_] ") + kRefused);
  EXPECT_EQ(numbersOf(shared), std::vector<double>(12, 0));
}

}  // namespace
}  // namespace tenon::test
