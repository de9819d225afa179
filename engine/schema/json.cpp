// SPDX-License-Identifier: Apache-2.0
// The JSON value: access by kind, members by key, comparison.
#include "engine/schema/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tenon {
namespace {

[[noreturn]] void refuseKind(const Json& json, Json::Kind wanted) {
  std::string where =
      json.pos.line > 0 ? fmt::format("line {}, column {}: ", json.pos.line, json.pos.column) : "";
  throw Error(Code::Type,
              fmt::format("{}expected {}, got {}", where, kindText(wanted), kindText(json.kind())));
}

std::vector<const JsonMember*> sortedMembers(const JsonObject& object) {
  std::vector<const JsonMember*> out;
  out.reserve(object.size());
  for (const JsonMember& member : object) out.push_back(&member);
  std::sort(out.begin(), out.end(), [](auto* a, auto* b) { return a->key < b->key; });
  return out;
}

bool sameMembers(const JsonObject& a, const JsonObject& b) {
  if (a.size() != b.size()) return false;
  auto same = [](const JsonMember& x, const JsonMember& y) {
    return x.key == y.key && x.value == y.value;
  };
  if (std::equal(a.begin(), a.end(), b.begin(), same)) return true;
  auto left = sortedMembers(a);
  auto right = sortedMembers(b);
  return std::equal(left.begin(), left.end(), right.begin(),
                    [&](auto* x, auto* y) { return same(*x, *y); });
}

}  // namespace

Json::Json(JsonArray value) noexcept : value_(std::move(value)) {}
Json::Json(JsonObject value) noexcept : value_(std::move(value)) {}

Json Json::object() { return Json(JsonObject()); }

std::string_view kindText(Json::Kind kind) noexcept {
  switch (kind) {
    case Json::Kind::Null:
      return "null";
    case Json::Kind::Bool:
      return "true or false";
    case Json::Kind::Int:
      return "a whole number";
    case Json::Kind::Float:
      return "a number";
    case Json::Kind::String:
      return "a text";
    case Json::Kind::Array:
      return "a list";
    case Json::Kind::Object:
      return "an object";
  }
  return "a value";
}

bool Json::asBool() const {
  if (!isBool()) refuseKind(*this, Kind::Bool);
  return std::get<bool>(value_);
}

int64_t Json::asInt() const {
  if (!isInt()) refuseKind(*this, Kind::Int);
  return std::get<int64_t>(value_);
}

double Json::asDouble() const {
  if (isInt()) return static_cast<double>(std::get<int64_t>(value_));
  if (!isNumber()) refuseKind(*this, Kind::Float);
  return std::get<double>(value_);
}

const std::string& Json::asString() const {
  if (!isString()) refuseKind(*this, Kind::String);
  return std::get<std::string>(value_);
}

const JsonArray& Json::items() const {
  if (!isArray()) refuseKind(*this, Kind::Array);
  return std::get<JsonArray>(value_);
}

JsonArray& Json::items() {
  if (!isArray()) refuseKind(*this, Kind::Array);
  return std::get<JsonArray>(value_);
}

const JsonObject& Json::members() const {
  if (!isObject()) refuseKind(*this, Kind::Object);
  return std::get<JsonObject>(value_);
}

JsonObject& Json::members() {
  if (!isObject()) refuseKind(*this, Kind::Object);
  return std::get<JsonObject>(value_);
}

const Json* Json::find(std::string_view key) const noexcept {
  const auto* object = std::get_if<JsonObject>(&value_);
  if (object == nullptr) return nullptr;
  for (const JsonMember& member : *object)
    if (member.key == key) return &member.value;
  return nullptr;
}

Json* Json::find(std::string_view key) noexcept {
  return const_cast<Json*>(std::as_const(*this).find(key));
}

void Json::set(std::string_view key, Json value) {
  if (isNull()) value_ = JsonObject();
  if (Json* held = find(key)) {
    *held = std::move(value);
  } else {
    members().push_back({std::string(key), std::move(value), {}});
  }
}

bool Json::erase(std::string_view key) {
  if (!isObject()) return false;
  return std::erase_if(members(), [key](const JsonMember& member) { return member.key == key; }) >
         0;
}

void Json::push(Json value) {
  if (isNull()) value_ = JsonArray();
  items().push_back(std::move(value));
}

bool operator==(const Json& a, const Json& b) {
  if (a.kind() != b.kind()) return false;
  if (a.isObject()) return sameMembers(a.members(), b.members());
  return a.value_ == b.value_;
}

bool operator==(const JsonMember& a, const JsonMember& b) {
  return a.key == b.key && a.value == b.value;
}

}  // namespace tenon
