// SPDX-License-Identifier: Apache-2.0
// Mixed types, 16-bit types and integers beyond what PyTorch's values show: gradients of the right
// type, what listeners see, layouts, accumulation, refusals and their texts, `to`.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/autograd/autograd.h"
#include "engine/ops/arrange/arrange.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "engine/tensor/half.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

using Numbers = std::vector<double>;

Tensor list(const Numbers& numbers, DType dtype) {
  return fromNumbers(numbers, {static_cast<int64_t>(numbers.size())}, dtype);
}

Tensor leaf(const Numbers& numbers, DType dtype) {
  const Tensor t = list(numbers, dtype);
  autograd::setRequiresGrad(t);
  return t;
}

constexpr DType kFloating[] = {DType::F32, DType::F64, DType::F16, DType::BF16};

TEST(MixedTypes, EveryInputGetsAGradientOfItsOwnType) {
  for (DType left : kFloating)
    for (DType right : kFloating) {
      SCOPED_TRACE(std::string(dtypeName(left)) + " and " + std::string(dtypeName(right)));
      const Tensor a = leaf({1, 2, 4}, left);
      const Tensor b = leaf({0.5, -1, 2}, right);
      autograd::backward(sum(mul(a, b)));
      EXPECT_EQ(autograd::gradOf(a).dtype(), left);
      EXPECT_EQ(autograd::gradOf(b).dtype(), right);
      EXPECT_EQ(numbersOf(autograd::gradOf(a)), (Numbers{0.5, -1, 2}));
      EXPECT_EQ(numbersOf(autograd::gradOf(b)), (Numbers{1, 2, 4}));
    }
}

TEST(MixedTypes, GradientsPassIntegersBesideThem) {
  const Tensor a = leaf({1, 2}, DType::BF16);
  const Tensor y = div(a, list({2, 4}, DType::I32));
  EXPECT_EQ(y.dtype(), DType::BF16);
  autograd::backward(sum(y));
  EXPECT_EQ(numbersOf(autograd::gradOf(a)), (Numbers{0.5, 0.25}));
}

TEST(MixedTypes, SecondGradientsOfMixedTypes) {
  const Tensor a = leaf({3}, DType::F32);
  const Tensor b = leaf({2}, DType::F64);
  const Tensor y = sum(mul(square(a), b));
  const auto first = autograd::grad({&y, 1}, std::vector{a, b}, {}, {.createGraph = true});
  EXPECT_EQ(first[0].dtype(), DType::F32);
  EXPECT_EQ(numbersOf(first[0]), (Numbers{12}));
  const Tensor again = sum(first[0]);
  const auto second = autograd::grad({&again, 1}, std::vector{a, b});
  EXPECT_EQ(numbersOf(second[0]), (Numbers{4}));
  EXPECT_EQ(numbersOf(second[1]), (Numbers{6}));
  EXPECT_EQ(second[1].dtype(), DType::F64);
}

TEST(MixedTypes, WhereAndCatBringTheirValuesTogether) {
  const Tensor flags = cast(list({1, 0, 1}, DType::U8), DType::Bool);
  const Tensor a = leaf({1, 2, 3}, DType::F16);
  const Tensor b = leaf({7, 8, 9}, DType::F32);
  const Tensor y = where(flags, a, b);
  EXPECT_EQ(y.dtype(), DType::F32);
  EXPECT_EQ(numbersOf(y), (Numbers{1, 8, 3}));
  const Tensor joined = cat({y, a, list({5}, DType::I64)});
  EXPECT_EQ(joined.dtype(), DType::F32);
  autograd::backward(sum(joined));
  EXPECT_EQ(autograd::gradOf(a).dtype(), DType::F16);
  EXPECT_EQ(numbersOf(autograd::gradOf(a)), (Numbers{2, 1, 2}));
  EXPECT_EQ(numbersOf(autograd::gradOf(b)), (Numbers{0, 1, 0}));
}

