// SPDX-License-Identifier: Apache-2.0
// resources/schemas/project.schema.json says the same of plain settings as the schemas the program
// uses.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engine/project/part_schema.h"
#include "engine/project/specs.h"

namespace tenon {
namespace {

Json jsonSchema() {
  std::ifstream in(TENON_SOURCE_DIR "/resources/schemas/project.schema.json");
  std::ostringstream text;
  text << in.rdbuf();
  return parseJson(text.str());
}

/// The member at a path of keys; fails the test and gives null if there is none.
Json at(const Json& root, std::initializer_list<const char*> keys) {
  const Json* json = &root;
  for (const char* key : keys) {
    json = json->find(key);
    if (json == nullptr) {
      ADD_FAILURE() << "no member " << key;
      return {};
    }
  }
  return *json;
}

const char* typeName(ParamType type) {
  if (type == ParamType::Int) return "integer";
  if (type == ParamType::Float) return "number";
  return type == ParamType::Bool ? "boolean" : "string";
}

void expectSame(const ParamSpec& spec, const Json& root, const Json& properties) {
  SCOPED_TRACE(spec.name);
  const Json* property = properties.find(spec.name);
  ASSERT_NE(property, nullptr);
  EXPECT_EQ(*property->find("default"), toJson(spec.defaultValue));
  Json rules = *property;
  if (property->find("$ref") != nullptr) rules = at(root, {"$defs", "seed"});
  if (spec.type == ParamType::StringList) {
    EXPECT_EQ(rules.find("anyOf") ? *rules.find("anyOf") : Json(),
              *paramJsonSchema(spec).find("anyOf"));
    return;
  }
  EXPECT_EQ(rules.find("type")->asString(), typeName(spec.type));
  const Json* low = rules.find(spec.minExclusive ? "exclusiveMinimum" : "minimum");
  const Json* high = rules.find(spec.maxExclusive ? "exclusiveMaximum" : "maximum");
  ASSERT_EQ(low != nullptr, spec.min.has_value());
  ASSERT_EQ(high != nullptr, spec.max.has_value());
  if (low != nullptr) {
    EXPECT_EQ(low->asDouble(), *spec.min);
  }
  if (high != nullptr) {
    EXPECT_EQ(high->asDouble(), *spec.max);
  }
}

TEST(JsonSchema, PlainSettingsHaveTheSameTypesRangesAndDefaults) {
  Json root = jsonSchema();
  Json train = at(root, {"$defs", "train", "properties"});
  for (const ParamSpec& spec : trainSchema()) expectSame(spec, root, train);
  Json checkpoint = at(train, {"checkpoint", "properties"});
  for (const ParamSpec& spec : checkpointSchema()) expectSame(spec, root, checkpoint);
  EXPECT_EQ(checkpoint.members().size(), checkpointSchema().size());
  EXPECT_EQ(train.members().size(), trainSchema().size() + 5);  // and the parts
  Json fraction = at(root, {"$defs", "split", "oneOf"}).items().at(1);
  for (const ParamSpec& spec : splitSchema()) expectSame(spec, root, at(fraction, {"properties"}));
}

TEST(JsonSchema, HasThePresentVersion) {
  EXPECT_EQ(at(jsonSchema(), {"properties", "format_version", "const"}).asInt(), kProjectFormat);
}

}  // namespace
}  // namespace tenon
