// SPDX-License-Identifier: Apache-2.0
// The generator against its published vectors, and its distributions against what they promise.
#include "engine/base/philox.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace tenon::philox {
namespace {

constexpr bool equals(const Words& words, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return words.w[0] == a && words.w[1] == b && words.w[2] == c && words.w[3] == d;
}

// Known answers of Random123 1.14 (kat_vectors, philox4x32 10).
static_assert(equals(generate({0, 0, 0, 0}, {0, 0}), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c,
                     0x9b00dbd8));
static_assert(equals(generate({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}), 0x408f276d, 0x41c83b0e, 0xa20bc7c6,
                     0x6d5451fd));
static_assert(equals(generate({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                              {0xa4093822, 0x299f31d0}),
                     0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));

TEST(Philox, ElementsUseTheirWordOfTheirBlock) {
  Key key = makeKey(7, Purpose::Test);
  Words words = generate({5, 0, 9, 0}, key);  // block 5 of call 9
  for (uint64_t i = 0; i < 4; ++i) EXPECT_EQ(wordOf(key, 9, 20 + i), words.w[i]);
  uint64_t far = (1ULL << 40) + 2;
  EXPECT_EQ(wordOf(key, (3ULL << 32) + 1, far),
            generate({0, 1U << 6, 1, 3}, key).w[2]);  // 2^40 / 4 = 2^38 = 2^6 in the upper word
}

TEST(Philox, KeysDifferBySeedPurposeAndRank) {
  std::set<std::pair<uint32_t, uint32_t>> keys;
  for (uint64_t seed = 0; seed < 50; ++seed)
    for (uint32_t rank = 0; rank < 4; ++rank)
      for (Purpose purpose : {Purpose::Init, Purpose::Dropout, Purpose::Shuffle}) {
        Key key = makeKey(seed, purpose, rank);
        keys.emplace(key.k0, key.k1);
      }
  EXPECT_EQ(keys.size(), 50U * 4 * 3);
  EXPECT_EQ(makeKey(1, Purpose::Init), makeKey(1, Purpose::Init, 0));
  Key key = makeKey(1, Purpose::Transform);
  EXPECT_FALSE(foldIn(foldIn(key, 1), 2) == foldIn(foldIn(key, 2), 1));
}

TEST(Philox, UniformIsAMultipleOfTwoToMinus24Below1) {
  EXPECT_EQ(toUniform01(0), 0.0F);
  EXPECT_EQ(toUniform01(255), 0.0F);
  EXPECT_EQ(toUniform01(256), 1.0F / 16777216.0F);
  EXPECT_EQ(toUniform01(~0U), 16777215.0F / 16777216.0F);
  Key key = makeKey(1, Purpose::Test);
  EXPECT_EQ(uniform01(key, 2, 77), toUniform01(wordOf(key, 2, 77)));
}

TEST(Philox, UniformMomentsAndBins) {
  Key key = makeKey(3, Purpose::Test);
  constexpr int kCount = 100000;
  double sum = 0;
  double squares = 0;
  std::vector<int> bins(64);
  for (int i = 0; i < kCount; ++i) {
    double x = uniform01(key, 0, static_cast<uint64_t>(i));
    sum += x;
    squares += x * x;
    ++bins[static_cast<size_t>(x * 64)];
  }
  EXPECT_NEAR(sum / kCount, 0.5, 0.005);
  EXPECT_NEAR(squares / kCount, 1.0 / 3, 0.005);
  double chi = 0;
  for (int count : bins) chi += std::pow(count - kCount / 64.0, 2) / (kCount / 64.0);
  EXPECT_LT(chi, 120);  // 63 degrees of freedom: p = 2e-5
  EXPECT_GT(chi, 25);   // as unlikely on the other side
}

TEST(Philox, LogarithmAndTurnAgreeWithLibm) {
  for (uint64_t k = 1; k <= (1ULL << 32); k += 104729)
    ASSERT_NEAR(detail::logFraction32(k), std::log(static_cast<double>(k) / 4294967296.0), 4e-15);
  EXPECT_EQ(detail::logFraction32(1ULL << 32), 0.0);
  constexpr double kPi = 3.14159265358979323846;
  for (uint64_t k = 0; k < (1ULL << 32); k += 104729) {
    double angle = static_cast<double>(k) / 4294967296.0 * 2 * kPi;
    detail::SinCos turn = detail::sinCosTurn32(static_cast<uint32_t>(k));
    ASSERT_NEAR(turn.sin, std::sin(angle), 1e-15);
    ASSERT_NEAR(turn.cos, std::cos(angle), 1e-15);
  }
  EXPECT_EQ(detail::sinCosTurn32(0x40000000U).sin, 1.0);
  EXPECT_EQ(detail::sinCosTurn32(0x80000000U).cos, -1.0);
  EXPECT_EQ(detail::sinCosTurn32(0xC0000000U).sin, -1.0);
}

TEST(Philox, NormalPairIsBoxMuller) {
  const NormalPair kPair = toNormalPair(0x12345678U, 0x9abcdef0U);
  double r = std::sqrt(-2 * std::log((0x12345678 + 1.0) / 4294967296.0));
  double angle = 0x9abcdef0U / 4294967296.0 * 2 * 3.14159265358979323846;
  EXPECT_EQ(kPair.first, static_cast<float>(r * std::cos(angle)));
  EXPECT_EQ(kPair.second, static_cast<float>(r * std::sin(angle)));
  EXPECT_EQ(toNormalPair(~0U, 5).first, 0.0F);
  EXPECT_NEAR(toNormalPair(0, 0).first, 6.6604, 1e-3);  // the largest there is
}

TEST(Philox, NormalElementsArePairsOfABlock) {
  Key key = makeKey(11, Purpose::Init);
  Words words = wordsOfBlock(key, 4, 3);
  EXPECT_EQ(normal(key, 4, 12), toNormalPair(words.w[0], words.w[1]).first);
  EXPECT_EQ(normal(key, 4, 13), toNormalPair(words.w[0], words.w[1]).second);
  EXPECT_EQ(normal(key, 4, 14), toNormalPair(words.w[2], words.w[3]).first);
  EXPECT_EQ(normal(key, 4, 15), toNormalPair(words.w[2], words.w[3]).second);
}

TEST(Philox, NormalMoments) {
  Key key = makeKey(5, Purpose::Test);
  constexpr int kCount = 100000;
  double moments[4] = {};
  for (int i = 0; i < kCount; ++i) {
    double x = normal(key, 1, static_cast<uint64_t>(i));
    double power = 1;
    for (double& moment : moments) moment += power *= x;
  }
  EXPECT_NEAR(moments[0] / kCount, 0, 0.015);
  EXPECT_NEAR(moments[1] / kCount, 1, 0.02);
  EXPECT_NEAR(moments[2] / kCount, 0, 0.05);
  EXPECT_NEAR(moments[3] / kCount, 3, 0.15);
}

TEST(Philox, BoundedIntIsInRangeAndEven) {
  Key key = makeKey(9, Purpose::Test);
  EXPECT_EQ(boundedInt(key, 0, 0, 0), 0U);
  EXPECT_EQ(boundedInt(key, 0, 1, 1), 0U);
  std::vector<int> counts(7);
  for (uint64_t i = 0; i < 70000; ++i) ++counts.at(boundedInt(key, 0, i, 7));
  for (int count : counts) EXPECT_NEAR(count, 10000, 400);
  // A bound just above 2^63 refuses almost half of all draws, so that the further attempts are
  // used.
  uint64_t bound = (1ULL << 63) + 1;
  int upper = 0;
  for (uint64_t i = 0; i < 20000; ++i) {
    uint64_t x = boundedInt(key, 1, i, bound);
    ASSERT_LT(x, bound);
    upper += x >= bound / 2 ? 1 : 0;
  }
  EXPECT_NEAR(upper, 10000, 400);
}

TEST(Philox, PermutationHasEachOnceAndEveryOrder) {
  Key key = makeKey(1, Purpose::Shuffle);
  std::vector<int64_t> order = permutation(1000, key);
  std::vector<int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<int64_t> natural(1000);
  std::iota(natural.begin(), natural.end(), 0);
  EXPECT_EQ(sorted, natural);
  EXPECT_NE(order, natural);
  EXPECT_EQ(order, permutation(1000, key));
  EXPECT_NE(order, permutation(1000, foldIn(key, 1)));
  EXPECT_TRUE(permutation(0, key).empty());
  EXPECT_TRUE(permutation(-3, key).empty());
  std::map<std::vector<int64_t>, int> seen;
  for (uint64_t i = 0; i < 24000; ++i) ++seen[permutation(4, key, i)];
  EXPECT_EQ(seen.size(), 24U);
  for (const auto& [which, count] : seen) EXPECT_NEAR(count, 1000, 160);
}

TEST(Philox, StreamDrawsOneAfterTheOther) {
  Key key = foldIn(makeKey(1, Purpose::Transform), 42);
  Stream stream(key, 3);
  EXPECT_EQ(stream.word(), wordOf(key, 3, 0));
  EXPECT_EQ(stream.uniform01(), uniform01(key, 3, 1));
  EXPECT_EQ(stream.boundedInt(1000), boundedInt(key, 3, 1, 1000));  // the next block nobody read
  EXPECT_EQ(stream.word(), wordOf(key, 3, 8));
  Stream again(key, 3);
  float first = again.normal();
  EXPECT_EQ(first, toNormalPair(wordOf(key, 3, 0), wordOf(key, 3, 1)).first);
  for (int i = 0; i < 1000; ++i) {
    float x = again.uniform(-2, 3);
    ASSERT_GE(x, -2.0F);
    ASSERT_LE(x, 3.0F);
  }
}

}  // namespace
}  // namespace tenon::philox
