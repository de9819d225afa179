// SPDX-License-Identifier: Apache-2.0
// Parameters: maps, schemas, validation with all its messages, typed text, suggestions and help
// pages.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/schema/help_page.h"
#include "engine/schema/suggest.h"
#include "engine/schema/validate.h"

namespace tenon {
namespace {

using Ints = std::vector<int64_t>;
using Floats = std::vector<double>;
using Texts = std::vector<std::string>;

ParamSchema convSchema() {
  return ParamSchema{
      intParam("out_channels", 0).atLeast(1).mandatory().describe("Number of filters"),
      intListParam("kernel_size", {3, 3}).count(2, 2).range(1, 31).inUnit("px"),
      floatParam("scale", 1.0).above(0).atMost(8).onLogScale().inGroup("Initial values"),
      floatListParam("mean", {0.5}).count(1, 4).below(2),
      boolParam("bias", true),
      choiceParam("padding_mode", "zeros", {"zeros", "reflect"}).forExperts(),
      stringParam("note", "").called("Remark"),
      pathParam("weights", ""),
      stringListParam("tags", {})};
}

ParamMap mapOf(const char* json) {
  ParamMap map;
  Json root = parseJson(json);
  for (const JsonMember& member : root.members()) {
    ParamValue value;
    EXPECT_TRUE(paramFromJson(member.value, value)) << member.key;
    map.set(member.key, value);
  }
  return map;
}

TEST(ParamMap, KeepsOrderAndReplacesInPlace) {
  ParamMap map{{"b", int64_t{1}}, {"a", 2.5}};
  map.set("c", std::string("x"));
  map.set("b", true);
  EXPECT_EQ(writeJson(toJson(map), JsonStyle::OneLine), "{\"b\": true, \"a\": 2.5, \"c\": \"x\"}");
  ParamMap changed = map.with("a", int64_t{7});
  EXPECT_EQ(changed.getInt("a"), 7);
  EXPECT_EQ(map.getFloat("a"), 2.5);
  EXPECT_TRUE(changed.erase("a"));
  EXPECT_FALSE(changed.erase("a"));
  EXPECT_FALSE(changed.contains("a"));
  EXPECT_EQ(canonicalJson(map), "{\"a\": 2.5, \"b\": true, \"c\": \"x\"}");
}

TEST(ParamMap, ComparesAsAUserDoes) {
  ParamMap a{{"x", int64_t{1}}, {"y", Ints{1, 2}}, {"z", Texts{}}};
  ParamMap b{{"z", Ints{}}, {"y", Floats{1, 2}}, {"x", 1.0}};
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a == b.with("x", 1.5));
  EXPECT_FALSE(a == b.with("w", 1.5));
  EXPECT_FALSE(sameValue(int64_t{1}, true));
  EXPECT_FALSE(sameValue(int64_t{1}, Ints{1}));
  EXPECT_FALSE(sameValue(std::string("1"), int64_t{1}));
  EXPECT_FALSE(sameValue(Texts{"1"}, Ints{1}));
}

TEST(ParamMap, TypedAccessConvertsWithoutLossOnly) {
  ParamMap map = mapOf(
      "{\"b\": true, \"i\": 3, \"f\": 0.5, \"s\": \"x\", \"is\": [1, 2], \"fs\": [1, 0.5], "
      "\"ss\": [\"p\"], \"none\": []}");
  EXPECT_TRUE(map.getBool("b"));
  EXPECT_EQ(map.getInt("i"), 3);
  EXPECT_EQ(map.getFloat("f"), 0.5);
  EXPECT_EQ(map.getFloat("i"), 3.0);
  EXPECT_EQ(map.getString("s"), "x");
  EXPECT_EQ(map.getInts("is"), (Ints{1, 2}));
  EXPECT_EQ(map.getInts("i"), (Ints{3}));
  EXPECT_EQ(map.getFloats("fs"), (Floats{1, 0.5}));
  EXPECT_EQ(map.getFloats("is"), (Floats{1, 2}));
  EXPECT_EQ(map.getFloats("f"), (Floats{0.5}));
  EXPECT_EQ(map.getStrings("ss"), (Texts{"p"}));
  EXPECT_EQ(map.getStrings("s"), (Texts{"x"}));
  EXPECT_TRUE(map.getInts("none").empty());
  EXPECT_TRUE(map.getFloats("none").empty());
  EXPECT_TRUE(map.getStrings("none").empty());
}

TEST(ParamMap, TypedAccessRefusesWithWantedAndGot) {
  ParamMap map{{"s", std::string("x")}, {"f", 2.0}};
  auto textOf = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::Type);
      return error.what();
    }
    return "nothing thrown";
  };
  EXPECT_EQ(textOf([&] { map.getInt("s"); }), "parameter 's': expected a whole number, got \"x\"");
  EXPECT_EQ(textOf([&] { map.getInt("f"); }), "parameter 'f': expected a whole number, got 2.0");
  EXPECT_EQ(textOf([&] { map.getBool("no"); }),
            "parameter 'no': expected true or false, got nothing");
  EXPECT_EQ(textOf([&] { map.getFloat("s"); }), "parameter 's': expected a number, got \"x\"");
  EXPECT_EQ(textOf([&] { map.getString("f"); }), "parameter 'f': expected a text, got 2.0");
  EXPECT_EQ(textOf([&] { map.getInts("f"); }),
            "parameter 'f': expected a list of whole numbers, got 2.0");
  EXPECT_EQ(textOf([&] { map.getFloats("s"); }),
            "parameter 's': expected a list of numbers, got \"x\"");
  EXPECT_EQ(textOf([&] { map.getStrings("f"); }),
            "parameter 'f': expected a list of texts, got 2.0");
}

