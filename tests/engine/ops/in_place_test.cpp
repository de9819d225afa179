// SPDX-License-Identifier: Apache-2.0
// Functions in place beyond their samples: versions, what backward passes refuse, old values that
// gradients need, integers, the padding of blocks, fill values. Gradients here are derivatives
// written down by hand; that in place and not in place agree is tested for every operator
// (all_ops_grad_test, all_kernels_test).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/autograd/autograd.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/index/index.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

using Numbers = std::vector<double>;
using Tensors = std::vector<Tensor>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Tensor some(const Numbers& numbers, DType dtype = DType::F64) {
  return fromNumbers(numbers, {static_cast<int64_t>(numbers.size())}, dtype);
}

Tensor leaf(const Numbers& numbers) {
  Tensor x = some(numbers);
  autograd::setRequiresGrad(x);
  return x;
}

TEST(InPlace, EveryCallCountsAsOneChange) {
  const Tensor x = some({0.5, 2}, DType::F32);
  const uint32_t before = x.version();
  expInPlace(x);
  EXPECT_EQ(x.version(), before + 1);
  divInPlace(x, some({2, 4}, DType::F32));
  maskedFillInPlace(x, some({0, 1}, DType::Bool), 7);
  addScalarInPlace(x, 1);
  EXPECT_EQ(x.version(), before + 4);
  EXPECT_NEAR(numbersOf(x)[0], std::exp(0.5) / 2 + 1, 1e-6);
  EXPECT_EQ(numbersOf(x)[1], 8);
}

TEST(InPlace, BackwardRefusesWhatWasChangedUnderIt) {
  const Tensor x = leaf({0.5, 2});
  const Tensor t = mulScalar(x, 2);
  const Tensor y = log(t);  // saves t
  sinInPlace(t);
  const std::string text = errorOf([&] { autograd::backward(sum(y)); });
  EXPECT_TRUE(hasAll(text, {"input 0 of 'log' was changed in place", "version 1, expected 0"}))
      << text;
  const Tensor u = clone(x);
  expInPlace(u);  // saves what it wrote
  const Tensor z = mulScalar(u, 3);
  divInPlace(u, some({2, 2}));
  EXPECT_NE(errorOf([&] { autograd::backward(sum(z)); }).find("output 0 of 'exp_' was changed"),
            std::string::npos);
}

TEST(InPlace, GradientsSeeTheOldValue) {
  const Tensor x = leaf({0.5, 2, 4});
  const Tensor t = clone(x);
  logInPlace(t);     // 1 / x
  squareInPlace(t);  // 2 log(x) / x
  EXPECT_EQ(numbersOf(t)[1], std::log(2.0) * std::log(2.0));
  const Numbers dx = numbersOf(autograd::grad(Tensors{sum(t)}, Tensors{x})[0]);
  const Numbers at = {0.5, 2, 4};
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(dx[i], 2 * std::log(at[i]) / at[i], 1e-14) << i;
}

TEST(InPlace, BothSidesOfAPairHaveGradients) {
  const Tensor a = leaf({3, 2}), b = leaf({2, 5});
  const Tensor quotient = clone(a);
  divInPlace(quotient, b);
  Tensors grads = autograd::grad(Tensors{sum(quotient)}, Tensors{a, b});
  EXPECT_EQ(numbersOf(grads[0]), (Numbers{0.5, 0.2}));  // 1 / b
  EXPECT_EQ(numbersOf(grads[1])[0], -0.75);             // -a / b^2
  EXPECT_NEAR(numbersOf(grads[1])[1], -2.0 / 25, 1e-16);
  const Tensor power = clone(a);
  powInPlace(power, b);
  EXPECT_EQ(numbersOf(power), (Numbers{9, 32}));
  grads = autograd::grad(Tensors{sum(power)}, Tensors{a, b});
  EXPECT_EQ(numbersOf(grads[0]), (Numbers{6, 80}));  // b a^(b - 1)
  EXPECT_NEAR(numbersOf(grads[1])[0], 9 * std::log(3.0), 1e-14);
  EXPECT_NEAR(numbersOf(grads[1])[1], 32 * std::log(2.0), 1e-14);
  const Tensor column = leaf({2});  // broadcasts: its gradient is summed
  const Tensor shared = clone(a);
  divInPlace(shared, column);
  EXPECT_EQ(numbersOf(autograd::grad(Tensors{sum(shared)}, Tensors{column})[0]), Numbers{-1.25});
}

TEST(InPlace, MaskedElementsHaveNoGradient) {
  const Tensor x = leaf({1, 2, 3});
  const Tensor t = clone(x);
  maskedFillInPlace(t, some({0, 1, 0}, DType::Bool), -4);
  EXPECT_EQ(numbersOf(t), (Numbers{1, -4, 3}));
  const Tensor dx = autograd::grad(Tensors{t}, Tensors{x}, Tensors{some({5, 6, 7})})[0];
  EXPECT_EQ(numbersOf(dx), (Numbers{5, 0, 7}));
}

