// SPDX-License-Identifier: Apache-2.0
// Autocast: values and gradients against PyTorch, the cache of weights, nesting, what stays as it
// is without a guard.
#include "engine/amp/autocast.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <thread>

#include "engine/autograd/autograd.h"
#include "engine/autograd/checkpoint.h"
#include "engine/ops/conv/conv.h"
#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/gate/gate.h"
#include "engine/ops/linear/linear.h"
#include "engine/ops/matmul/matmul.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/view/view.h"
#include "tests/engine/amp/autocast_reference.h"
#include "tests/support/error_text.h"
#include "tests/support/reference_numbers.h"

namespace tenon::test {
namespace {

using amp::AutocastGuard;

/// Counts the calls of "cast" on this thread.
class CastCount final : public gate::Listener {
 public:
  CastCount() : guard_(*this) {}
  void onCall(const gate::CallInfo& info) override {
    count_ += std::string_view(info.op.id) == "cast" ? 1 : 0;
  }
  int take() { return std::exchange(count_, 0); }

 private:
  int count_ = 0;
  gate::ListenerGuard guard_;
};

Tensor drawn(const Shape& shape, int64_t seed, double scale = 1) {
  const std::vector<double> numbers = drawnNumbers(shape.numel(), seed, scale, 0);
  return Tensor::fromValues(std::vector<float>(numbers.begin(), numbers.end()), shape);
}

Tensor weight(const Shape& shape, int64_t seed, double scale = 1) {
  const Tensor tensor = drawn(shape, seed, scale);
  autograd::setRequiresGrad(tensor);
  return tensor;
}

std::vector<double> numbersOf(const Tensor& tensor) {
  return cast(tensor, DType::F64).toVector<double>();
}

/// @param bits of the significand that may be off
void expectNear(const Tensor& got, const Json& wanted, double relative) {
  const std::vector<double> numbers = numbersOf(got);
  ASSERT_EQ(numbers.size(), wanted.size());
  double largest = 0;
  for (const Json& number : wanted) largest = std::max(largest, std::abs(number.get<double>()));
  for (size_t i = 0; i < numbers.size(); ++i)
    EXPECT_NEAR(numbers[i], wanted[i].get<double>(), relative * largest) << "element " << i;
}

constexpr double kBf16 = 1.0 / 128;  // one unit of the last place, at most

struct Network {
  std::map<std::string, Tensor> weights = {{"conv", weight({3, 2, 3, 3}, 2, 0.4)},
                                           {"bias", weight({3}, 3, 0.1)},
                                           {"head", weight({3, 48}, 4, 0.2)},
                                           {"shift", weight({3}, 5, 0.1)}};
  Tensor hidden, y, loss;