TEST(ParamMap, ReadsFlatJsonOnly) {
  ParamValue value;
  EXPECT_TRUE(paramFromJson(parseJson("[1, 2.5]"), value));
  EXPECT_EQ(std::get<Floats>(value), (Floats{1, 2.5}));
  for (const char* text : {"null", "{}", "[[1]]", "[1, \"a\"]", "[true]", "[null]"})
    EXPECT_FALSE(paramFromJson(parseJson(text), value)) << text;
  EXPECT_EQ(valueText(std::string("plain")), "plain");
  EXPECT_EQ(valueText(Ints{3, 3}), "[3, 3]");
  EXPECT_EQ(valueText(false), "false");
}

TEST(ParamSchema, RefusesItsOwnMistakes) {
  auto textOf = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::Internal);
      return error.what();
    }
    return "nothing thrown";
  };
  EXPECT_EQ(textOf([] {
              ParamSchema{intParam("a", 1), boolParam("a", true)};
            }),
            "two parameters are called 'a'");
  EXPECT_EQ(textOf([] { ParamSchema{intParam("a", 1).atLeast(2)}; }),
            "a default breaks its rule: parameter 'a' expects at least 2, got 1");
  EXPECT_EQ(textOf([] {
              ParamSchema{choiceParam("a", "c", {"x", "y"})};
            }),
            "a default breaks its rule: parameter 'a' expects one of x, y; got \"c\"");
}

TEST(ParamSchema, KnowsNamesDefaultsAndLabels) {
  ParamSchema schema = convSchema();
  EXPECT_EQ(schema.names().front(), "out_channels");
  EXPECT_EQ(schema.size(), 9U);
  EXPECT_EQ(schema.find("nothing"), nullptr);
  EXPECT_FALSE(schema.defaults().contains("out_channels"));
  EXPECT_EQ(schema.defaults().getInts("kernel_size"), (Ints{3, 3}));
  EXPECT_EQ(schema.find("out_channels")->labelText(), "Out channels");
  EXPECT_EQ(schema.find("note")->labelText(), "Remark");
  EXPECT_TRUE(schema.find("padding_mode")->advanced);
}

struct Wrong {
  const char* json;
  const char* code;
  const char* text;
};
class Validation : public testing::TestWithParam<Wrong> {};

TEST_P(Validation, NamesParameterWantedAndGot) {
  ParamMap map = mapOf(GetParam().json);
  if (!map.contains("out_channels")) map.set("out_channels", int64_t{8});
  Place at;
  at.field = "conv";
  Issues issues = validate(convSchema(), map, at);
  ASSERT_EQ(issues.size(), 1U) << GetParam().json;
  EXPECT_EQ(issues[0].code, GetParam().code);
  EXPECT_EQ(issueText(issues[0]), GetParam().text);
  EXPECT_EQ(issues[0].place.field, "conv." + map.begin()->first);
}

