// SPDX-License-Identifier: Apache-2.0
// Comments, literals and include lines told apart; functions found and counted.
#include "tests/architecture/source_text.h"

#include <gtest/gtest.h>

#include "tests/architecture/function_lengths.h"

namespace tenon::architecture {
namespace {

TEST(SourceText, BlanksCommentsAndKeepsLines) {
  EXPECT_EQ(withoutComments("a // b\nc"), "a     \nc");
  EXPECT_EQ(withoutComments("a /* b\nc */ d"), "a     \n     d");
  EXPECT_EQ(withoutComments("\"// no\" '\"' x"), "\"// no\" '\"' x");
  EXPECT_EQ(withoutComments("1'000 // x"), "1'000     ");
  EXPECT_EQ(withoutComments("R\"x(\")\" // in)x\"; // out"), "R\"x(\")\" // in)x\";       ");
}

TEST(SourceText, EmptiesLiteralsAndDirectives) {
  EXPECT_EQ(codeOnly("f(\"{\\\"\", '{');"), "f(\"   \", ' ');");
  EXPECT_EQ(codeOnly("#define A \\\n  {\nx"), std::string(11, ' ') + "\n   \nx");
}

TEST(SourceText, FindsIncludes) {
  std::vector<Include> found = includesOf(
      "#include <vector>\n// #include \"no.h\"\n/*\n#include \"no.h\"\n*/\n  #  include \"a/b.h\" "
      "// x\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].target, "vector");
  EXPECT_FALSE(found[0].quoted);
  EXPECT_EQ(found[1].target, "a/b.h");
  EXPECT_TRUE(found[1].quoted);
  EXPECT_EQ(found[1].line, 6);
}

TEST(SourceText, CountsLinesAndColumns) {
  EXPECT_EQ(linesOf("").size(), 0U);
  EXPECT_EQ(linesOf("a\n").size(), 1U);
  EXPECT_EQ(linesOf("a\nb").size(), 2U);
  EXPECT_EQ(columnsOf("N×64"), 4);
}

/// "name:line:length" of every function, joined by blanks.
std::string lengths(std::string_view text) {
  std::string out;
  for (const FunctionLength& function : functionLengths(text))
    out += (out.empty() ? "" : " ") + function.name.substr(0, function.name.find('(')) + ":" +
           std::to_string(function.firstLine) + ":" + std::to_string(function.length);
  return out;
}

TEST(FunctionLengths, PlainFunctionsAndMethods) {
  EXPECT_EQ(lengths("int f() { return 1; }\n"), "int f:1:1");
  EXPECT_EQ(lengths("namespace a {\nint f(int x,\n      int y) {\n  return x;\n}\n}\n"),
            "int f:2:4");
  EXPECT_EQ(lengths("class A : public B {\n public:\n  int g() const {\n    return 1;\n  }\n};\n"),
            "int g:3:3");
  EXPECT_EQ(lengths("template <class T = int>\nT f() {\n}\n"), "T f:1:3");
  EXPECT_EQ(lengths("extern \"C\" {\nint f() {\n}\n}\nextern \"C\" int g() {\n}\n"),
            "int f:2:2 extern \" \" int g:5:2");
  EXPECT_EQ(lengths("bool A::operator==(A b) const {\n}\nT& A::operator[](int i) {\n}\n"),
            "bool A::operator==:1:2 T& A::operator[]:3:2");
}

TEST(FunctionLengths, TypesBeforeTheirMembers) {
  EXPECT_EQ(
      lengths(
          "class A {\n  Q_OBJECT\n public Q_SLOTS:\n  [[nodiscard]] static int g() {\n  }\n};\n"),
      "int g:4:2");
  EXPECT_EQ(lengths("static const struct { int x; } kAll[] = {\n  {1},\n};\nint f() {\n}\n"),
            "int f:4:2");
  EXPECT_EQ(lengths("auto f(const A& a) {\n  struct B {\n    int g() {\n    }\n  };\n}\n"),
            "int g:3:2 auto f:1:6");
}

TEST(FunctionLengths, ConstructorsWithInitializers) {
  EXPECT_EQ(lengths("A::A(int x)\n    : x_(x), y_{x}, z_{1, 2} {\n  f();\n}\n"), "A::A:1:4");
  EXPECT_EQ(lengths("A::A() : B<int>{1} {}\nauto f() -> A::B {\n}\n"), "A::A:1:1 auto f:2:2");
}

TEST(FunctionLengths, ControlFlowStaysInside) {
  EXPECT_EQ(
      lengths("void f() {\n  for (int i = 0; i < 3; ++i) {\n    if (i) {\n    } else {\n    }\n"
              "  }\n  switch (x) {\n    case 1: {\n    }\n  }\n}\n"),
      "void f:1:11");
}

TEST(FunctionLengths, LambdasCountAlsoThemselves) {
  EXPECT_EQ(lengths("void f() {\n  g([&](int i) {\n    h(i);\n  });\n}\n"),
            "lambda:2:3 void f:1:5");
  EXPECT_EQ(lengths("void f() {\n  auto x = [] {\n  };\n  return a[i];\n}\n"),
            "lambda:2:2 void f:1:5");
  EXPECT_EQ(lengths("const R r([](int a[3]) -> int {\n  return 1;\n});\n"), "lambda:1:3");
}

TEST(FunctionLengths, TablesDoNotCount) {
  EXPECT_EQ(lengths("void f() {\n  int a[] = {\n    1,\n    2,\n  };\n}\n"), "void f:1:3");
  EXPECT_EQ(lengths("const T kAll[] = {\n  {1, g(2)},\n  {2, g(3)},\n};\n"), "");
  EXPECT_EQ(
      lengths("List f() {\n  return {\n    {1, [](int x) {\n      return x;\n    }},\n  };\n}\n"),
      "lambda:3:3 List f:1:3");
  EXPECT_EQ(lengths("enum class E : int {\n  A,\n};\nstruct S { int x{3}; };\n"), "");
}

}  // namespace
}  // namespace tenon::architecture
