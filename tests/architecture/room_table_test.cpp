// SPDX-License-Identifier: Apache-2.0
// The room table: reading, closure, patterns, and every way in which it may be wrong.
#include "tests/architecture/room_table.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tenon::architecture {
namespace {

const char* const kTable = R"(
Prose with a | bar.
| room | may use | never |
|---|---|---|
| `e/base`, `e/api` | nothing | |
| `e/tensor` | `e/base` and so on | |
| `e/ops/gate` | `e/tensor` | |
| `e/ops` | `e/ops/gate` | |
| `e/ops/*_cpu.cpp` | `./`, `e/api` | |
| `u/session` | `e` | |
| `u/panels` | `u/session` | |
| `u/panels/*` | `u/panels` | `e/ops` |

| outside header | sources of | headers of |
|---|---|---|
| `Q` | `u` | `u` |
| `json`, `Qjson` | `e`, `u` | |
)";

std::string messageOf(const char* rows) {
  try {
    RoomTable::parse(std::string("| room | may use |\n|---|---|\n") + rows);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Matches, FoldersAndPatterns) {
  EXPECT_TRUE(matches("e/base", "e/base"));
  EXPECT_TRUE(matches("e/base", "e/base/a.h"));
  EXPECT_FALSE(matches("e/base", "e/baseline/a.h"));
  EXPECT_FALSE(matches("e/base", "e"));
  EXPECT_TRUE(matches("e/*_cpu.cpp", "e/a/b_cpu.cpp"));
  EXPECT_FALSE(matches("e/*_cpu.cpp", "e/a/b.cpp"));
  EXPECT_FALSE(matches("e/*_cpu.cpp", "x/b_cpu.cpp"));
  EXPECT_TRUE(matches("u/*", "u/a/b.h"));
  EXPECT_FALSE(matches("u/*", "u/b.h"));
}

TEST(RoomTable, FindsTheRoomOfAFile) {
  RoomTable table = RoomTable::parse(kTable);
  EXPECT_EQ(table.rooms().size(), 9U);
  EXPECT_EQ(table.roomOf("e/ops/conv/conv.cpp")->name, "e/ops");
  EXPECT_EQ(table.roomOf("e/ops/gate/gate.cpp")->name, "e/ops/gate");
  EXPECT_EQ(table.roomOf("e/ops/gate/x_cpu.cpp")->name, "e/ops/*_cpu.cpp");
  EXPECT_EQ(table.roomOf("u/panels/panel.h")->name, "u/panels");
  EXPECT_EQ(table.roomOf("u/panels/a/panel.h")->name, "u/panels/*");
  EXPECT_EQ(table.roomOf("e/unknown/a.h"), nullptr);
}

TEST(RoomTable, AllowsTheClosureAndNothingElse) {
  RoomTable table = RoomTable::parse(kTable);
  EXPECT_TRUE(table.mayInclude("e/tensor/a.h", "e/tensor/b.h"));
  EXPECT_TRUE(table.mayInclude("e/ops/conv/a.h", "e/ops/matmul/b.h"));
  EXPECT_TRUE(table.mayInclude("e/ops/conv/a.h", "e/base/b.h"));  // gate -> tensor -> base
  EXPECT_FALSE(table.mayInclude("e/base/a.h", "e/tensor/b.h"));
  EXPECT_FALSE(table.mayInclude("e/tensor/a.h", "e/api/b.h"));
  EXPECT_TRUE(table.mayInclude("u/session/a.h", "e/api/b.h"));  // `e` is every room below it
  EXPECT_FALSE(table.mayInclude("e/unknown/a.h", "e/base/b.h"));
  EXPECT_FALSE(table.mayInclude("e/base/a.h", "e/unknown/b.h"));
}

TEST(RoomTable, KernelsSeeTheirOwnFolderAndTheirLine) {
  RoomTable table = RoomTable::parse(kTable);
  EXPECT_TRUE(table.mayInclude("e/ops/conv/conv_cpu.cpp", "e/ops/conv/conv.h"));
  EXPECT_TRUE(table.mayInclude("e/ops/conv/conv_cpu.cpp", "e/api/a.h"));
  EXPECT_FALSE(table.mayInclude("e/ops/conv/conv_cpu.cpp", "e/ops/matmul/matmul.h"));
  EXPECT_FALSE(table.mayInclude("e/ops/conv/conv_cpu.cpp", "e/ops/gate/gate.h"));
}

TEST(RoomTable, NeighboursStayApartAndNeverHolds) {
  RoomTable table = RoomTable::parse(kTable);
  EXPECT_TRUE(table.mayInclude("u/panels/a/x.h", "u/panels/a/y.h"));
  EXPECT_TRUE(table.mayInclude("u/panels/a/x.h", "u/panels/panel.h"));
  EXPECT_FALSE(table.mayInclude("u/panels/a/x.h", "u/panels/b/y.h"));
  EXPECT_FALSE(table.mayInclude("u/panels/panel.h", "u/panels/b/y.h"));
  EXPECT_TRUE(table.mayInclude("u/panels/a/x.h", "e/tensor/y.h"));
  EXPECT_FALSE(table.mayInclude("u/panels/a/x.h", "e/ops/conv/conv.h"));
  EXPECT_FALSE(table.mayInclude("u/panels/a/x.h", "e/ops/gate/gate.h"));
}

TEST(RoomTable, OutsideHeaders) {
  RoomTable table = RoomTable::parse(kTable);
  EXPECT_TRUE(table.mayIncludeOutside("u/session/a.h", "QWidget"));
  EXPECT_FALSE(table.mayIncludeOutside("e/base/a.cpp", "QWidget"));
  EXPECT_TRUE(table.mayIncludeOutside("e/base/a.cpp", "json.hpp"));
  EXPECT_FALSE(table.mayIncludeOutside("e/base/a.h", "json.hpp"));
  EXPECT_TRUE(table.mayIncludeOutside("e/base/a.cpp", "Qjson"));  // the longer beginning counts
  EXPECT_TRUE(table.mayIncludeOutside("e/base/a.h", "vector"));
}

TEST(RoomTable, RefusesWhatIsWrong) {
  EXPECT_EQ(messageOf("| `a` | `b` |\n| `b` | `c` |\n| `c` | `a` |\n"),
            "the rooms form a circle: a -> b -> c -> a");
  EXPECT_EQ(messageOf("| `a` | `nowhere` |\n"), "'nowhere' in the table is no room");
  EXPECT_EQ(messageOf("| `a` | |\n| `a` | |\n"), "room 'a' stands twice in the table");
  EXPECT_EQ(messageOf(""), "no table '| room | may use |' found");
}

}  // namespace
}  // namespace tenon::architecture
