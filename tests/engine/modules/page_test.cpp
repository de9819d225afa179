// SPDX-License-Identifier: Apache-2.0
// docs/engine.md shows exactly the program that is compiled and run as a test.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tenon {
namespace {

std::string contentOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(std::string(TENON_SOURCE_DIR) + "/" + path).rdbuf();
  return text.str();
}

/// The first block of C++ on a page.
std::string firstProgramOf(const std::string& page) {
  const std::string begin = "```cpp\n";
  const size_t from = page.find(begin);
  if (from == std::string::npos) return "";
  const size_t start = from + begin.size();
  return page.substr(start, page.find("```", start) - start);
}

TEST(EnginePage, ShowsTheProgramThatIsTested) {
  const std::string program = contentOf("tests/engine/embedding_example.cpp");
  EXPECT_NE(program.find("int main()"), std::string::npos);
  EXPECT_EQ(firstProgramOf(contentOf("docs/engine.md")), program);
}

TEST(EnginePage, TheProgramIsShort) {
  std::istringstream program(contentOf("tests/engine/embedding_example.cpp"));
  int lines = 0;
  for (std::string line; std::getline(program, line);)
    lines += !line.empty() && !line.starts_with("//");
  EXPECT_LE(lines, 40);
}

}  // namespace
}  // namespace tenon
