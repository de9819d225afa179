// SPDX-License-Identifier: Apache-2.0
// Values of parameters: typed access with conversions that lose nothing, comparison, JSON.
#include "engine/schema/param_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tenon {
namespace {

template <class T>
constexpr bool kIsList = false;
template <class T>
constexpr bool kIsList<std::vector<T>> = true;

bool isEmptyList(const ParamValue& value) {
  return std::visit(
      [](const auto& held) {
        if constexpr (kIsList<std::decay_t<decltype(held)>>) {
          return held.empty();
        } else {
          return false;
        }
      },
      value);
}

/// The numbers of a scalar or list as doubles, if it has any.
std::optional<std::vector<double>> numbersOf(const ParamValue& value) {
  if (const auto* i = std::get_if<int64_t>(&value)) return std::vector{static_cast<double>(*i)};
  if (const auto* d = std::get_if<double>(&value)) return std::vector{*d};
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return *list;
  if (const auto* list = std::get_if<std::vector<int64_t>>(&value))
    return std::vector<double>(list->begin(), list->end());
  return std::nullopt;
}

bool isList(const ParamValue& value) {
  return std::visit([](const auto& held) { return kIsList<std::decay_t<decltype(held)>>; }, value);
}

[[noreturn]] void refuse(std::string_view name, std::string_view wanted, const ParamValue* value) {
  std::string got = value == nullptr ? "nothing" : writeJson(toJson(*value), JsonStyle::OneLine);
  throw Error(Code::Type, fmt::format("parameter '{}': expected {}, got {}", name, wanted, got));
}

template <class T>
const T& get(const ParamMap& map, std::string_view name, std::string_view wanted) {
  const ParamValue* value = map.find(name);
  const T* held = value == nullptr ? nullptr : std::get_if<T>(value);
  if (held == nullptr) refuse(name, wanted, value);
  return *held;
}

template <class Item>
Json listJson(const std::vector<Item>& list) {
  JsonArray items;
  items.reserve(list.size());
  for (const Item& item : list) items.emplace_back(item);
  return Json(std::move(items));
}

}  // namespace

bool sameValue(const ParamValue& a, const ParamValue& b) {
  if (a == b || (isEmptyList(a) && isEmptyList(b))) return true;
  if (a.index() == b.index() || isList(a) != isList(b)) return false;
  auto left = numbersOf(a);
  auto right = numbersOf(b);
  return left.has_value() && left == right;
}

std::string valueText(const ParamValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return writeJson(toJson(value), JsonStyle::OneLine);
}

ParamMap::ParamMap(std::initializer_list<Entry> entries) {
  entries_.reserve(entries.size());
  for (const Entry& entry : entries) set(entry.first, entry.second);
}

ParamMap ParamMap::ofUnique(std::vector<Entry> entries) {
  ParamMap map;
  map.entries_ = std::move(entries);
  return map;
}

const ParamValue* ParamMap::find(std::string_view name) const noexcept {
  for (const Entry& entry : entries_)
    if (entry.first == name) return &entry.second;
  return nullptr;
}

void ParamMap::set(std::string_view name, ParamValue value) {
  for (Entry& entry : entries_) {
    if (entry.first == name) {
      entry.second = std::move(value);
      return;
    }
  }
  entries_.emplace_back(std::string(name), std::move(value));
}

bool ParamMap::erase(std::string_view name) {
  return std::erase_if(entries_, [name](const Entry& entry) { return entry.first == name; }) > 0;
}

ParamMap ParamMap::with(std::string_view name, ParamValue value) const {
  ParamMap copy = *this;
  copy.set(name, std::move(value));
  return copy;
}

bool ParamMap::getBool(std::string_view name) const {
  return get<bool>(*this, name, "true or false");
}

int64_t ParamMap::getInt(std::string_view name) const {
  return get<int64_t>(*this, name, "a whole number");
}

double ParamMap::getFloat(std::string_view name) const {
  const ParamValue* value = find(name);
  if (value != nullptr && std::holds_alternative<int64_t>(*value))
    return static_cast<double>(std::get<int64_t>(*value));
  return get<double>(*this, name, "a number");
}

const std::string& ParamMap::getString(std::string_view name) const {
  return get<std::string>(*this, name, "a text");
}

std::vector<int64_t> ParamMap::getInts(std::string_view name) const {
  const ParamValue* value = find(name);
  if (value != nullptr && isEmptyList(*value)) return {};
  if (value != nullptr && std::holds_alternative<int64_t>(*value))
    return {std::get<int64_t>(*value)};
  return get<std::vector<int64_t>>(*this, name, "a list of whole numbers");
}

std::vector<double> ParamMap::getFloats(std::string_view name) const {
  const ParamValue* value = find(name);
  if (value != nullptr && isEmptyList(*value)) return {};
  auto numbers = value == nullptr ? std::nullopt : numbersOf(*value);
  if (!numbers) refuse(name, "a list of numbers", value);
  return *std::move(numbers);
}

std::vector<std::string> ParamMap::getStrings(std::string_view name) const {
  const ParamValue* value = find(name);
  if (value != nullptr && isEmptyList(*value)) return {};
  if (value != nullptr && std::holds_alternative<std::string>(*value))
    return {std::get<std::string>(*value)};
  return get<std::vector<std::string>>(*this, name, "a list of texts");
}

bool operator==(const ParamMap& a, const ParamMap& b) {
  if (a.size() != b.size()) return false;
  return std::all_of(a.begin(), a.end(), [&b](const ParamMap::Entry& entry) {
    const ParamValue* other = b.find(entry.first);
    return other != nullptr && sameValue(entry.second, *other);
  });
}

Json toJson(const ParamValue& value) {
  return std::visit(
      [](const auto& held) {
        if constexpr (kIsList<std::decay_t<decltype(held)>>) {
          return listJson(held);
        } else {
          return Json(held);
        }
      },
      value);
}

Json toJson(const ParamMap& map) {
  JsonObject members;
  members.reserve(map.size());
  for (const auto& [name, value] : map) members.push_back({name, toJson(value), {}});
  return Json(std::move(members));
}

std::string canonicalJson(const ParamMap& map) { return canonicalJson(toJson(map)); }

bool paramFromJson(const Json& json, ParamValue& value) {
  switch (json.kind()) {
    case Json::Kind::Bool:
      value = json.asBool();
      return true;
    case Json::Kind::Int:
      value = json.asInt();
      return true;
    case Json::Kind::Float:
      value = json.asDouble();
      return true;
    case Json::Kind::String:
      value = json.asString();
      return true;
    case Json::Kind::Array:
      break;
    default:
      return false;
  }
  const JsonArray& items = json.items();
  auto all = [&items](auto test) { return std::all_of(items.begin(), items.end(), test); };
  auto fill = [&](auto list, auto read) {
    for (const Json& item : items) list.push_back(read(item));
    value = std::move(list);
    return true;
  };
  if (all([](const Json& item) { return item.isInt(); }))
    return fill(std::vector<int64_t>(), [](const Json& item) { return item.asInt(); });
  if (all([](const Json& item) { return item.isNumber(); }))
    return fill(std::vector<double>(), [](const Json& item) { return item.asDouble(); });
  if (all([](const Json& item) { return item.isString(); }))
    return fill(std::vector<std::string>(), [](const Json& item) { return item.asString(); });
  return false;
}

}  // namespace tenon
