// SPDX-License-Identifier: Apache-2.0
// Types of results, integer arithmetic and conversions of 16-bit types against PyTorch:
// tests/reference/types.json, made by make_types.py.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/ops/arrange/arrange.h"
#include "engine/ops/copy/copy.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/reduce/reduce.h"
#include "engine/tensor/half.h"
#include "engine/tensor/promotion.h"
#include "tests/engine/ops/harness.h"

namespace tenon::test {
namespace {

using Json = nlohmann::json;

const Json& file() {
  static const Json kFile =
      Json::parse(std::ifstream(TENON_SOURCE_DIR "/tests/reference/types.json"));
  return kFile;
}

std::vector<Json> casesWith(const char* key) {
  std::vector<Json> found;
  for (const Json& json : file().at("cases"))
    if (json.contains(key)) found.push_back(json);
  return found;
}

/// Every type, in the order of the file.
std::vector<DType> types() {
  std::vector<DType> all;
  for (const Json& name : file().at("types")) all.push_back(dtypeFromName(name.get<std::string>()));
  return all;
}

/// PyTorch's i16 is i32 here.
DType typeNamed(const std::string& name) {
  return name == "i16" ? DType::I32 : dtypeFromName(name);
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

Tensor ones(DType dtype, bool axes) { return Tensor::full(axes ? Shape{2} : Shape{}, 1, dtype); }

TEST(TypesReference, EveryPairHasPyTorchsCommonType) {
  int pairs = 0;
  for (const Json& json : casesWith("table")) {
    if (json.at("table") != "common") continue;
    const std::string axes = json.at("axes");
    const std::vector<DType> all = types();
    for (size_t i = 0; i < all.size(); ++i) {
      const auto row = words(json.at("rows")[i]);
      ASSERT_EQ(row.size(), all.size());
      for (size_t j = 0; j < all.size(); ++j, ++pairs) {
        SCOPED_TRACE(axes + " " + std::string(dtypeName(all[i])) + " " +
                     std::string(dtypeName(all[j])));
        const Tensor a = ones(all[i], axes == "both" || axes == "first");
        const Tensor b = ones(all[j], axes == "both" || axes == "second");
        const DType wanted = typeNamed(row[j]);
        EXPECT_EQ(resultType(a, b), wanted);
        const Tensor product = mul(a, b);
        EXPECT_EQ(product.dtype(), wanted);
        EXPECT_EQ(numbersOf(product)[0], 1);
        EXPECT_EQ(maximum(a, b).dtype(), wanted);
        const Tensor same = equal(a, b);
        EXPECT_EQ(same.dtype(), DType::Bool);
        EXPECT_EQ(numbersOf(same)[0], 1);
      }
    }
  }
  EXPECT_EQ(pairs, 4 * 9 * 9);
}

TEST(TypesReference, InPlaceKeepsTheTypeOrRefuses) {
  int refused = 0;
  for (const Json& json : casesWith("table")) {
    if (json.at("table") != "written") continue;
    const std::vector<DType> all = types();
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t j = 0; j < all.size(); ++j) {
        SCOPED_TRACE(std::string(dtypeName(all[i])) + " *= " + std::string(dtypeName(all[j])));
        const Tensor a = ones(all[i], true);
        const std::string error = errorOf([&] { mulInPlace(a, ones(all[j], true)); });
        EXPECT_EQ(a.dtype(), all[i]);
        if (json.at("rows")[i].get<std::string>()[j] == '1') {
          EXPECT_EQ(error, "no error");
        } else {
          EXPECT_NE(error.find("[mul_] a is written in place and keeps its type"),
                    std::string::npos)
              << error;
          EXPECT_EQ(a.version(), 0u);
          ++refused;
        }
      }
  }
  EXPECT_EQ(refused, 4 * 4 + 8);
}

using Unary = std::function<Tensor(const Tensor&)>;

const std::map<std::string, Unary>& given() {
  static const std::map<std::string, Unary> kAll = {
      {"div", [](const Tensor& x) { return div(x, x); }},
      {"sqrt", [](const Tensor& x) { return sqrt(x); }},
      {"exp", [](const Tensor& x) { return exp(x); }},
      {"sin", [](const Tensor& x) { return sin(x); }},
      {"tanh", [](const Tensor& x) { return tanh(x); }},
      {"sigmoid", [](const Tensor& x) { return sigmoid(x); }},
      {"reciprocal", [](const Tensor& x) { return reciprocal(x); }},
      {"log1p", [](const Tensor& x) { return log1p(x); }},
      {"erf", [](const Tensor& x) { return erf(x); }},
      {"atan2", [](const Tensor& x) { return atan2(x, x); }},
      {"sum", [](const Tensor& x) { return sum(x); }},
      {"prod", [](const Tensor& x) { return prod(x); }},
      {"logsumexp", [](const Tensor& x) { return logsumexp(x); }},
      {"cumsum", [](const Tensor& x) { return cumsum(x, 0); }},
      {"amax", [](const Tensor& x) { return amax(x); }},
      {"max", [](const Tensor& x) { return maxAlong(x, 0).values; }},
      {"neg", [](const Tensor& x) { return neg(x); }},
      {"abs", [](const Tensor& x) { return abs(x); }},
      {"sub", [](const Tensor& x) { return sub(x, x); }},
      {"add", [](const Tensor& x) { return add(x, x); }},
      {"relu", [](const Tensor& x) { return relu(x); }},
      {"floor", [](const Tensor& x) { return floor(x); }},
      {"addWhole", [](const Tensor& x) { return addScalar(x, 2); }},
      {"mulWhole", [](const Tensor& x) { return mulScalar(x, 2); }},
      {"addFraction", [](const Tensor& x) { return addScalar(x, 1.5); }},
      {"clampFraction", [](const Tensor& x) { return clamp(x, 0.5, 1.5); }},
      {"powWhole", [](const Tensor& x) { return powScalar(x, 2); }},
      {"powFraction", [](const Tensor& x) { return powScalar(x, 0.5); }},
      {"addFloating", [](const Tensor& x) { return addScalar(x, 2.0); }},
      {"mulFloating", [](const Tensor& x) { return mulScalar(x, 2.0); }},
      {"powFloating", [](const Tensor& x) { return powScalar(x, 2.0); }},
      {"clampFloating", [](const Tensor& x) { return clamp(x, 0.0, 2.0); }},
      {"fmod", [](const Tensor& x) { return fmod(x, x); }},
      {"floorDivide", [](const Tensor& x) { return floorDivide(x, x); }},
      {"bitwiseAnd", [](const Tensor& x) { return bitwiseAnd(x, x); }},
      {"bitwiseNot", [](const Tensor& x) { return bitwiseNot(x); }},
      {"cat",
       [](const Tensor& x) {
         return cat({x, ones(DType::I32, true)}, 0);
       }},
      {"where", [](const Tensor& x) {
         const Tensor flags = Tensor::fromValues<uint8_t>({1, 0}, {2});
         return where(cast(flags, DType::Bool), x, ones(DType::I64, true));
       }}};
  return kAll;
}

TEST(TypesReference, ResultsHavePyTorchsTypes) {
  std::map<std::string, int> seen;
  for (const Json& json : casesWith("table")) {
    if (json.at("table") != "given") continue;
    const std::string op = json.at("op");
    ASSERT_TRUE(given().count(op)) << op;
    const auto wanted = words(json.at("types"));
    for (size_t i = 0; i < wanted.size(); ++i) {
      SCOPED_TRACE(op + " of " + std::string(dtypeName(types()[i])));
      std::string got = "-";
      const std::string error =
          errorOf([&] { got = dtypeName(given().at(op)(ones(types()[i], true)).dtype()); });
      EXPECT_EQ(got, wanted[i]) << error;
      if (wanted[i] == "-") {
        EXPECT_NE(error.find("no kernel on cpu takes"), std::string::npos) << error;
      }
      ++seen[op];
    }
  }
  EXPECT_EQ(seen.size(), given().size());
}

/// Integers exactly, whatever the type.
Tensor integers(const Json& list, DType dtype) {
  std::vector<int64_t> values;
  for (const Json& n : list) values.push_back(n.get<int64_t>());
  return cast(Tensor::fromValues(values, {static_cast<int64_t>(values.size())}), dtype);
}
std::vector<int64_t> integersOf(const Tensor& t) { return cast(t, DType::I64).toVector<int64_t>(); }

using Binary = std::function<Tensor(const Tensor&, const Tensor&)>;

const std::map<std::string, Binary>& integerFunctions() {
#define TENON_PAIR(name)                                               \
  {                                                                    \
#name, [](const Tensor& a, const Tensor& b) { return name(a, b); } \
  }
#define TENON_ONE(name, ...)                                                                 \
  {                                                                                          \
#name, [](const Tensor& x, const Tensor&) { return name(x __VA_OPT__(, ) __VA_ARGS__); } \
  }
  static const std::map<std::string, Binary> kAll = {
      TENON_PAIR(add),
      TENON_PAIR(sub),
      TENON_PAIR(mul),
      TENON_PAIR(maximum),
      TENON_PAIR(minimum),
      TENON_PAIR(fmod),
      TENON_PAIR(remainder),
      TENON_PAIR(floorDivide),
      TENON_PAIR(pow),
      TENON_PAIR(bitwiseAnd),
      TENON_PAIR(bitwiseOr),
      TENON_PAIR(bitwiseXor),
      TENON_PAIR(equal),
      TENON_PAIR(less),
      TENON_PAIR(greaterEqual),
      TENON_ONE(neg),
      TENON_ONE(abs),
      TENON_ONE(sign),
      TENON_ONE(square),
      TENON_ONE(relu),
      TENON_ONE(addScalar, -3),
      TENON_ONE(mulScalar, 5),
      TENON_ONE(powScalar, 3),
      TENON_ONE(clamp, 2, 9),
      TENON_ONE(bitwiseNot),
      TENON_ONE(round),
      TENON_ONE(logicalNot),
      TENON_ONE(sum),
      TENON_ONE(prod),
      TENON_ONE(cumsum, 0),
      TENON_ONE(amax),
      TENON_ONE(amin),
      {"max", [](const Tensor& x, const Tensor&) { return maxAlong(x, 0).values; }},
      {"min", [](const Tensor& x, const Tensor&) { return minAlong(x, 0).values; }},
      TENON_ONE(argmax, 0),
      TENON_ONE(argmin, 0)};
#undef TENON_PAIR
#undef TENON_ONE
  return kAll;
}

TEST(TypesReference, IntegersComputeAsInPyTorch) {
  std::map<std::string, int> seen;
  for (const Json& json : casesWith("integers")) {
    const DType dtype = dtypeFromName(json.at("integers").get<std::string>());
    const Tensor a = integers(json.at("a"), dtype);
    const Tensor b = integers(json.at("b"), dtype);
    for (const auto& [op, wanted] : json.at("results").items())
      for (const std::string& level : levels()) {
        SCOPED_TRACE(op + " " + std::string(dtypeName(dtype)) + " " + level);
        const LevelGuard guard(level.c_str());
        ASSERT_TRUE(integerFunctions().count(op));
        const Tensor got = integerFunctions().at(op)(a, b);
        EXPECT_EQ(dtypeName(got.dtype()), wanted.at("type").get<std::string>());
        EXPECT_EQ(integersOf(got), wanted.at("data").get<std::vector<int64_t>>());
        ++seen[op];
      }
  }
  EXPECT_EQ(seen.size(), integerFunctions().size());
}

TEST(TypesReference, InPlaceComputesInTheCommonType) {
  int seen = 0;
  for (const Json& json : casesWith("inPlace")) {
    const DType type = dtypeFromName(json.at("inPlace").get<std::string>());
    const DType with = dtypeFromName(json.at("with").get<std::string>());
    SCOPED_TRACE(std::string(dtypeName(type)) + " with " + std::string(dtypeName(with)));
    const auto numbers = [&](const char* key) { return json.at(key).get<std::vector<double>>(); };
    const auto wanted = [&](const char* key) {
      std::vector<double> all;
      for (const Json& text : json.at(key))
        all.push_back(std::strtod(text.get<std::string>().c_str(), nullptr));
      return all;
    };
    const Tensor b = fromNumbers(numbers("b"), {3}, with);
    const Tensor sum = fromNumbers(numbers("a"), {3}, type);
    const Tensor product = clone(sum);
    addInPlace(sum, b);
    mulInPlace(product, b);
    EXPECT_EQ(numbersOf(sum), wanted("add"));
    EXPECT_EQ(numbersOf(product), wanted("mul"));
    EXPECT_EQ(sum.dtype(), type);
    EXPECT_EQ(sum.version(), 1u);
    ++seen;
  }
  EXPECT_EQ(seen, 6);
}

template <class T>
std::vector<T> everyPattern() {
  std::vector<T> all(65536);
  for (uint32_t i = 0; i < 65536; ++i) all[i].bits = static_cast<uint16_t>(i);
  return all;
}

/// Patterns around the places where rounding turns, as in make_types.py.
std::vector<float> singles() {
  std::vector<float> all;
  for (uint32_t low : {0x0000, 0x0001, 0x0FFF, 0x1000, 0x1001, 0x2FFF, 0x3000, 0x3001, 0x7FFF,
                       0x8000, 0x8001, 0xFFFF})
    for (uint32_t i = 0; i < 65536; ++i) all.push_back(tenonF32OfBits((i << 16) | low));
  return all;
}

template <class T>
Tensor listOf(const std::vector<T>& values) {
  return Tensor::fromValues(values, {static_cast<int64_t>(values.size())});
}

Tensor sourceOf(const Json& json) {
  const std::string source = json.at("convert");
  if (json.at("to") == "i64") {
    std::vector<Half> finite;
    for (Half half : everyPattern<Half>())
      if (std::isfinite(static_cast<float>(half))) finite.push_back(half);
    return listOf(finite);
  }
  if (source == "f16") return listOf(everyPattern<Half>());
  if (source == "bf16") return listOf(everyPattern<BFloat16>());
  if (source == "f32") return listOf(singles());
  if (source == "f64") {
    std::vector<double> all;
    for (float x : singles()) all.push_back(static_cast<double>(x) * (1 + std::ldexp(1.0, -40)));
    return listOf(all);
  }
  std::vector<int64_t> all;
  for (int64_t i = -70000; i <= 70000; ++i) all.push_back(i);
  return listOf(all);
}

/// Sum of (bits + 1) * weight modulo 2^64; NaN counts as -1.
std::string checksum(const Tensor& t) {
  const std::vector<std::byte> bytes = t.toBytes();
  const auto width = static_cast<size_t>(dtypeBytes(t.dtype()));
  const std::vector<double> numbers = numbersOf(t);
  uint64_t sum = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, &bytes[i * width], width);
    if (std::isnan(numbers[i])) bits = ~uint64_t{0};
    sum += (bits + 1) * (2 * i + 0x9E3779B1u);
  }
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(sum));
  return text;
}

TEST(TypesReference, ConversionsOfEveryPatternHavePyTorchsBits) {
  int seen = 0;
  for (const Json& json : casesWith("convert")) {
    const Tensor source = sourceOf(json);
    const DType to = dtypeFromName(json.at("to").get<std::string>());
    for (const std::string& level : levels()) {
      const LevelGuard guard(level.c_str());
      EXPECT_EQ(checksum(cast(source, to)), json.at("sum").get<std::string>())
          << json.dump() << " " << level;
    }
    ++seen;
  }
  EXPECT_EQ(seen, 15);
}

}  // namespace
}  // namespace tenon::test
