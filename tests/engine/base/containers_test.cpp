// SPDX-License-Identifier: Apache-2.0
// SmallVector against what std::vector does, and Ref against its counts.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/intrusive_ptr.h"
#include "engine/base/small_vector.h"

namespace tenon {
namespace {

using Texts = SmallVector<std::string, 3>;

std::vector<std::string> listOf(const Texts& texts) { return {texts.begin(), texts.end()}; }

std::string longText(int i) {
  return "a text that does not fit inside a string object " + std::to_string(i);
}

TEST(SmallVector, StaysInlineUpToNAndSpillsAfterwards) {
  Texts texts;
  for (int i = 0; i < 3; ++i) texts.push_back(longText(i));
  EXPECT_TRUE(texts.isInline());
  texts.push_back(longText(3));
  EXPECT_FALSE(texts.isInline());
  EXPECT_EQ(texts.size(), 4U);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(texts[static_cast<size_t>(i)], longText(i));
}

TEST(SmallVector, PushingAnOwnElementWhileGrowing) {
  Texts texts{longText(0), longText(1), longText(2)};
  texts.push_back(texts[0]);
  EXPECT_EQ(listOf(texts), (std::vector{longText(0), longText(1), longText(2), longText(0)}));
  texts.assign(5, texts[1]);
  EXPECT_EQ(listOf(texts), std::vector(5, longText(1)));
  texts.resize(7, texts[0]);
  EXPECT_EQ(listOf(texts), std::vector(7, longText(1)));
}

TEST(SmallVector, CopiesAndMovesForInlineAndHeap) {
  for (int count : {0, 2, 3, 9}) {
    Texts source;
    for (int i = 0; i < count; ++i) source.push_back(longText(i));
    std::vector<std::string> wanted = listOf(source);
    Texts copy(source);
    EXPECT_EQ(listOf(copy), wanted);
    Texts assigned{longText(7), longText(8), longText(9), longText(10)};
    assigned = source;
    EXPECT_EQ(assigned, source);
    const std::string* heap = source.isInline() ? nullptr : source.data();
    Texts moved(std::move(source));
    EXPECT_EQ(listOf(moved), wanted);
    EXPECT_TRUE(source.empty());  // NOLINT(bugprone-use-after-move): documented
    EXPECT_TRUE(heap == nullptr || moved.data() == heap);
    assigned = std::move(moved);
    EXPECT_EQ(listOf(assigned), wanted);
    source.push_back("still usable");
    EXPECT_EQ(source.back(), "still usable");
  }
}

TEST(SmallVector, SelfAssignmentKeepsElements) {
  Texts texts{longText(0), longText(1)};
  Texts& same = texts;
  texts = same;
  texts = std::move(same);
  EXPECT_EQ(listOf(texts), (std::vector{longText(0), longText(1)}));
}

TEST(SmallVector, InsertEraseResizeClear) {
  SmallVector<int, 4> numbers{1, 2, 3};
  EXPECT_EQ(*numbers.insert(numbers.begin() + 1, 9), 9);
  EXPECT_EQ(numbers, (SmallVector<int, 4>{1, 9, 2, 3}));
  numbers.insert(numbers.end(), 4);
  EXPECT_EQ(*numbers.erase(numbers.begin()), 9);
  EXPECT_EQ(numbers, (SmallVector<int, 4>{9, 2, 3, 4}));
  numbers.erase(numbers.begin() + 1, numbers.end());
  EXPECT_EQ(numbers, (SmallVector<int, 4>{9}));
  numbers.resize(3);
  EXPECT_EQ(numbers, (SmallVector<int, 4>{9, 0, 0}));
  numbers.pop_back();
  EXPECT_EQ(numbers.size(), 2U);
  numbers.clear();
  EXPECT_TRUE(numbers.empty());
  EXPECT_FALSE(numbers == (SmallVector<int, 4>{1}));
}

TEST(SmallVector, ConvertsToSpansAndIterates) {
  SmallVector<int64_t, 8> shape{2, 3, 4};
  std::span<const int64_t> view = shape;
  EXPECT_EQ(std::accumulate(view.begin(), view.end(), int64_t{0}), 9);
  std::span<int64_t> writable = shape;
  writable[0] = 5;
  EXPECT_EQ(shape.front(), 5);
  EXPECT_EQ(*shape.rbegin(), 4);
  EXPECT_EQ((SmallVector<int64_t, 8>(view)), shape);
}

TEST(SmallVector, HoldsMoveOnlyTypesAndDestroysEachOnce) {
  auto counter = std::make_shared<int>(0);
  {
    SmallVector<std::shared_ptr<int>, 2> held;
    for (int i = 0; i < 10; ++i) held.push_back(counter);
    held.erase(held.begin() + 2, held.begin() + 5);
    EXPECT_EQ(counter.use_count(), 8);
    SmallVector<std::shared_ptr<int>, 2> other = std::move(held);
    EXPECT_EQ(counter.use_count(), 8);
  }
  EXPECT_EQ(counter.use_count(), 1);
  SmallVector<std::unique_ptr<int>, 1> owners;
  for (int i = 0; i < 5; ++i) owners.emplace_back(std::make_unique<int>(i));
  EXPECT_EQ(*owners[4], 4);
}

struct Counted : RefCounted {
  explicit Counted(int* deaths) : deaths(deaths) {}
  virtual ~Counted() { ++*deaths; }
  int* deaths;
};
struct Special : Counted {
  using Counted::Counted;
  ~Special() override { *deaths += 100; }
};

TEST(Ref, CountsAndDestroysOnce) {
  int deaths = 0;
  {
    Ref<Counted> a = make<Counted>(&deaths);
    EXPECT_EQ(a.useCount(), 1);
    Ref<Counted> b = a;
    EXPECT_EQ(a.useCount(), 2);
    EXPECT_TRUE(a == b);
    Ref<Counted> c = std::move(b);
    EXPECT_EQ(a.useCount(), 2);
    EXPECT_TRUE(b == nullptr);  // NOLINT(bugprone-use-after-move): documented
    EXPECT_EQ(b.useCount(), 0);
    c.reset();
    EXPECT_EQ(a.useCount(), 1);
    a = *&a;
    EXPECT_EQ(deaths, 0);
  }
  EXPECT_EQ(deaths, 1);
}

TEST(Ref, ReleaseAdoptAndShare) {
  int deaths = 0;
  Counted* raw = make<Counted>(&deaths).release();
  EXPECT_EQ(deaths, 0);
  Ref<Counted> back = Ref<Counted>::adopt(raw);
  EXPECT_EQ(back.useCount(), 1);
  Ref<Counted> shared = Ref<Counted>::share(raw);
  EXPECT_EQ(back.useCount(), 2);
  EXPECT_EQ(shared.get(), raw);
  back = nullptr;
  shared = nullptr;
  EXPECT_EQ(deaths, 1);
}

TEST(Ref, ConvertsToABase) {
  int deaths = 0;
  Ref<const Counted> base = make<Special>(&deaths);
  Ref<Special> special = make<Special>(&deaths);
  base = special;
  EXPECT_EQ(deaths, 101);
  EXPECT_EQ(special.useCount(), 2);
  base = nullptr;
  special = nullptr;
  EXPECT_EQ(deaths, 202);
}

struct Pooled : RefCounted {
  static void destroy(const Pooled* object) { ++*object->returned; }
  int* returned = nullptr;
};

TEST(Ref, UsesTheTypesOwnDestroy) {
  int returned = 0;
  Pooled inPlace;  // would crash if it were deleted
  inPlace.returned = &returned;
  { Ref<Pooled> ref = Ref<Pooled>::adopt(&inPlace); }
  EXPECT_EQ(returned, 1);
}

TEST(Ref, CountIsExactUnderThreads) {
  int deaths = 0;
  Ref<Counted> shared = make<Counted>(&deaths);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([shared] {
      for (int i = 0; i < 20000; ++i) Ref<Counted> copy = shared;
    });
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  EXPECT_EQ(shared.useCount(), 1);
  shared.reset();
  EXPECT_EQ(deaths, 1);
}

TEST(Ref, ACopiedObjectStartsWithItsOwnCount) {
  int deaths = 0;
  Ref<Counted> first = make<Counted>(&deaths);
  Ref<Counted> keep = first;
  Ref<Counted> copy = make<Counted>(*first);
  EXPECT_EQ(copy.useCount(), 1);
  EXPECT_EQ(first.useCount(), 2);
}

}  // namespace
}  // namespace tenon
