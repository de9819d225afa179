// SPDX-License-Identifier: Apache-2.0
// Error bounds of the f32 functions in engine/backend/cpu/math.h over the whole range of f32, their
// special values, and that an element's bits do not depend on where it stands.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "engine/autograd/autograd.h"
#include "engine/backend/cpu/parallel.h"
#include "engine/ops/cross_entropy/cross_entropy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/ops/softmax/softmax.h"
#include "engine/ops/view/view.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Floats of all exponents from `low` to `high`, both signs if wanted, with mantissas spread out.
std::vector<float> spread(float low, float high, bool negative) {
  std::vector<float> all;
  uint32_t first = 0;
  uint32_t last = 0;
  std::memcpy(&first, &low, sizeof first);
  std::memcpy(&last, &high, sizeof last);
  const uint32_t step = (last - first) / 200000 + 1;
  for (uint32_t bits = first; bits < last; bits += step | 1u) {
    all.push_back(fromBits(bits));
    if (negative) all.push_back(-fromBits(bits));
  }
  return all;
}

/// Distance in units in the last place of the correctly rounded value.
double ulps(float got, double exact) {
  const auto rounded = static_cast<float>(exact);
  if (std::isinf(rounded) || std::isinf(got)) return got == rounded ? 0 : 1e9;
  const float size = std::fmax(std::fabs(rounded), std::numeric_limits<float>::min());
  const double ulp = static_cast<double>(std::nextafter(size, kInf)) - static_cast<double>(size);
  return std::fabs(static_cast<double>(got) - exact) / ulp;
}

struct Function {
  const char* name;
  Tensor (*run)(const Tensor&);
  double (*exact)(double);
  float low;
  float high;
  bool negative;
  double most;  // ulps
};

double exactSigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double exactGelu(double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); }
double exactElu(double x) { return x > 0 ? x : std::expm1(x); }
double exactSoftplus(double x) {
  return x > 20 ? x : std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x)));
}

const Function kFunctions[] = {
    {"exp", &exp, &std::exp, 1e-30F, 88.7F, true, 1.25},
    {"exp to subnormal", &exp, &std::exp, 87.0F, 103.0F, true, 1.25},
    {"log", &log, &std::log, 1e-45F, 3.4e38F, false, 2.0},
    {"log near 1", &log, &std::log, 0.7F, 1.45F, false, 2.0},
    {"tanh", &tanh, &std::tanh, 1e-38F, 100.0F, true, 4.0},
    {"erf", &erf, &std::erf, 1e-37F, 10.0F, true, 3.0},
    {"gelu", &gelu, &exactGelu, 1e-30F, 1.0F, true, 7.0},
    {"gelu to 6", &gelu, &exactGelu, 1.0F, 6.0F, true, 50.0},
    {"gelu to 13", &gelu, &exactGelu, 6.0F, 13.0F, true, 100.0},
    {"sigmoid", &sigmoid, &exactSigmoid, 1e-30F, 87.0F, true, 3.0},
    {"expm1", [](const Tensor& x) { return elu(x, 1.0); }, &exactElu, 1e-38F, 100.0F, true, 2.5},
    {"softplus", [](const Tensor& x) { return softplus(x); }, &exactSoftplus, 1e-30F, 80.0F, true,
     4.0},
    {"sqrt", &sqrt, &std::sqrt, 1e-38F, 3e38F, false, 0.5001},
    {"sin", &sin, &std::sin, 1e-30F, 1e6F, true, 1.0},
    {"cos", &cos, &std::cos, 1e-30F, 1e6F, true, 1.0},
};

TEST(Math, FunctionsKeepTheirErrorBounds) {
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (const Function& f : kFunctions) {
      const std::vector<float> x = spread(f.low, f.high, f.negative);
      const Tensor input = Tensor::fromValues(x, {static_cast<int64_t>(x.size())});
      const std::vector<float> y = f.run(input).toVector<float>();
      double worst = 0;
      size_t where = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        const double error = ulps(y[i], f.exact(x[i]));
        if (error > worst) worst = error, where = i;
      }
      EXPECT_LE(worst, f.most) << f.name << " " << level << ": worst at " << x[where] << " gives "
                               << y[where];
    }
  }
}

struct Special {
  const char* name;
  Tensor (*run)(const Tensor&);
  float x;
  float y;
};

const Special kSpecials[] = {
    {"exp", &exp, kInf, kInf},
    {"exp", &exp, -kInf, 0},
    {"exp", &exp, kNan, kNan},
    {"exp", &exp, 0, 1},
    {"exp", &exp, 100, kInf},
    {"exp", &exp, -200, 0},
    {"log", &log, 0, -kInf},
    {"log", &log, -1, kNan},
    {"log", &log, kInf, kInf},
    {"log", &log, kNan, kNan},
    {"log", &log, 1, 0},
    {"tanh", &tanh, kInf, 1},
    {"tanh", &tanh, -kInf, -1},
    {"tanh", &tanh, kNan, kNan},
    {"tanh", &tanh, 0, 0},
    {"erf", &erf, kInf, 1},
    {"erf", &erf, -kInf, -1},
    {"erf", &erf, kNan, kNan},
    {"gelu", &gelu, kInf, kInf},
    {"gelu", &gelu, -kInf, kNan},  // as PyTorch
    {"gelu", &gelu, kNan, kNan},
    {"gelu", &gelu, 0, 0},
    {"gelu", &gelu, 200, 200},
    {"gelu", &gelu, -200, 0},
    {"sigmoid", &sigmoid, kInf, 1},
    {"sigmoid", &sigmoid, -kInf, 0},
    {"sigmoid", &sigmoid, kNan, kNan},
    {"relu", &relu, kNan, kNan},
    {"relu", &relu, -kInf, 0},
    {"relu", &relu, kInf, kInf},
    {"sqrt", &sqrt, -1, kNan},
    {"reciprocal", &reciprocal, 0, kInf},
    {"softplus", [](const Tensor& x) { return softplus(x); }, kInf, kInf},
    {"clamp", [](const Tensor& x) { return clamp(x, -1, 1); }, kNan, kNan},
};

