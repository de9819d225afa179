// SPDX-License-Identifier: Apache-2.0
// JSON: every way a text can be wrong with its line and column, and writing that is stable.
#include "engine/schema/json.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

namespace tenon {
namespace {

std::string faultOf(std::string_view text, const JsonLimits& limits = {}) {
  JsonResult result = readJson(text, "", limits);
  if (result.ok()) return "no fault";
  EXPECT_EQ(result.issues.size(), 1U);
  EXPECT_TRUE(result.value.isNull());
  const Issue& issue = result.issues[0];
  EXPECT_EQ(issue.code, "json.syntax");
  return std::to_string(issue.place.line) + ":" + std::to_string(issue.place.column) + " " +
         issueText(issue);
}

struct Fault {
  const char* text;
  const char* wanted;
};

class JsonFaults : public testing::TestWithParam<Fault> {};

TEST_P(JsonFaults, NamesPlaceAndCause) { EXPECT_EQ(faultOf(GetParam().text), GetParam().wanted); }

INSTANTIATE_TEST_SUITE_P(
    Structure, JsonFaults,
    testing::Values(Fault{"", "1:1 expected a value, got the end of the file"},
                    Fault{"  \n ", "2:2 expected a value, got the end of the file"},
                    Fault{"{} x", "1:4 expected the end of the file, got 'x'"},
                    Fault{"[1 2]", "1:4 expected ',' or ']', got '2'"},
                    Fault{"[1, 2", "1:6 expected ',' or ']', got the end of the file"},
                    Fault{"[1,]", "1:4 expected another item after ',', got ']'"},
                    Fault{"[,1]", "1:2 expected a value, got ','"},
                    Fault{"{\"a\": 1,\n}", "2:1 expected another item after ',', got '}'"},
                    Fault{"{\"a\": 1\n \"b\": 2}", "2:2 expected ',' or '}', got '\"'"},
                    Fault{"{\"a\" 1}", "1:6 expected ':' after \"a\", got '1'"},
                    Fault{"{\"a\"", "1:5 expected ':' after \"a\", got the end of the file"},
                    Fault{"{a: 1}", "1:2 expected a name in double quotes, got 'a'"},
                    Fault{"{\"a\": }", "1:7 expected a value, got '}'"},
                    Fault{"{\n  \"a\": 1,\n  \"b\": 2,\n  \"a\": 3\n}",
                          "4:3 \"a\" stands here a second time; the first is in line 2"},
                    Fault{"]", "1:1 expected a value, got ']'"}));

INSTANTIATE_TEST_SUITE_P(
    Scalars, JsonFaults,
    testing::Values(Fault{"nul", "1:1 expected a value, got 'nul'"},
                    Fault{"True", "1:1 expected a value, got 'True'"},
                    Fault{"[NaN]", "1:2 expected a value, got 'NaN'"},
                    Fault{"[01]", "1:2 a number must not start with 0"},
                    Fault{"-", "1:2 expected a digit, got the end of the file"},
                    Fault{"[-x]", "1:3 expected a digit, got 'x'"},
                    Fault{"1.", "1:3 expected a digit, got the end of the file"},
                    Fault{"[1.e3]", "1:4 expected a digit, got 'e3'"},
                    Fault{"1e+", "1:4 expected a digit, got the end of the file"},
                    Fault{"[.5]", "1:2 expected a value, got '.'"},
                    Fault{"+1", "1:1 expected a value, got '+'"},
                    Fault{"[1e999]", "1:2 the number 1e999 is outside the range of a double"},
                    Fault{"1 // one", "1:3 expected the end of the file, got '/'"},
                    Fault{"[\n# one\n]", "2:1 expected a value, got '#'; JSON has no comments"},
                    Fault{"'a'", "1:1 expected a value, got '''; texts stand in double quotes"}));

INSTANTIATE_TEST_SUITE_P(
    Texts, JsonFaults,
    testing::Values(Fault{"[\"abc", "1:2 the text that starts here is not closed"},
                    Fault{"[\"abc\n\"]", "1:2 the text that starts here is not closed"},
                    Fault{"\"a\tb\"", "1:3 the byte 09 must be written as an escape in a text"},
                    Fault{"\"a\\qb\"", "1:3 unknown escape \\ 'qb'"},
                    Fault{"\"\\u12g4\"", "1:6 expected a hexadecimal digit, got 'g4'"},
                    Fault{"\"\\ud800\"", "1:2 half of a surrogate pair"},
                    Fault{"\"\\ud800\\u0041\"", "1:2 half of a surrogate pair"},
                    Fault{"\"\\udc00\"", "1:2 half of a surrogate pair"},
                    Fault{"\"\xff\"", "1:2 the byte ff is not UTF-8"},
                    Fault{"\"\xc0\xaf\"", "1:2 the byte c0 is not UTF-8"},      // overlong '/'
                    Fault{"\"\xe0\x80\xaf\"", "1:2 the byte e0 is not UTF-8"},  // overlong
                    Fault{"\"\xed\xa0\x80\"", "1:2 the byte ed is not UTF-8"},  // surrogate
                    Fault{"\"\xf4\x90\x80\x80\"", "1:2 the byte f4 is not UTF-8"},
                    Fault{"\"\xe2\x82", "1:2 the byte e2 is not UTF-8"},
                    Fault{"[\"\xc3\xa4\xc3\xb6\" 1]",
                          "1:7 expected ',' or ']', got '1'"},  // columns are characters
                    Fault{"\xef\xbb\xbf{}", "1:1 expected a value, got '\xef\xbb\xbf'"}));

TEST(JsonFaults, NullCharactersAreNamed) {
  EXPECT_EQ(faultOf(std::string_view("\0", 1)), "1:1 expected a value, got the byte 00");
  EXPECT_EQ(faultOf(std::string_view("[1\0]", 4)), "1:3 expected ',' or ']', got the byte 00");
}

TEST(JsonFaults, NestingAndNumberOfValuesAreLimited) {
  std::string open(64, '[');
  std::string close(64, ']');
  EXPECT_EQ(faultOf(open + close), "no fault");
  EXPECT_EQ(faultOf("[" + open + close + "]"), "1:65 nested deeper than 64 levels");
  EXPECT_EQ(faultOf(std::string(1'000'000, '[')), "1:65 nested deeper than 64 levels");
  EXPECT_EQ(faultOf("[1, 2]", {.nesting = 64, .values = 3}), "no fault");
  EXPECT_EQ(faultOf("[1, 2, 3]", {.nesting = 64, .values = 3}), "1:8 more than 3 values");
}

TEST(JsonFaults, AHostileTextCostsNoTime) {
  std::string keys = "{";
  for (int i = 0; i < 70000; ++i) keys += "\"key" + std::to_string(i) + "\":" + "0,";
  keys.back() = '}';
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr std::chrono::seconds kLimit(30);  // a linear reader, many times slower
#else
  constexpr std::chrono::seconds kLimit(2);
#endif
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(faultOf(keys), "no fault");
  EXPECT_EQ(faultOf("\"" + std::string(5'000'000, 'x')),
            "1:1 the text that starts here is not closed");
  EXPECT_LT(std::chrono::steady_clock::now() - start, kLimit);
}

TEST(Json, ParseThrowsWithLineAndColumn) {
  try {
    parseJson("{\n  \"a\": [1 2]\n}");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Input);
    EXPECT_STREQ(error.what(), "line 2, column 11: expected ',' or ']', got '2'");
  }
  EXPECT_EQ(parseJson(" 3 ").asInt(), 3);
}

TEST(Json, IssuesNameTheFile) {
  EXPECT_EQ(issueLine(readJson("[", "a/project.tenon").issues[0]),
            "a/project.tenon:1:2: expected a value, got the end of the file");
}

TEST(Json, ReadsEveryKindWithItsPosition) {
  Json json = parseJson(
      "{\n"
      "  \"null\": null, \"yes\": true,\n"
      "  \"int\": -42, \"real\": 2.5e-3,\n"
      "  \"text\": \"a\\n\\\"\\u00e4\\ud83d\\ude00\\/\",\n"
      "  \"list\": [1, [], {}]\n"
      "}");
  EXPECT_TRUE(json.find("null")->isNull());
  EXPECT_TRUE(json.find("yes")->asBool());
  EXPECT_EQ(json.find("int")->asInt(), -42);
  EXPECT_EQ(json.find("real")->asDouble(), 0.0025);
  EXPECT_EQ(json.find("text")->asString(), "a\n\"\xc3\xa4\xf0\x9f\x98\x80/");
  EXPECT_EQ(json.find("list")->items().size(), 3U);
  EXPECT_EQ(json.find("none"), nullptr);
  EXPECT_EQ(json.pos, (JsonPos{1, 1}));
  EXPECT_EQ(json.find("yes")->pos, (JsonPos{2, 24}));
  EXPECT_EQ(json.members()[1].pos, (JsonPos{2, 17}));
  EXPECT_EQ(json.find("list")->items()[2].pos, (JsonPos{5, 19}));
}

TEST(Json, IntegersStayExactAndOverflowBecomesReal) {
  EXPECT_EQ(parseJson("9223372036854775807").asInt(), INT64_MAX);
  EXPECT_EQ(parseJson("-9223372036854775808").asInt(), INT64_MIN);
  EXPECT_EQ(parseJson("9223372036854775808").kind(), Json::Kind::Float);
  EXPECT_EQ(parseJson("9223372036854775808").asDouble(), 9223372036854775808.0);
  EXPECT_EQ(parseJson("0").asInt(), 0);
  EXPECT_TRUE(std::signbit(parseJson("-0").asDouble()));
  EXPECT_EQ(parseJson("1.0").kind(), Json::Kind::Float);
}

TEST(Json, WrongKindsAreRefusedWithThePlace) {
  Json json = parseJson("[\n \"x\"]");
  try {
    (void)json.items()[0].asInt();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Type);
    EXPECT_STREQ(error.what(), "line 2, column 2: expected a whole number, got a text");
  }
  Json number(1.5);
  EXPECT_THROW(number.asBool(), Error);
  EXPECT_THROW(number.asInt(), Error);
  EXPECT_THROW(number.asString(), Error);
  EXPECT_THROW(number.items(), Error);
  EXPECT_THROW(number.members(), Error);
  EXPECT_THROW(Json("x").asDouble(), Error);
  EXPECT_EQ(Json(3).asDouble(), 3.0);
}

