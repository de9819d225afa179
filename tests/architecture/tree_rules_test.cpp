// SPDX-License-Identifier: Apache-2.0
// Planted violations are found, clean files pass, and the project's own tree keeps its rules.
#include "tests/architecture/tree_rules.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace tenon::architecture {
namespace {

const char* const kTable = R"(
| room | may use |
|---|---|
| `engine/base` | |
| `engine/tensor` | `engine/base` |
| `ui/plot` | |

| outside header | sources of | headers of |
|---|---|---|
| `Q` | `ui` | `ui` |
)";

const std::string kHead = "// SPDX-License-Identifier: Apache-2.0\n// Says what it is for.\n";

std::string joined(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& finding : findings) out += findingLine(finding) + "\n";
  return out;
}

std::string includes(const std::string& path, const std::string& text) {
  return joined(checkIncludes(RoomTable::parse(kTable), path, text));
}

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Includes, AllowedOnesPass) {
  EXPECT_EQ(
      includes("engine/tensor/a.cpp",
               "#include \"engine/tensor/a.h\"\n#include <vector>\n#include \"engine/base/b.h\"\n"),
      "");
  EXPECT_EQ(includes("ui/plot/a.cpp", "#include <QWidget>\n#include \"a.moc\"\n"), "");
}

TEST(Includes, PlantedViolationsAreFound) {
  EXPECT_EQ(
      includes("engine/base/a.cpp", "\n#include \"engine/tensor/a.h\"\n"),
      "engine/base/a.cpp:2: room 'engine/base' may not use 'engine/tensor' (engine/tensor/a.h)\n");
  EXPECT_EQ(includes("ui/plot/a.cpp", "#include \"engine/base/b.h\"\n"),
            "ui/plot/a.cpp:1: room 'ui/plot' may not use 'engine/base' (engine/base/b.h)\n");
  EXPECT_EQ(includes("engine/base/a.h", "#include <QString>\n"),
            "engine/base/a.h:1: may not include QString (table of outside headers)\n");
  EXPECT_EQ(includes("engine/misc/a.h", ""),
            "engine/misc/a.h:1: is in no room; name its folder in docs/architecture.md\n");
  EXPECT_EQ(includes("engine/base/a.h", "#include \"engine/misc/a.h\"\n"),
            "engine/base/a.h:1: includes engine/misc/a.h, which is in no room\n");
  EXPECT_EQ(includes("engine/base/a.cpp", "#include \"b.h\"\n"),
            "engine/base/a.cpp:1: include \"b.h\" by its path from the project's root\n");
  EXPECT_EQ(includes("engine/base/a.cpp", "#include <engine/base/b.h>\n"),
            "engine/base/a.cpp:1: include \"engine/base/b.h\" with quotes\n");
}

TEST(FirstLines, LicenceOfTheFolderAndPurpose) {
  EXPECT_EQ(joined(checkFirstLines("engine/base/a.h", kHead)), "");
  EXPECT_EQ(joined(checkFirstLines("tests/support/a.h", kHead)), "");
  EXPECT_EQ(joined(checkFirstLines(
                "engine/backend/api/a.h",
                "/* SPDX-License-Identifier: Apache-2.0 */\n/* Says what\n * it is for. */\n")),
            "");
  EXPECT_EQ(checkFirstLines("engine/base/a.h", kHead.substr(0, kHead.find('\n')) + "\n//\n").size(),
            1U);
  std::string wrong = joined(checkFirstLines("ui/plot/a.h", kHead));
  EXPECT_NE(wrong.find("ui/plot/a.h:1: wants the first line"), std::string::npos);
  EXPECT_NE(wrong.find("GPL-3.0-or-later"), std::string::npos);
  EXPECT_EQ(checkFirstLines("engine/base/a.h", "#pragma once\n").size(), 2U);
  EXPECT_EQ(checkFirstLines("tests/support/a.h", "// SPDX-License-Identifier: MIT\n// x\n").size(),
            1U);
  EXPECT_EQ(checkFirstLines("engine/base/a.h", "").size(), 2U);
}