TEST(Math, SpecialValues) {
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (const Special& s : kSpecials) {
      const float y = s.run(Tensor::full({}, s.x)).toVector<float>()[0];
      if (std::isnan(s.y)) {
        EXPECT_TRUE(std::isnan(y)) << s.name << "(" << s.x << ") = " << y << " " << level;
      } else {
        EXPECT_EQ(y, s.y) << s.name << "(" << s.x << ") " << level;
      }
    }
  }
}

/// Against the definition, distribution + x density. It passes 0, so the error is an absolute one;
/// below -3 its digits are kept too.
TEST(Math, SlopeOfGeluKeepsItsErrorBounds) {
  const std::vector<float> values = spread(1e-30F, 13.0F, true);
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    const Tensor x = Tensor::fromValues(values, {static_cast<int64_t>(values.size())});
    autograd::setRequiresGrad(x);
    autograd::backward(gelu(x), Tensor::full(x.shape(), 1));
    const std::vector<float> slope = autograd::gradOf(x).toVector<float>();
    for (size_t i = 0; i < values.size(); ++i) {
      const double v = values[i];
      const double density = std::exp(-v * v / 2) / std::sqrt(2 * 3.14159265358979323846);
      const double exact = 0.5 * std::erfc(-v / std::sqrt(2.0)) + v * density;
      ASSERT_NEAR(static_cast<double>(slope[i]), exact, v < -3 ? 2e-5 * std::fabs(exact) : 4e-7)
          << v << " " << level;
    }
  }
}

/// The largest element of a row may pass NaN over; what is made with it must not.
TEST(Math, NanInARowReachesAllThatIsMadeOfIt) {
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (size_t where : {0, 5, 31, 32, 36}) {
      std::vector<float> row(37, 0.5F);
      row[where] = kNan;
      const Tensor x = Tensor::fromValues(row, {1, 37});
      const Tensor target = Tensor::fromValues(std::vector<int64_t>{3}, {1});
      for (const Tensor& y :
           {softmax(x, 1), logSoftmax(x, 1), logsumexp(x, {1}), crossEntropy(x, target)})
        for (float v : y.toVector<float>()) EXPECT_TRUE(std::isnan(v)) << where << " " << level;
    }
  }
}

TEST(Math, SoftmaxOfMinusInfinityIsZero) {
  std::vector<float> row(19, 1.0F);
  row[2] = row[18] = -kInf;
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    const std::vector<float> y = softmax(Tensor::fromValues(row, {1, 19}), 1).toVector<float>();
    for (size_t i = 0; i < y.size(); ++i)
      EXPECT_FLOAT_EQ(y[i], row[i] == 1.0F ? 1.0F / 17 : 0.0F) << i << " " << level;
  }
}

bool sameBits(const Tensor& a, const Tensor& b) { return a.toBytes() == b.toBytes(); }

/// Values of a row must be the same whether it stands alone, in a longer row, or strided.
TEST(Math, BitsDoNotDependOnThePlace) {
  const Tensor x =
      converted(makeInput({{1, 67}, SampleInput::Values::Uniform, -3, 3}, 5), DType::F32);
  for (const std::string& level : levels()) {
    const LevelGuard guard(level.c_str());
    for (const Function& f : kFunctions) {
      if (!f.negative) continue;
      const Tensor whole = f.run(x);
      EXPECT_TRUE(sameBits(f.run(laid(x, Lay::Sliced)), whole)) << f.name << " " << level;
      for (int64_t n : {1, 2, 7, 8, 9, 15, 16, 17, 33}) {
        const Tensor part = narrow(x, 1, 3, n);
        EXPECT_TRUE(sameBits(f.run(laid(part, Lay::Dense)), narrow(whole, 1, 3, n)))
            << f.name << " " << n << " " << level;
      }
    }
  }
}

TEST(Math, BitsDoNotDependOnThreads) {
  const Tensor x =
      converted(makeInput({{37, 5003}, SampleInput::Values::Uniform, -3, 3}, 6), DType::F32);
  const auto all = [&] {
    return std::vector<Tensor>{sum(x),
                               sum(x, {0}),
                               sum(x, {1}),
                               mean(x),
                               softmax(x, 1),
                               softmax(x, 0),
                               gelu(x),
                               add(x, x),
                               sum(transpose(x, 0, 1), {1}),
                               sumSquares(std::vector<const Tensor*>{&x})};
  };
  cpu::setThreadCount(1);
  const std::vector<Tensor> wanted = all();
  for (int threads : {2, 3, 7}) {
    cpu::setThreadCount(threads);
    const std::vector<Tensor> got = all();
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_TRUE(sameBits(got[i], wanted[i])) << "result " << i << ", " << threads << " threads";
  }
  cpu::setThreadCount(0);
}

}  // namespace
}  // namespace tenon::test