TEST(InPlace, LeavesAndViewsAreRefused) {
  const Tensor x = leaf({1, 2});
  EXPECT_NE(errorOf([&] { sinInPlace(x); }).find("[sin_] changes in place a leaf"),
            std::string::npos);
  const Tensor t = clone(x);
  EXPECT_NE(errorOf([&] {
              divInPlace(narrow(t, 0, 0, 1), some({2}));
            }).find("[div_] changes in place a view"),
            std::string::npos);
  const gate::NoGradGuard noGrad;
  sinInPlace(x);
  EXPECT_EQ(numbersOf(x)[0], std::sin(1.0));
}

/// PyTorch refuses these at backward; Tenon keeps what the gradient needs of both.
TEST(InPlace, OperandsThatShareMemoryHaveTheGradientsOfApart) {
  using Pair = Tensor (*)(const Tensor&, const Tensor&);
  using Change = void (*)(const Tensor&, const Tensor&);
  const std::pair<Pair, Change> pairs[] = {{&pow, &powInPlace},
                                           {&div, &divInPlace},
                                           {&atan2, &atan2InPlace},
                                           {&fmod, &fmodInPlace},
                                           {&remainder, &remainderInPlace}};
  for (const auto& [apart, inPlace] : pairs) {
    const Tensor x = leaf({0.75, 2.5, 3.25});
    const Tensor t = mulScalar(x, 1);
    inPlace(t, t);
    const Tensor base = mulScalar(x, 1);
    const Tensor wanted = apart(base, base);
    EXPECT_EQ(numbersOf(t), numbersOf(wanted));
    EXPECT_EQ(numbersOf(autograd::grad(Tensors{sum(t)}, Tensors{x})[0]),
              numbersOf(autograd::grad(Tensors{sum(wanted)}, Tensors{x})[0]));
  }
  const Tensor x = leaf({0.5, 2, 3});
  const Tensor t = mulScalar(x, 1);
  mulInPlace(t, autograd::detach(t));  // the factor as it was: d/dx of x c is c
  EXPECT_EQ(numbersOf(autograd::grad(Tensors{sum(t)}, Tensors{x})[0]), (Numbers{0.5, 2, 3}));
}

TEST(InPlace, IntegersInPaddedBlocksAreTreatedAsDenseOnes) {
  const auto blocked = [](DType dtype) {
    return laid(converted(fromNumbers({-7, 7, 5, -3, 9}, {1, 5, 1, 1}, DType::F64), dtype),
                Lay::Blocked);
  };
  const Tensor x = blocked(DType::I32);
  EXPECT_TRUE(hasAll(errorOf([&] { expInPlace(x); }), {"[exp_]", "keeps its type i32"}));
  EXPECT_EQ(numbersOf(x), (Numbers{-7, 7, 5, -3, 9}));
  const Tensor two = laid(fromNumbers({2, 2, 2, 2, 2}, {1, 5, 1, 1}, DType::I32), Lay::Blocked);
  floorDivideInPlace(x, two);
  EXPECT_EQ(numbersOf(x), (Numbers{-4, 3, 2, -2, 4}));
  EXPECT_TRUE(paddingIsZero(x));
  EXPECT_TRUE(hasAll(errorOf([&] { powInPlace(x, blocked(DType::F32)); }), {"keeps its type i32"}));
}

TEST(InPlace, SixteenBitsInPaddedBlocksKeepWhatTheOtherOperandNeeds) {
  const Tensor a = laid(fromNumbers({1, 2, 3, 4, 5}, {1, 5, 1, 1}, DType::F16), Lay::Blocked);
  const Tensor b = fromNumbers({2, 2, 2, 2, 2}, {1, 5, 1, 1}, DType::F16);
  autograd::setRequiresGrad(b);
  powInPlace(a, b);
  const Numbers db = numbersOf(autograd::grad(Tensors{sum(a)}, Tensors{b})[0]);
  for (size_t i = 0; i < 5; ++i) {  // a^b log a
    const double old = static_cast<double>(i) + 1;
    EXPECT_NEAR(db[i], old * old * std::log(old), 0.03) << i;
  }
}

TEST(InPlace, IntegersKeepTheirTypeOrRefuse) {
  const Tensor x = some({-7, 7}, DType::I32);
  negInPlace(x);
  EXPECT_EQ(numbersOf(x), (Numbers{7, -7}));
  floorDivideInPlace(x, some({2, 2}, DType::I32));
  EXPECT_EQ(numbersOf(x), (Numbers{3, -4}));
  clampInPlace(x, -2, 2);
  EXPECT_EQ(numbersOf(x), (Numbers{2, -2}));
  const auto refused = [&](auto call, const std::vector<std::string>& words) {
    const std::string text = errorOf(call);
    EXPECT_TRUE(hasAll(text, words)) << text;
    EXPECT_EQ(numbersOf(x), (Numbers{2, -2}));
    EXPECT_EQ(x.dtype(), DType::I32);
  };
  refused([&] { sinInPlace(x); }, {"[sin_]", "keeps its type i32", "f32 can't be cast to"});
  refused([&] { divInPlace(x, x); }, {"[div_]", "keeps its type i32", "f32 can't be cast to"});
  refused([&] { clampInPlace(x, -0.5, 1); }, {"[clamp_]", "keeps its type i32", "-0.5"});
  refused([&] { powScalarInPlace(x, -1); }, {"[pow_scalar_]", "no power -1"});
  refused([&] { remainderInPlace(x, some({1, 0}, DType::I32)); }, {"[remainder_]", "by zero"});
}