  /// @param override whether the second product runs in f32
  void run(bool override) {
    const Tensor x = drawn({4, 2, 6, 6}, 1);
    hidden = flatten(relu(conv(x, weights.at("conv"), weights.at("bias"))), 1);
    if (override) {
      const AutocastGuard off(DType::BF16, false);
      y = linear(cast(hidden, DType::F32), weights.at("head"), weights.at("shift"));
    } else {
      y = linear(hidden, weights.at("head"), weights.at("shift"));
    }
    loss = crossEntropy(y, Tensor::fromValues(std::vector<int64_t>{0, 2, 1, 2}, {4}));
  }
};

TEST(Autocast, ANetworkIsPyTorchs) {
  const std::vector<Json> cases = autocastCases("network");
  ASSERT_EQ(cases.size(), 2U);
  for (const Json& json : cases) {
    SCOPED_TRACE(json.at("network").get<std::string>());
    Network net;
    {
      const AutocastGuard autocast(DType::BF16);
      net.run(json.at("network") == "override");
    }
    EXPECT_EQ(dtypeName(net.hidden.dtype()), json.at("hidden_type").get<std::string>());
    EXPECT_EQ(dtypeName(net.y.dtype()), json.at("y_type").get<std::string>());
    EXPECT_EQ(dtypeName(net.loss.dtype()), json.at("loss_type").get<std::string>());
    expectNear(net.y, json.at("y"), kBf16);
    EXPECT_NEAR(net.loss.toVector<float>()[0], json.at("loss").get<double>(), 1e-3);
    autograd::backward(net.loss);
    for (const auto& [name, tensor] : net.weights) {
      SCOPED_TRACE(name);
      const Json& wanted = json.at("gradients").at(name);
      const Tensor gradient = autograd::gradOf(tensor);
      EXPECT_EQ(dtypeName(gradient.dtype()), wanted.at("type").get<std::string>());
      expectNear(gradient, wanted.at("values"), 2 * kBf16);
    }
  }
}

TEST(Autocast, BackwardWithinTheGuardGivesTheSameBits) {
  const auto gradients = [](bool within) {
    Network net;
    std::vector<std::vector<double>> all;
    {
      const AutocastGuard autocast(DType::BF16);
      net.run(false);
      if (within) autograd::backward(net.loss);
    }
    if (!within) autograd::backward(net.loss);
    for (const auto& [name, tensor] : net.weights)
      all.push_back(numbersOf(autograd::gradOf(tensor)));
    return all;
  };
  EXPECT_EQ(gradients(true), gradients(false));
}

TEST(Autocast, WithoutAGuardNothingIsCast) {
  CastCount casts;
  const auto before = [] {
    Network net;
    net.run(false);
    return net.y.toVector<float>();
  };
  const std::vector<float> plain = before();
  EXPECT_EQ(casts.take(), 0);
  EXPECT_FALSE(amp::autocastEnabled());
  {
    const AutocastGuard autocast(DType::F16);
    EXPECT_TRUE(amp::autocastEnabled());
    EXPECT_EQ(linear(drawn({2, 3}, 1), drawn({4, 3}, 2), {}).dtype(), DType::F16);
  }
  EXPECT_FALSE(amp::autocastEnabled());
  casts.take();
  EXPECT_EQ(before(), plain);
  EXPECT_EQ(casts.take(), 0);
}

TEST(Autocast, AWeightIsCastOnceUntilTheOutermostGuardEnds) {
  const Tensor w = weight({4, 3}, 1);
  const Tensor x = cast(drawn({2, 3}, 2), DType::BF16);
  CastCount casts;
  {
    const AutocastGuard outer(DType::BF16);
    linear(x, w, {});
    linear(x, w, {});
    EXPECT_EQ(casts.take(), 1);
    {
      const AutocastGuard inner(DType::BF16);
      linear(x, w, {});
      EXPECT_EQ(casts.take(), 0);
    }
    linear(x, w, {});
    EXPECT_EQ(casts.take(), 0) << "the end of an inner guard keeps the casts";
  }
  const AutocastGuard next(DType::BF16);
  linear(x, w, {});
  EXPECT_EQ(casts.take(), 1);
}

TEST(Autocast, OnlyLeavesThatWantAGradientAreKept) {
  const Tensor x = cast(drawn({2, 3}, 2), DType::BF16);
  const Tensor frozen = drawn({4, 3}, 1);
  const Tensor w = weight({4, 3}, 3);
  const Tensor made = mulScalar(w, 2);
  const Tensor view = narrow(weight({8, 3}, 4), 0, 0, 4);
  CastCount casts;
  const AutocastGuard autocast(DType::BF16);
  for (const Tensor* tensor : {&frozen, &made, &view}) {
    linear(x, *tensor, {});
    linear(x, *tensor, {});
    EXPECT_EQ(casts.take(), 2);
  }
}

TEST(Autocast, AWeightThatIsWrittenIsCastAnew) {
  const Tensor w = weight({1, 2}, 1);
  const Tensor x = Tensor::full({1, 2}, 1, DType::BF16);
  const AutocastGuard autocast(DType::BF16);
  linear(x, w, {});
  {
    const gate::NoGradGuard noGrad;
    mulScalarInPlace(w, 0);
  }
  EXPECT_EQ(numbersOf(linear(x, w, {}))[0], 0);
}

TEST(Autocast, ACastMadeWithoutGradientsDoesNotHideThem) {
  const Tensor w = weight({4, 3}, 1);
  const Tensor x = drawn({2, 3}, 2);
  const AutocastGuard autocast(DType::BF16);
  {
    const gate::NoGradGuard noGrad;
    EXPECT_FALSE(linear(x, w, {}).requiresGrad());
  }
  autograd::backward(sum(linear(x, w, {})));
  EXPECT_TRUE(autograd::gradOf(w).defined());
}

TEST(Autocast, TwoBackwardPassesShareACast) {
  const Tensor w = weight({4, 3}, 1);
  const Tensor x = drawn({2, 3}, 2);
  const AutocastGuard autocast(DType::BF16);
  autograd::backward(sum(linear(x, w, {})));
  const std::vector<double> once = numbersOf(autograd::gradOf(w));
  autograd::backward(sum(linear(x, w, {})));
  std::vector<double> twice = once;
  for (double& number : twice) number *= 2;
  EXPECT_EQ(numbersOf(autograd::gradOf(w)), twice);
}

TEST(Autocast, GuardsNest) {
  const Tensor x = drawn({2, 3}, 1), w = weight({4, 3}, 2);
  const auto type = [&] { return linear(x, w, {}).dtype(); };
  const AutocastGuard outer(DType::BF16);
  EXPECT_EQ(type(), DType::BF16);
  {
    const AutocastGuard other(DType::F16);
    EXPECT_EQ(type(), DType::F16);
    {
      const AutocastGuard off(DType::BF16, false);
      EXPECT_EQ(type(), DType::F32);
      EXPECT_FALSE(amp::autocastEnabled());
      const AutocastGuard again(DType::BF16);
      EXPECT_EQ(type(), DType::BF16);
    }
    EXPECT_EQ(type(), DType::F16);
  }
  EXPECT_EQ(type(), DType::BF16);
}

TEST(Autocast, IsThatOfOneThread) {
  const AutocastGuard autocast(DType::BF16);
  bool elsewhere = true;
  std::thread([&] { elsewhere = amp::autocastEnabled(); }).join();
  EXPECT_FALSE(elsewhere);
}

TEST(Autocast, EndsWithItsGuardWhenSomethingThrows) {
  const auto fail = [] {
    const AutocastGuard autocast(DType::BF16);
    matmul(drawn({2, 3}, 1), drawn({2, 3}, 2));
  };
  EXPECT_TRUE(hasAll(errorOf(fail), {"[matmul]"}));
  EXPECT_FALSE(amp::autocastEnabled());
  EXPECT_EQ(matmul(drawn({2, 3}, 1), drawn({3, 2}, 2)).dtype(), DType::F32);
}

TEST(Autocast, OtherTypesAreRefused) {
  for (const DType type : {DType::F32, DType::F64, DType::I64}) {
    const std::string text = errorOf([&] { const AutocastGuard autocast(type); });
    EXPECT_TRUE(hasAll(text, {"bf16 or f16", std::string(dtypeName(type))})) << text;
  }
  EXPECT_FALSE(amp::autocastEnabled());
}

TEST(Autocast, CheckpointsRecomputeInTheTypesOfForward) {
  const auto gradients = [](bool checkpointed) {
    const Tensor w = weight({3, 3}, 1);
    const Tensor x = drawn({2, 3}, 2);
    const auto part = [w](std::span<const Tensor> in) {
      return std::vector<Tensor>{linear(tanh(linear(in[0], w, {})), w, {})};
    };
    Tensor loss;
    {
      const AutocastGuard autocast(DType::BF16);
      const Tensor y = checkpointed ? autograd::checkpoint(part, {&x, 1})[0] : part({&x, 1})[0];
      loss = sum(y);
    }
    autograd::backward(loss);
    return numbersOf(autograd::gradOf(w));
  };
  EXPECT_EQ(gradients(true), gradients(false));
}

}  // namespace
}  // namespace tenon::test