INSTANTIATE_TEST_SUITE_P(
    All, Validation,
    testing::Values(
        Wrong{"{\"out_channels\": \"8\"}", "schema.wrong-type",
              "parameter 'out_channels' expects a whole number, got \"8\""},
        Wrong{"{\"out_channels\": 8.5}", "schema.wrong-type",
              "parameter 'out_channels' expects a whole number, got 8.5"},
        Wrong{"{\"out_channels\": 0}", "schema.out-of-range",
              "parameter 'out_channels' expects at least 1, got 0"},
        Wrong{"{\"kernel_size\": [3, 32]}", "schema.out-of-range",
              "parameter 'kernel_size' expects 1 to 31, got [3, 32]"},
        Wrong{"{\"kernel_size\": [3, 3, 3]}", "schema.count",
              "parameter 'kernel_size' expects 2 values, got 3"},
        Wrong{"{\"kernel_size\": [3.5, 3]}", "schema.wrong-type",
              "parameter 'kernel_size' expects a list of whole numbers, got [3.5, 3.0]"},
        Wrong{"{\"kernel_size\": true}", "schema.wrong-type",
              "parameter 'kernel_size' expects a list of whole numbers, got true"},
        Wrong{"{\"scale\": 0}", "schema.out-of-range",
              "parameter 'scale' expects more than 0 and at most 8, got 0"},
        Wrong{"{\"scale\": 8.5}", "schema.out-of-range",
              "parameter 'scale' expects more than 0 and at most 8, got 8.5"},
        Wrong{"{\"scale\": [1.0]}", "schema.wrong-type",
              "parameter 'scale' expects a number, got [1.0]"},
        Wrong{"{\"mean\": []}", "schema.count", "parameter 'mean' expects 1 to 4 values, got 0"},
        Wrong{"{\"mean\": [0.5, 2]}", "schema.out-of-range",
              "parameter 'mean' expects less than 2, got [0.5, 2.0]"},
        Wrong{"{\"bias\": 1}", "schema.wrong-type",
              "parameter 'bias' expects true or false, got 1"},
        Wrong{"{\"padding_mode\": \"reflct\"}", "schema.unknown-choice",
              "parameter 'padding_mode' expects one of zeros, reflect; got \"reflct\""},
        Wrong{"{\"note\": 3}", "schema.wrong-type", "parameter 'note' expects a text, got 3"},
        Wrong{"{\"weights\": [\"a\"]}", "schema.wrong-type",
              "parameter 'weights' expects a path, got [\"a\"]"},
        Wrong{"{\"tags\": [1]}", "schema.wrong-type",
              "parameter 'tags' expects a list of texts, got [1]"},
        Wrong{"{\"kernel_sise\": 3}", "schema.unknown-parameter",
              "unknown parameter 'kernel_sise'; did you mean 'kernel_size'?"},
        Wrong{"{\"zzz\": 3}", "schema.unknown-parameter",
              "unknown parameter 'zzz'; known are out_channels, kernel_size, scale, mean, bias, "
              "padding_mode, note, weights, tags"},
        Wrong{"{\"note\": [\"0123456789012345678901234567890123456789012345678901234567\"]}",
              "schema.wrong-type",
              "parameter 'note' expects a text, got "
              "[\"0123456789012345678901234567890123456789012345678901234567..."}));

TEST(Validate, ReportsEverythingAtOnceAndWhatIsMissing) {
  Issues issues = validate(convSchema(), mapOf("{\"bias\": 1, \"scale\": -1, \"wat\": 0}"));
  ASSERT_EQ(issues.size(), 4U);
  EXPECT_EQ(issues[3].code, "schema.missing");
  EXPECT_EQ(issueText(issues[3]), "parameter 'out_channels' is missing; it expects a whole number");
  EXPECT_EQ(issues[3].place.field, "out_channels");
  EXPECT_EQ(issueText(validate(ParamSchema(), mapOf("{\"a\": 1}"))[0]),
            "unknown parameter 'a'; none is expected here");
}

TEST(Validate, NumbersThatAreNoNumbersAreRefused) {
  ParamCheck check = checkParam(floatParam("x", 0), std::nan(""));
  ASSERT_TRUE(check.issue.has_value());
  EXPECT_EQ(issueText(*check.issue), "parameter 'x' expects a finite number, got null");
}