TEST(InPlace, BlockedTensorsStaySoAndTheirPaddingZero) {
  const Tensor dense = makeInput({{2, 5, 3, 3}, SampleInput::Values::Positive, 0.5, 2}, 3);
  const Tensor divisor = makeInput({{2, 5, 3, 3}, SampleInput::Values::Positive, 0.5, 2}, 4);
  const std::pair<const char*, void (*)(const Tensor&, const Tensor&)> changes[] = {
      {"exp", [](const Tensor& x, const Tensor&) { expInPlace(x); }},
      {"add", [](const Tensor& x, const Tensor&) { addScalarInPlace(x, 1); }},
      {"div", [](const Tensor& x, const Tensor& d) { divInPlace(x, d); }},
      {"sin", [](const Tensor& x, const Tensor&) { sinInPlace(x); }}};
  for (const auto& [name, change] : changes) {
    SCOPED_TRACE(name);
    const Tensor x = laid(dense, Lay::Blocked);
    const void* memory = x.rawData();
    change(x, laid(divisor, Lay::Blocked));
    change(dense, divisor);
    EXPECT_TRUE(near(x, dense, {}));
    EXPECT_TRUE(paddingIsZero(x));
    EXPECT_EQ(x.layout(), kBlocked8);
    EXPECT_EQ(x.rawData(), memory);
  }
}

TEST(InPlace, PaddedBlocksHaveGradientsToo) {
  const Tensor x =
      laid(makeInput({{1, 3, 2, 2}, SampleInput::Values::Positive, 0.5, 2}, 3), Lay::Blocked);
  autograd::setRequiresGrad(x);
  const Tensor t = mulScalar(x, 1);
  ASSERT_TRUE(t.layout().blocked());
  expInPlace(t);
  EXPECT_TRUE(near(autograd::grad(Tensors{sum(t)}, Tensors{x})[0], exp(x), {1e-14, 0}));
}

TEST(FillValues, IntegersRefuseWhatTheyCannotHold) {
  const struct {
    DType type;
    double value;
    const char* holds;
  } refused[] = {
      {DType::U8, 300, "u8 holds whole numbers from 0 to 255"},
      {DType::U8, -1, "filled with -1"},
      {DType::I8, 128, "i8 holds whole numbers from -128 to 127"},
      {DType::I8, -129, "filled with -129"},
      {DType::I32, 0.5, "i32 holds whole numbers from -2147483648 to 2147483647"},
      {DType::I32, 2147483648.0, "filled with 2147483648"},
      {DType::I64, 9223372036854775808.0, "to 9223372036854775807"},
      {DType::I64, kNan, "filled with nan"},
      {DType::I32, -std::numeric_limits<double>::infinity(), "filled with -inf"},
  };
  for (const auto& one : refused) {
    const Tensor t = Tensor::zeros({2}, one.type);
    const Tensor mask = some({1, 0}, DType::Bool);
    const std::pair<const char*, std::string> calls[] = {
        {"[fill_] ", errorOf([&] { fillInPlace(t, one.value); })},
        {"[masked_fill_] ", errorOf([&] { maskedFillInPlace(t, mask, one.value); })},
        {"[masked_fill] ", errorOf([&] { maskedFill(t, mask, one.value); })},
        {"[full] ", errorOf([&] { Tensor::full({2}, one.value, one.type); })},
        {"[scatter] ", errorOf([&] { scatter(t, 0, some({1}, DType::I64), one.value); })}};
    for (const auto& [op, text] : calls) {
      EXPECT_EQ(text.rfind(op, 0), 0u) << text;
      EXPECT_NE(text.find(one.holds), std::string::npos) << text;
    }
    EXPECT_EQ(numbersOf(t), (Numbers{0, 0})) << "changed all the same";
  }
}

TEST(FillValues, LimitsAndOtherTypesAreTaken) {
  const std::pair<DType, double> taken[] = {
      {DType::U8, 255},      {DType::I8, -128}, {DType::I32, -2147483648.0}, {DType::I64, -0x1p63},
      {DType::I64, -0x1p53}, {DType::F16, 0.5}, {DType::F32, kNan},          {DType::Bool, 1}};
  for (const auto& [type, value] : taken) {
    const Tensor t = Tensor::zeros({3}, type);
    fillInPlace(t, value);
    const Numbers wanted = numbersOf(Tensor::full({3}, value, type));
    EXPECT_TRUE(near(t, some(wanted), {}));
    EXPECT_TRUE(std::isnan(value) || wanted[0] == value) << dtypeName(type) << " " << value;
  }
  EXPECT_EQ(numbersOf(Tensor::full({1}, 0.5, DType::Bool)), Numbers{1});
}

}  // namespace
}  // namespace tenon::test