TEST(Json, SetEraseAndPush) {
  Json json;
  json.set("a", 1);
  json.set("b", true);
  json.set("a", "new");
  EXPECT_EQ(writeJson(json, JsonStyle::OneLine), "{\"a\": \"new\", \"b\": true}");
  EXPECT_TRUE(json.erase("a"));
  EXPECT_FALSE(json.erase("a"));
  Json list;
  list.push(1.5);
  list.push(std::move(json));
  EXPECT_EQ(writeJson(list, JsonStyle::OneLine), "[1.5, {\"b\": true}]");
}

TEST(Json, EqualityIgnoresOrderOfMembersAndPositions) {
  EXPECT_TRUE(parseJson("{\"a\": 1, \"b\": [2]}") == parseJson("\n{\"b\": [2], \"a\": 1}"));
  EXPECT_FALSE(parseJson("{\"a\": 1}") == parseJson("{\"a\": 2}"));
  EXPECT_FALSE(parseJson("{\"a\": 1}") == parseJson("{\"a\": 1, \"b\": 1}"));
  EXPECT_FALSE(parseJson("[1, 2]") == parseJson("[2, 1]"));
  EXPECT_FALSE(parseJson("1") == parseJson("1.0"));
}

TEST(JsonWriting, NumbersAreTheShortestThatReadBack) {
  EXPECT_EQ(numberText(0.1), "0.1");
  EXPECT_EQ(numberText(2), "2.0");
  EXPECT_EQ(numberText(-0.0), "-0.0");
  EXPECT_EQ(numberText(1e-5), "1e-05");
  EXPECT_EQ(numberText(1e20), "1e+20");
  EXPECT_EQ(numberText(1.0 / 255), "0.00392156862745098");
  EXPECT_EQ(numberText(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(numberText(std::nan("")), "null");
  for (double x : {5e-324, 1.7976931348623157e308, 123456789.123456789, 1.0 / 3, -1e-10}) {
    Json back = parseJson(numberText(x));
    EXPECT_EQ(back.kind(), Json::Kind::Float);
    EXPECT_EQ(back.asDouble(), x);
  }
}

TEST(JsonWriting, TextsAreEscapedAndAlwaysUtf8) {
  EXPECT_EQ(writeJson("a\"\\\b\f\n\r\t\x01/\xc3\xa4", JsonStyle::OneLine),
            "\"a\\\"\\\\\\b\\f\\n\\r\\t\\u0001/\xc3\xa4\"");
  EXPECT_EQ(writeJson(std::string("\xff"
                                  "a\xe2\x82"),
                      JsonStyle::OneLine),
            "\"\xef\xbf\xbd"
            "a\xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST(JsonWriting, PrettyBreaksSectionsAndKeepsShortItemsOnALine) {
  Json json = parseJson(
      "{\"version\":1,\"empty\":{},\"none\":[],\"train\":{\"lr\":0.1,\"betas\":[0.9,0.999],"
      "\"optimizer\":{\"type\":\"sgd\",\"nested\":[[1,2],[3]]}},"
      "\"nodes\":[{\"id\":\"a\",\"in\":{\"x\":1}},{\"id\":\"b\"}]}");
  EXPECT_EQ(writeJson(json),
            "{\n"
            "  \"version\": 1,\n"
            "  \"empty\": {},\n"
            "  \"none\": [],\n"
            "  \"train\": {\n"
            "    \"lr\": 0.1,\n"
            "    \"betas\": [0.9, 0.999],\n"
            "    \"optimizer\": {\"type\": \"sgd\", \"nested\": [[1, 2], [3]]}\n"
            "  },\n"
            "  \"nodes\": [\n"
            "    {\n"
            "      \"id\": \"a\",\n"
            "      \"in\": {\"x\": 1}\n"
            "    },\n"
            "    {\"id\": \"b\"}\n"
            "  ]\n"
            "}\n");
  EXPECT_EQ(writeJson(Json(5)), "5\n");
}

TEST(JsonWriting, ALineHoldsAtMost100Columns) {
  auto pretty = [](size_t length, const std::string& character) {
    std::string text;
    for (size_t i = 0; i < length; ++i) text += character;
    Json root = parseJson("{\"s\": {\"list\": [\"" + text + "\", 1]}}");
    return writeJson(root);
  };
  // 4 spaces, "list": , [" ", 1] and a comma that may follow take 20 columns.
  for (const char* character : {"x", "\xc3\xa4"}) {
    EXPECT_EQ(pretty(80, character).find("[\n"), std::string::npos);
    EXPECT_NE(pretty(81, character).find("[\n      \""), std::string::npos);
  }
}

TEST(JsonWriting, CanonicalSortsMembers) {
  EXPECT_EQ(
      canonicalJson(parseJson("{\"b\": {\"d\": 1, \"c\": [{\"z\": 1, \"y\": 2}]}, \"a\": null}")),
      "{\"a\": null, \"b\": {\"c\": [{\"y\": 2, \"z\": 1}], \"d\": 1}}");
}

TEST(JsonWriting, WhatIsWrittenReadsBackEqual) {
  Json json = parseJson(
      "{\"a\": [1, 2.0, -0.0, 1e-7, \"\\u0000\", null, true, {\"b\": {\"c\": [[[]]]}}], \"\": {}}");
  EXPECT_EQ(parseJson(writeJson(json)), json);
  EXPECT_EQ(parseJson(writeJson(json, JsonStyle::OneLine)), json);
  EXPECT_EQ(writeJson(parseJson(writeJson(json))), writeJson(json));
}

}  // namespace
}  // namespace tenon