TEST(MixedTypes, InPlaceGradientsKeepBothTypes) {
  const Tensor a = leaf({1, 2}, DType::F16);
  const Tensor b = leaf({0.25, 3}, DType::F32);
  const Tensor y = clone(a);
  addInPlace(y, b);
  EXPECT_EQ(y.dtype(), DType::F16);
  EXPECT_EQ(numbersOf(y), (Numbers{1.25, 5}));
  autograd::backward(sum(mulScalar(y, 2)));
  EXPECT_EQ(autograd::gradOf(a).dtype(), DType::F16);
  EXPECT_EQ(autograd::gradOf(b).dtype(), DType::F32);
  EXPECT_EQ(numbersOf(autograd::gradOf(b)), (Numbers{2, 2}));
}

TEST(MixedTypes, EqualTypesRunOneKernel) {
  const auto launches = [](const Tensor& a, const Tensor& b) {
    const uint64_t before = gate::threadState().counters.launches;
    add(a, b);
    return gate::threadState().counters.launches - before;
  };
  const Tensor f = Tensor::full({3}, 1);
  const Tensor d = Tensor::full({3}, 1, DType::F64);
  const Tensor i = Tensor::full({3}, 1, DType::I64);
  const Tensor h = Tensor::full({3}, 1, DType::F16);
  EXPECT_EQ(launches(f, f), 1u);
  EXPECT_EQ(launches(i, i), 1u);
  EXPECT_EQ(launches(f, d), 2u);
  EXPECT_EQ(launches(h, h), 4u);  // two to f32, the sum, one back
}

struct Heard : gate::Listener {
  std::vector<std::string> calls;
  gate::ListenerGuard guard{*this};
  void onCall(const gate::CallInfo& info) override {
    std::string text = info.op.id;
    for (const Tensor* input : info.inputs) text += " " + std::string(dtypeName(input->dtype()));
    text += " >";
    for (const Tensor& output : info.outputs) text += " " + std::string(dtypeName(output.dtype()));
    text += ":";
    for (const gate::Launch& launch : info.launches) text += " " + std::string(launch.kernel->op);
    calls.push_back(text);
  }
};

TEST(MixedTypes, ListenersHearCastsAndWhatTheEdgeConverts) {
  const Tensor h = Tensor::full({3}, 1, DType::F16);
  const Tensor d = Tensor::full({3}, 1, DType::F64);
  Heard heard;
  add(h, h);
  mul(h, d);
  addInPlace(h, d);
  EXPECT_EQ(heard.calls, (std::vector<std::string>{"add f16 f16 > f16: cast cast add cast",
                                                   "cast f16 > f64: cast", "mul f64 f64 > f64: mul",
                                                   "add_ f16 f64 > f16: cast add_ cast"}));
}

TEST(Halves, AreMadeAndReadOnTheHost) {
  const Tensor h = Tensor::full({2}, 1.0 / 3, DType::F16);
  EXPECT_EQ(numbersOf(h), (Numbers{0.333251953125, 0.333251953125}));
  EXPECT_EQ(h.toVector<Half>()[0].bits, 0x3555);
  EXPECT_EQ(numbersOf(Tensor::full({1}, 1.0 / 3, DType::BF16)), (Numbers{0.333984375}));
  EXPECT_EQ(numbersOf(Tensor::zeros({2}, DType::BF16)), (Numbers{0, 0}));
  const std::vector<Half> values{Half(65504), Half(65520), Half(-6e-8), Half(2e-8)};
  EXPECT_EQ(numbersOf(Tensor::fromValues(values, {4})),
            (Numbers{65504, std::numeric_limits<double>::infinity(), -std::ldexp(1.0, -24), 0}));
  EXPECT_EQ(describe(h), "f16 [2] cpu");
  const Tensor filled = Tensor::zeros({2, 3}, DType::BF16);
  fillInPlace(narrow(filled, 1, 1, 1), -2.5);
  EXPECT_EQ(numbersOf(filled), (Numbers{0, -2.5, 0, 0, -2.5, 0}));
  EXPECT_NE(errorOf([&] { h.data<float>(); }).find("read as f32"), std::string::npos);
}