TEST(Lengths, LimitsHoldOnBothSides) {
  EXPECT_EQ(joined(checkLengths("a.cpp", repeated("\n", 500))), "");
  EXPECT_EQ(joined(checkLengths("a.cpp", repeated("\n", 501))),
            "a.cpp:501: 501 lines, at most 500\n");
  EXPECT_EQ(joined(checkLengths("a.cpp", repeated("×", 100) + "\n")), "");
  EXPECT_EQ(joined(checkLengths("a.cpp", "\n" + repeated("x", 101))),
            "a.cpp:2: 101 columns, at most 100\n");
  std::string longest = "void f() {\n" + repeated("  g();\n", 58) + "}\n";
  EXPECT_EQ(joined(checkLengths("a.cpp", longest)), "");
  std::string tooLong = "void f() {\n" + repeated("  g();\n", 59) + "}\n";
  EXPECT_EQ(joined(checkLengths("a.cpp", tooLong)),
            "a.cpp:1: 'void f()' has 61 lines, at most 60\n");
  EXPECT_EQ(joined(checkLengths("a_cpu.cpp", tooLong)), "");
  EXPECT_EQ(checkLengths("a.cu", "void f() {\n" + repeated("  g();\n", 79) + "}\n").size(), 1U);
}

TEST(Circles, OfIncludesAreFound) {
  Tree tree = {{"engine/a.h", "#include \"engine/b.h\"\n"},
               {"engine/b.h", "#include <vector>\n#include \"engine/c.h\"\n"},
               {"engine/c.h", "#include \"engine/a.h\"\n"},
               {"engine/d.h", "#include \"engine/a.h\"\n"}};
  EXPECT_EQ(
      joined(checkCircles(tree)),
      "engine/c.h:1: circle of includes: engine/a.h -> engine/b.h -> engine/c.h -> engine/a.h\n");
  tree["engine/c.h"] = "";
  EXPECT_EQ(joined(checkCircles(tree)), "");
}

TEST(CheckTree, AppliesEveryRule) {
  Tree tree = {{"engine/base/a.h", kHead}, {"engine/base/b.h", "#include <QString>\n"}};
  EXPECT_EQ(checkTree(RoomTable::parse(kTable), tree).size(), 3U);
}

/// Names in backticks between two texts of the page.
std::set<std::string> namesBetween(const std::string& page, const char* from, const char* to) {
  const size_t begin = page.find(from);
  const size_t end = page.find(to, begin);
  std::set<std::string> names;
  if (begin == std::string::npos || end == std::string::npos) return names;
  for (size_t at = page.find('`', begin); at < end; at = page.find('`', at + 1)) {
    const size_t close = page.find('`', at + 1);
    names.insert(page.substr(at + 1, close - at - 1));
    at = close;
  }
  return names;
}

TEST(Project, RoomsWithoutAFolderAreCalledPlanned) {
  const std::filesystem::path root = TENON_SOURCE_DIR;
  std::ostringstream text;
  text << std::ifstream(root / "docs/architecture.md").rdbuf();
  const std::set<std::string> planned = namesBetween(text.str(), "Planned rooms: ", "Their lines");
  std::set<std::string> missing;
  const RoomTable table = RoomTable::parse(text.str());
  for (const auto& [name, room] : table.rooms())
    if (name.find('*') == std::string::npos && !std::filesystem::exists(root / name))
      missing.insert(name);
  EXPECT_EQ(missing, planned);
}

TEST(Project, KeepsItsRules) {
  Tree tree = readTree(TENON_SOURCE_DIR);
  EXPECT_NE(tree.find("engine/base/error.h"), tree.end());
  EXPECT_NE(tree.find("tests/architecture/tree_rules_test.cpp"), tree.end());
  EXPECT_EQ(joined(checkProject(TENON_SOURCE_DIR)), "");
}

}  // namespace
}  // namespace tenon::architecture
