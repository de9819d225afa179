// SPDX-License-Identifier: Apache-2.0
// Interned names and the thread's scope.
#include "engine/memory/scope.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "engine/memory/allocator.h"

namespace tenon::memory {
namespace {

TEST(Scope, the_same_text_gives_the_same_number) {
  EXPECT_EQ(internName(""), 0u);
  EXPECT_EQ(nameText(0), "");
  std::string text = "block.3.attention";
  const NameId id = internName(text);
  EXPECT_NE(id, 0u);
  text[0] = 'B';  // the table keeps its own copy
  EXPECT_EQ(nameText(id), "block.3.attention");
  EXPECT_EQ(internName("block.3.attention"), id);
  EXPECT_NE(internName(text), id);
  EXPECT_EQ(nameText(UINT32_MAX), "") << "unknown numbers have no text";
}

TEST(Scope, many_threads_intern_and_read_at_once) {
  constexpr int kNames = 3000;  // more than one chunk of the table
  std::vector<std::vector<NameId>> ids(4);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : ids)
      threads.emplace_back([&mine] {
        for (int i = 0; i < kNames; ++i) {
          mine.push_back(internName("layer " + std::to_string(i)));
          ASSERT_EQ(nameText(mine[static_cast<size_t>(i / 2)]), "layer " + std::to_string(i / 2));
        }
      });
  }
  for (const auto& other : ids) EXPECT_EQ(other, ids[0]);
}

TEST(Scope, guard_puts_the_old_scope_back_and_threads_have_their_own) {
  EXPECT_EQ(currentScope().step, -1);
  {
    ScopeGuard outer({.layer = 1, .phase = Phase::Forward, .step = 4});
    {
      ScopeGuard inner({.layer = 2, .phase = Phase::Backward, .step = 5});
      EXPECT_EQ(currentScope().layer, 2u);
      std::jthread([] { EXPECT_EQ(currentScope().layer, 0u); });
    }
    EXPECT_EQ(currentScope().layer, 1u);
    EXPECT_EQ(currentScope().phase, Phase::Forward);
    EXPECT_EQ(currentScope().step, 4);
  }
  EXPECT_EQ(currentScope().layer, 0u);
  EXPECT_EQ(currentScope().phase, Phase::None);
}

TEST(Scope, phases_and_categories_have_names) {
  EXPECT_EQ(phaseName(Phase::None), "none");
  EXPECT_EQ(phaseName(Phase::Backward), "backward");
  EXPECT_EQ(phaseName(Phase::Inspect), "inspect");
  EXPECT_EQ(categoryName(Category::Temporary), "temporary");
  EXPECT_EQ(categoryName(Category::OptimizerState), "optimizer state");
  EXPECT_EQ(categoryName(Category::Buffer), "buffer");
}

}  // namespace
}  // namespace tenon::memory