TEST(Halves, SumsAreKeptInF32) {
  for (DType dtype : {DType::F16, DType::BF16}) {
    const Tensor x = Tensor::full({5000}, 1, dtype);  // f16 alone stops at 2048, bf16 at 256
    EXPECT_EQ(numbersOf(sum(x))[0], dtype == DType::F16 ? 5000 : 4992) << dtypeName(dtype);
    EXPECT_EQ(numbersOf(mean(x))[0], 1);
    EXPECT_EQ(numbersOf(var(x))[0], 0);
    EXPECT_EQ(numbersOf(norm(Tensor::full({4096}, 2, dtype)))[0], 128);
  }
  EXPECT_EQ(numbersOf(prod(list({300, 300, 0.001}, DType::F16)))[0],
            static_cast<float>(Half(90000 * static_cast<float>(Half(0.001)))));
}

TEST(Halves, InPlaceWritesThroughStridesAndBlocks) {
  const Tensor x = Tensor::full({3, 4}, 1, DType::F16);
  const Tensor column = select(x, 1, 2);
  addInPlace(column, list({1, 2, 3}, DType::F16));
  mulScalarInPlace(select(x, 0, 0), 0.5);
  EXPECT_EQ(numbersOf(x), (Numbers{0.5, 0.5, 1, 0.5, 1, 1, 3, 1, 1, 1, 4, 1}));
  EXPECT_EQ(x.version(), 2u);
  const Tensor blocks = laid(Tensor::full({2, 5, 2, 2}, 1, DType::BF16), Lay::Blocked);
  addInPlace(blocks, list({1, 2, 3, 4, 5}, DType::BF16).aliasWith({5, 1, 1}, {1, 1, 1}, 0));
  const Numbers got = numbersOf(blocks);
  for (size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], 2 + static_cast<double>(i / 4 % 5));
  EXPECT_TRUE(paddingIsZero(blocks));
}

TEST(Halves, TheGraphSavesWhatTheCallerGave) {
  const Tensor a = leaf({1, 2}, DType::F16);
  const Tensor b = list({3, 4}, DType::F16);
  const Tensor y = mul(a, b);
  addInPlace(b, Tensor::full({2}, 1, DType::F16));
  EXPECT_NE(errorOf([&] { autograd::backward(sum(y)); }).find("in place"), std::string::npos);
}

