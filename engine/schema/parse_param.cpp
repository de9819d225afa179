// SPDX-License-Identifier: Apache-2.0
// Values as a person types them on the command line or in a field.
#include <charconv>

#include "engine/schema/validate.h"

namespace tenon {
namespace {

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

template <class Number>
std::optional<Number> whole(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Number out{};
  const char* end = text.data() + text.size();
  auto [at, fault] = std::from_chars(text.data(), end, out);
  return fault == std::errc() && at == end ? std::optional(out) : std::nullopt;
}

/// "2e-3", "0.002" or a fraction "1/255".
std::optional<double> realText(std::string_view text) {
  size_t slash = text.find('/');
  if (slash == std::string_view::npos) return whole<double>(text);
  auto above = whole<double>(trimmed(text.substr(0, slash)));
  auto below = whole<double>(trimmed(text.substr(slash + 1)));
  return above && below && *below != 0 ? std::optional(*above / *below) : std::nullopt;
}

std::optional<bool> boolText(std::string_view text) {
  if (text == "true" || text == "yes" || text == "on") return true;
  if (text == "false" || text == "no" || text == "off") return false;
  return std::nullopt;
}

/// The items of "[a, b]" or "a, b"; an item in double quotes may hold commas.
std::vector<std::string> listItems(std::string_view text) {
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']')
    text = trimmed(text.substr(1, text.size() - 2));
  std::vector<std::string> out;
  if (text.empty()) return out;
  bool inQuotes = false;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '"') inQuotes = !inQuotes;
    if (i < text.size() && (text[i] != ',' || inQuotes)) continue;
    std::string_view item = trimmed(text.substr(begin, i - begin));
    bool isQuoted = item.size() >= 2 && item.front() == '"' && item.back() == '"';
    out.emplace_back(isQuoted ? item.substr(1, item.size() - 2) : item);
    begin = i + 1;
  }
  return out;
}

template <class Item, class Read>
std::optional<ParamValue> listValue(std::string_view text, Read read) {
  std::vector<Item> out;
  for (const std::string& item : listItems(text)) {
    auto value = read(std::string_view(item));
    if (!value) return std::nullopt;
    out.push_back(*value);
  }
  // One value without brackets may stand for several equal ones (checkParam).
  if (out.size() == 1 && text.front() != '[') return ParamValue(std::move(out.front()));
  return ParamValue(std::move(out));
}

template <class T>
std::optional<ParamValue> boxed(std::optional<T> value) {
  return value ? std::optional<ParamValue>(*value) : std::nullopt;
}

std::optional<ParamValue> valueOf(ParamType type, std::string_view text) {
  switch (type) {
    case ParamType::Bool:
      return boxed(boolText(text));
    case ParamType::Int:
      if (auto integer = whole<int64_t>(text)) return ParamValue(*integer);
      return boxed(realText(text));  // "1e3" is whole too; checkParam decides
    case ParamType::Float:
      return boxed(realText(text));
    case ParamType::IntList:
      return listValue<int64_t>(text, whole<int64_t>);
    case ParamType::FloatList:
      return listValue<double>(text, realText);
    case ParamType::StringList:
      return listValue<std::string>(
          text, [](std::string_view s) { return std::optional(std::string(s)); });
    default:
      return ParamValue(std::string(text));
  }
}

}  // namespace

ParamCheck parseParam(const ParamSpec& spec, std::string_view text, const Place& at) {
  auto value = valueOf(spec.type, trimmed(text));
  // What is not even a value of the type is shown as the text that was typed.
  return checkParam(spec, value ? *value : ParamValue(std::string(text)), at);
}

}  // namespace tenon
