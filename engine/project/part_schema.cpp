// SPDX-License-Identifier: Apache-2.0
// From parameter schemas to JSON schemas (draft 2020-12).
#include "engine/project/part_schema.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace tenon {
namespace {

/// A bound as a person writes it: whole ones without ".0".
Json bound(double x) {
  const bool whole = std::floor(x) == x && std::fabs(x) < 1e15;
  return whole ? Json(static_cast<int64_t>(x)) : Json(x);
}

Json numberSchema(const ParamSpec& spec, const char* type) {
  Json out = Json::object();
  out.set("type", type);
  if (spec.min) out.set(spec.minExclusive ? "exclusiveMinimum" : "minimum", bound(*spec.min));
  if (spec.max) out.set(spec.maxExclusive ? "exclusiveMaximum" : "maximum", bound(*spec.max));
  return out;
}

Json textSchema() {
  Json out = Json::object();
  out.set("type", "string");
  return out;
}

/// A list, or one item that stands for equal ones.
Json listSchema(const ParamSpec& spec, Json item) {
  Json list = Json::object();
  list.set("type", "array");
  list.set("items", item);
  if (spec.minCount > 0) list.set("minItems", static_cast<int64_t>(spec.minCount));
  if (spec.maxCount != SIZE_MAX) list.set("maxItems", static_cast<int64_t>(spec.maxCount));
  Json both = Json::array();
  both.push(std::move(item));
  both.push(std::move(list));
  Json out = Json::object();
  out.set("anyOf", std::move(both));
  return out;
}

Json rulesOf(const ParamSpec& spec) {
  switch (spec.type) {
    case ParamType::Bool: {
      Json out = Json::object();
      out.set("type", "boolean");
      return out;
    }
    case ParamType::Int:
      return numberSchema(spec, "integer");
    case ParamType::Float:
      return numberSchema(spec, "number");
    case ParamType::Choice: {
      Json choices = Json::array();
      for (const std::string& choice : spec.choices) choices.push(choice);
      Json out = Json::object();
      out.set("enum", std::move(choices));
      return out;
    }
    case ParamType::IntList:
      return listSchema(spec, numberSchema(spec, "integer"));
    case ParamType::FloatList:
      return listSchema(spec, numberSchema(spec, "number"));
    case ParamType::StringList:
      return listSchema(spec, textSchema());
    case ParamType::String:
    case ParamType::Path:
      break;
  }
  return textSchema();
}

Json single(const char* key, Json value) {
  Json out = Json::object();
  out.set(key, std::move(value));
  return out;
}

Json slotsSchema(const GraphSlots& slots) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const GraphSlot& slot : slots) {
    Json graph = Json::object();
    graph.set("description", slot.help);
    graph.set("$ref", "#/$defs/graph");
    properties.set(slot.name, std::move(graph));
    if (slot.required) required.push(slot.name);
  }
  Json out = Json::object();
  out.set("description", "Graphs inside of the layer, each with an input and an output.");
  out.set("type", "object");
  out.set("properties", std::move(properties));
  if (!required.items().empty()) out.set("required", std::move(required));
  out.set("additionalProperties", false);
  return out;
}

/// "If the type is this one, then these parameters and no others."
Json ruleOfType(PartKind kind, const std::string& type, const ParamSchema& schema,
                const GraphSlots& slots) {
  Json names = Json::array();
  if (kind == PartKind::Layer) names.push("id");
  names.push("type");
  Json properties = Json::object();
  Json required = Json::array();
  for (const ParamSpec& spec : schema) {
    names.push(spec.name);
    properties.set(spec.name, paramJsonSchema(spec));
    if (spec.required) required.push(spec.name);
  }
  if (kind == PartKind::Layer) names.push("precision");
  if (!slots.empty()) {
    names.push("graphs");
    properties.set("graphs", slotsSchema(slots));
    if (std::any_of(slots.begin(), slots.end(), [](const GraphSlot& s) { return s.required; }))
      required.push("graphs");
  }
  Json then = Json::object();
  if (!properties.members().empty()) then.set("properties", std::move(properties));
  if (!required.items().empty()) then.set("required", std::move(required));
  then.set("propertyNames", single("enum", std::move(names)));
  Json rule = Json::object();
  rule.set("if", single("properties", single("type", single("const", type))));
  rule.set("then", std::move(then));
  return rule;
}

}  // namespace

Json paramJsonSchema(const ParamSpec& spec) {
  Json out = Json::object();
  if (!spec.help.empty())
    out.set("description", spec.unit.empty() ? spec.help : spec.help + " [" + spec.unit + "]");
  const Json rules = rulesOf(spec);
  for (const JsonMember& member : rules.members()) out.set(member.key, member.value);
  if (!spec.required) out.set("default", toJson(spec.defaultValue));
  return out;
}

Json partJsonSchema(PartKind kind, const Catalog& catalog) {
  Json types = Json::array();
  Json rules = Json::array();
  for (const std::string& type : catalog.types(kind)) {
    types.push(type);
    rules.push(ruleOfType(kind, type, *catalog.schema(kind, type),
                          kind == PartKind::Layer ? catalog.slots(type) : GraphSlots()));
  }
  Json required = Json::array();
  Json properties = Json::object();
  if (kind == PartKind::Layer) {
    required.push("id");
    properties.set("id", single("$ref", "#/$defs/nodeId"));
  }
  required.push("type");
  properties.set("type", single("enum", std::move(types)));
  if (kind == PartKind::Layer) properties.set("precision", paramJsonSchema(nodePrecisionParam()));
  Json out = Json::object();
  out.set("description", kind == PartKind::Layer
                             ? "A node: a layer by its id, with its parameters beside it."
                             : "A definition by its id, with its parameters beside it.");
  out.set("type", "object");
  out.set("required", std::move(required));
  out.set("properties", std::move(properties));
  out.set("allOf", std::move(rules));
  return out;
}

Json withPartSchemas(Json projectSchema, const Catalog& catalog) {
  Json* definitions = projectSchema.find("$defs");
  if (definitions == nullptr) {
    projectSchema.set("$defs", Json::object());
    definitions = projectSchema.find("$defs");
  }
  for (const PartKind kind :
       {PartKind::Layer, PartKind::Reader, PartKind::Transform, PartKind::Optimizer,
        PartKind::Schedule, PartKind::Loss, PartKind::Metric})
    definitions->set(partKindText(kind), partJsonSchema(kind, catalog));
  return projectSchema;
}

}  // namespace tenon