TEST(Halves, PaddedBlocksStayBlocked) {
  const Tensor x =
      laid(list({1, 2, 3, 4, 5, 6}, DType::F16).aliasWith({1, 3, 2}, {6, 2, 1}, 0), Lay::Blocked);
  const Tensor y = relu(x);
  EXPECT_TRUE(y.layout().blocked());
  EXPECT_EQ(y.dtype(), DType::F16);
  EXPECT_EQ(numbersOf(y), (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(paddingIsZero(y));
}

TEST(Integers, DivisionByZeroNamesThePlace) {
  for (DType dtype : {DType::I64, DType::I32, DType::I8, DType::U8}) {
    const Tensor a = list({7, 8, 9}, dtype);
    const Tensor b = list({1, 2, 0}, dtype);
    EXPECT_EQ(errorOf([&] { floorDivide(a, b); }),
              "[floor_divide] integers divided by zero: element 2 of b is 0");
    EXPECT_EQ(errorOf([&] { remainder(a, Tensor::zeros({}, dtype)); }),
              "[remainder] integers divided by zero: element 0 of b is 0");
    EXPECT_EQ(errorOf([&] { fmod(a, b); }), "[fmod] integers divided by zero: element 2 of b is 0");
  }
  const Tensor bools = Tensor::full({2}, 1, DType::Bool);
  EXPECT_NE(errorOf([&] { fmod(bools, bools); }).find("no kernel on cpu takes bool"),
            std::string::npos);
}

TEST(Integers, TheSmallestByMinusOneWrapsAround) {
  const Tensor a = Tensor::fromValues<int64_t>({INT64_MIN}, {1});
  const Tensor b = Tensor::fromValues<int64_t>({-1}, {1});
  EXPECT_EQ(floorDivide(a, b).toVector<int64_t>()[0], INT64_MIN);
  EXPECT_EQ(remainder(a, b).toVector<int64_t>()[0], 0);
  EXPECT_EQ(fmod(a, b).toVector<int64_t>()[0], 0);
  const Tensor small = Tensor::fromValues<int8_t>({-128}, {1});
  EXPECT_EQ(floorDivide(small, cast(b, DType::I8)).toVector<int8_t>()[0], -128);
  EXPECT_EQ(neg(small).toVector<int8_t>()[0], -128);
}

TEST(Integers, FloorDivisionOfFloatingNumbersFitsTheRemainder) {
  const Tensor a = leaf({7, -7, 7, -7, 0, 1, 6}, DType::F64);
  const Tensor b = list({3, 3, -3, -3, 5, 0, 0.1}, DType::F64);
  const Tensor y = floorDivide(a, b);
  EXPECT_EQ(numbersOf(y), (Numbers{2, -3, -3, 2, 0, std::numeric_limits<double>::infinity(), 59}));
  autograd::backward(sum(y));
  EXPECT_EQ(numbersOf(autograd::gradOf(a)), (Numbers(7, 0)));
}

TEST(Integers, PowersOfIntegers) {
  const Tensor x = list({2, 1, -1, 0}, DType::I64);
  EXPECT_EQ(numbersOf(pow(x, list({-1, -5, -3, 0}, DType::I64))), (Numbers{0, 1, -1, 1}));
  EXPECT_EQ(errorOf([&] { powScalar(x, -1); }),
            "[pow_scalar] integers have no power -1: i64 [4] cpu; cast to a floating type");
  EXPECT_EQ(powScalar(x, -0.5).dtype(), DType::F32);
  EXPECT_EQ(numbersOf(powScalar(x, -2.0)),
            (Numbers{0.25, 1, 1, std::numeric_limits<double>::infinity()}));
}

TEST(Integers, InfiniteNumbersBesideThemAreFloatingUnlessTheyAreLimits) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const auto expect = [](const Tensor& got, double wanted) {
    EXPECT_EQ(got.dtype(), DType::F32);
    EXPECT_EQ(numbersOf(got), Numbers{wanted});
  };
  for (DType dtype : {DType::I64, DType::I8, DType::Bool}) {  // as PyTorch has it
    SCOPED_TRACE(dtypeName(dtype));
    const Tensor one = list({1}, dtype);
    expect(addScalar(one, kInf), kInf);
    expect(addScalar(one, -kInf), -kInf);
    expect(mulScalar(one, -kInf), -kInf);
    expect(powScalar(addScalar(one, 1), kInf), kInf);
    expect(powScalar(addScalar(one, 1), -kInf), 0);
  }
  const Tensor numbers = list({-3, 5}, DType::I8);
  EXPECT_EQ(clamp(numbers, -kInf, 4).dtype(), DType::I8);
  EXPECT_EQ(numbersOf(clamp(numbers, -kInf, 4)), (Numbers{-3, 4}));
}

TEST(Integers, NumbersBesideThem) {
  const Tensor x = list({250, 3}, DType::U8);
  EXPECT_EQ(numbersOf(addScalar(x, 10)), (Numbers{4, 13}));
  EXPECT_EQ(addScalar(x, 0.5).dtype(), DType::F32);
  EXPECT_EQ(numbersOf(addScalar(x, 0.5)), (Numbers{250.5, 3.5}));
  // as written: a whole number that is floating makes integers floating
  EXPECT_EQ(addScalar(x, 10.0).dtype(), DType::F32);
  EXPECT_EQ(numbersOf(addScalar(x, 10.0)), (Numbers{260, 13}));
  EXPECT_EQ(mulScalar(list({1, 0}, DType::Bool), 3.0).dtype(), DType::F32);
  EXPECT_EQ(mulScalar(list({1, 0}, DType::Bool), 3).dtype(), DType::I64);
  EXPECT_EQ(clamp(x, 1, 2.0).dtype(), DType::F32);
  EXPECT_EQ(numbersOf(clamp(x, -5, 300)), (Numbers{250, 3}));
  const Tensor large = Tensor::fromValues<int64_t>({int64_t{1} << 40, -7}, {2});
  EXPECT_EQ(numbersOf(clamp(large, 0, std::numeric_limits<double>::infinity())),
            (Numbers{std::ldexp(1.0, 40), 0}));
  mulScalarInPlace(large, 3);
  EXPECT_EQ(numbersOf(large), (Numbers{3 * std::ldexp(1.0, 40), -21}));
  EXPECT_EQ(errorOf([&] { mulScalarInPlace(large, 0.5); }),
            "[mul_scalar_] x is written in place and keeps its type i64, which the result type f32 "
            "can't be cast to: i64 [2] cpu with 0.5");
  EXPECT_NE(errorOf([&] { mulScalarInPlace(large, 3.0); }).find("result type f32"),
            std::string::npos);
}

TEST(Types, WrittenTensorsRefuseWhatTheyCannotHold) {
  const Tensor i = Tensor::full({2}, 1, DType::I64);
  const Tensor f = Tensor::full({2}, 1.5);
  EXPECT_EQ(errorOf([&] { addInPlace(i, f); }),
            "[add_] a is written in place and keeps its type i64, which the result type f32 can't "
            "be cast to: i64 [2] cpu and f32 [2] cpu");
  EXPECT_EQ(errorOf([&] { subInPlace(Tensor::full({2}, 1, DType::Bool), i); }),
            "[sub_] a is written in place and keeps its type bool, which the result type i64 can't "
            "be cast to: bool [2] cpu and i64 [2] cpu");
  EXPECT_EQ(numbersOf(i), (Numbers{1, 1}));
}

TEST(Types, BoolsHaveNoDifferenceAndNoSign) {
  const Tensor b = Tensor::full({2}, 1, DType::Bool);
  for (const std::string& text : {errorOf([&] { sub(b, b); }), errorOf([&] { neg(b); })})
    EXPECT_NE(text.find("no kernel on cpu takes bool [2] cpu"), std::string::npos) << text;
  addInPlace(b, b);
  EXPECT_EQ(numbersOf(b), (Numbers{1, 1}));
}

TEST(Types, ToGivesTheSameTensorOrACastThatIsDifferentiable) {
  const Tensor x = leaf({1.5, 2}, DType::F32);
  EXPECT_EQ(to(x, DType::F32).impl(), x.impl());
  EXPECT_EQ(to(x, Device{}).impl(), x.impl());
  EXPECT_EQ(to(x, DType::F32, Device{}).impl(), x.impl());
  const Tensor h = to(x, DType::BF16, Device{});
  EXPECT_EQ(h.dtype(), DType::BF16);
  autograd::backward(sum(mul(h, h)));
  EXPECT_EQ(autograd::gradOf(x).dtype(), DType::F32);
  EXPECT_EQ(numbersOf(autograd::gradOf(x)), (Numbers{3, 4}));
  EXPECT_EQ(errorOf([&] { to(x, DType::F16, deviceFromName("cuda:1")); }),
            "[to] tensors are not copied between devices: wanted cuda:1, x is f32 [2] cpu");
  EXPECT_EQ(errorOf([&] { to(Tensor(), DType::F32); }), "[to] x is undefined: it holds no tensor");
}

TEST(Types, UndefinedAndMisfittingInputsAreStillNamed) {
  const Tensor h = Tensor::full({2, 3}, 1, DType::F16);
  EXPECT_EQ(errorOf([&] { add(h, Tensor()); }), "[add] b is undefined: it holds no tensor");
  EXPECT_NE(errorOf([&] { add(h, Tensor::zeros({4}, DType::F64)); }).find("do not broadcast"),
            std::string::npos);
  EXPECT_NE(errorOf([&] { lerp(h, Tensor::zeros({3}), Tensor::zeros({3})); }).find("[lerp]"),
            std::string::npos);
}

}  // namespace
}  // namespace tenon::test