TEST(Validate, CompleteFillsInAndConverts) {
  ParamMap full = completeParams(
      convSchema(),
      mapOf("{\"scale\": 2, \"kernel_size\": 5, \"mean\": 1, \"out_channels\": 4.0}"));
  EXPECT_EQ(writeJson(toJson(full), JsonStyle::OneLine),
            "{\"out_channels\": 4, \"kernel_size\": [5, 5], \"scale\": 2.0, \"mean\": [1.0], "
            "\"bias\": true, \"padding_mode\": \"zeros\", \"note\": \"\", \"weights\": \"\", "
            "\"tags\": []}");
  try {
    completeParams(convSchema(), mapOf("{\"bias\": 1}"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::Input);
    EXPECT_STREQ(error.what(),
                 "field 'bias': parameter 'bias' expects true or false, got 1\n"
                 "field 'out_channels': parameter 'out_channels' is missing; it expects a whole "
                 "number");
  }
}

struct Typed {
  const char* name;
  const char* text;
  const char* json;  // value, or "!" and the message
};
class ParseParam : public testing::TestWithParam<Typed> {};

TEST_P(ParseParam, ReadsWhatAPersonTypes) {
  ParamCheck check = parseParam(*convSchema().find(GetParam().name), GetParam().text);
  std::string got = check.value ? writeJson(toJson(*check.value), JsonStyle::OneLine)
                                : "!" + issueText(*check.issue);
  EXPECT_EQ(got, GetParam().json);
}

INSTANTIATE_TEST_SUITE_P(
    All, ParseParam,
    testing::Values(
        Typed{"out_channels", " 32 ", "32"}, Typed{"out_channels", "+8", "8"},
        Typed{"out_channels", "1e3", "1000"},
        Typed{"out_channels", "many",
              "!parameter 'out_channels' expects a whole number, got \"many\""},
        Typed{"out_channels", "0", "!parameter 'out_channels' expects at least 1, got 0"},
        Typed{"out_channels", "", "!parameter 'out_channels' expects a whole number, got \"\""},
        Typed{"scale", "2e-3", "0.002"}, Typed{"scale", ".5", "0.5"}, Typed{"scale", "1/4", "0.25"},
        Typed{"scale", "2", "2.0"},
        Typed{"scale", "1/0", "!parameter 'scale' expects a number, got \"1/0\""},
        Typed{"scale", "nan", "!parameter 'scale' expects more than 0 and at most 8, got null"},
        Typed{"scale", "0,5", "!parameter 'scale' expects a number, got \"0,5\""},
        Typed{"bias", "off", "false"}, Typed{"bias", "true", "true"},
        Typed{"bias", "maybe", "!parameter 'bias' expects true or false, got \"maybe\""},
        Typed{"kernel_size", "5", "[5, 5]"}, Typed{"kernel_size", "[3, 5]", "[3, 5]"},
        Typed{"kernel_size", "3,5", "[3, 5]"},
        Typed{"kernel_size", "3,x",
              "!parameter 'kernel_size' expects a list of whole numbers, got \"3,x\""},
        Typed{"mean", "[1/2, 0.25]", "[0.5, 0.25]"},
        Typed{"padding_mode", "reflect", "\"reflect\""},
        Typed{"note", "two words", "\"two words\""},
        Typed{"tags", "a, \"b,c\"", "[\"a\", \"b,c\"]"}, Typed{"tags", "[]", "[]"}));

TEST(Suggest, Distance) {
  EXPECT_EQ(editDistance("", "abc"), 3);
  EXPECT_EQ(editDistance("Kernel", "kernel"), 0);
  EXPECT_EQ(editDistance("stride", "strid"), 1);
  EXPECT_EQ(editDistance("stirde", "stride"), 1);  // a swap is one edit
  EXPECT_EQ(editDistance("abc", "xyz"), 3);
}

TEST(Suggest, NearestIsNearOrNothing) {
  std::vector<std::string> names{"learning_rate", "lr", "momentum", "weight_decay", "conv2d"};
  EXPECT_EQ(nearestName("momentun", names), "momentum");
  EXPECT_EQ(nearestName("conv", names), "conv2d");
  EXPECT_EQ(nearestName("conv2", names), "conv2d");
  EXPECT_EQ(nearestName("weightdecay", names), "weight_decay");
  EXPECT_EQ(nearestName("lrr", names), "lr");
  EXPECT_EQ(nearestName("xy", names), "");
  EXPECT_EQ(nearestName("batch_size", names), "");
  EXPECT_EQ(nearestName("x", {}), "");
  EXPECT_EQ(nearestNames("lrr", names, 2).front(), "lr");
  EXPECT_EQ(nearestNames("lrr", names, 2).size(), 2U);
  std::string endless(1'000'000, 'x');
  EXPECT_TRUE(nearestName(endless, {"y" + endless}).empty());
}

TEST(HelpPage, HasATableByGroups) {
  ParamSchema schema{intParam("size", 3).range(1, 31).inUnit("px").describe("Side | of the window"),
                     choiceParam("mode", "max", {"max", "mean"}),
                     floatParam("gain", 1).above(0).inGroup("Initial values").mandatory()};
  EXPECT_EQ(helpPage({"pool", "Pooling", "Takes the largest."}, schema),
            "# Pooling (`pool`)\n\nTakes the largest.\n"
            "\n## Parameters\n\n"
            "| name | type | default | range | unit | meaning |\n|---|---|---|---|---|---|\n"
            "| `size` | a whole number | `3` | 1 to 31 | px | Side \\| of the window |\n"
            "| `mode` | a choice | `\"max\"` | one of max, mean |  |  |\n"
            "\n## Initial values\n\n"
            "| name | type | default | range | unit | meaning |\n|---|---|---|---|---|---|\n"
            "| `gain` | a number | (must be given) | more than 0 |  |  |\n");
  EXPECT_EQ(helpPage({"relu", "ReLU", "max(x, 0)"}, ParamSchema()),
            "# ReLU (`relu`)\n\nmax(x, 0)\n\nIt has no parameters.\n");
  EXPECT_EQ(rangeText(intParam("a", 1).atMost(4)), "at most 4");
  EXPECT_EQ(rangeText(intParam("a", 1)), "");
}

}  // namespace
}  // namespace tenon
