// SPDX-License-Identifier: Apache-2.0
// JSON as text: one layout for equal values, so that a changed setting is a changed line.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/schema/json.h"

namespace tenon {
namespace {

constexpr size_t kColumns = 100;

/// Bytes of a valid UTF-8 character at `at`, or 0. Only its shape is looked at, which is enough to
/// write it.
size_t characterBytes(std::string_view text, size_t at) {
  auto first = static_cast<unsigned char>(text[at]);
  size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (first > 0xF4 || at + length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80) return 0;
  return length;
}

void writeString(std::string& out, std::string_view text) {
  static constexpr std::string_view kPlain = "\"\\\b\f\n\r\t";
  static constexpr std::string_view kEscaped = "\"\\bfnrt";
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (size_t i = 0; i < text.size();) {
    size_t which = kPlain.find(text[i]);
    auto byte = static_cast<unsigned char>(text[i]);
    size_t length = characterBytes(text, i);
    if (which != std::string_view::npos) {
      out += '\\';
      out += kEscaped[which];
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    } else if (length == 0) {
      out += "\xEF\xBF\xBD";  // U+FFFD instead of a byte that is not UTF-8
    } else {
      out.append(text, i, length);
    }
    i += std::max<size_t>(length, 1);
  }
  out += '"';
}

bool isContainer(const Json& json) { return json.isArray() || json.isObject(); }

bool holdsObject(const Json& json) {
  if (json.isObject()) return true;
  if (!json.isArray()) return false;
  return std::any_of(json.items().begin(), json.items().end(), holdsObject);
}

/// Number of characters, not bytes.
size_t textWidth(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

class JsonWriter {
 public:
  explicit JsonWriter(bool sorted) : sorted_(sorted) {}

  void oneLine(const Json& json) { line(json, SIZE_MAX); }

  void pretty(const Json& json, int level) {
    if (!isContainer(json) || fits(json, level)) return;
    bool object = json.isObject();
    size_t count = object ? json.members().size() : json.items().size();
    text_ += object ? "{\n" : "[\n";
    for (size_t i = 0; i < count; ++i) {
      text_.append(2 * static_cast<size_t>(level + 1), ' ');
      if (object) key(json.members()[i].key);
      const Json& item = object ? json.members()[i].value : json.items()[i];
      if (isContainer(item)) {
        pretty(item, level + 1);
      } else {
        scalar(item);
      }
      text_ += i + 1 < count ? ",\n" : "\n";
    }
    text_.append(2 * static_cast<size_t>(level), ' ');
    text_ += object ? '}' : ']';
  }

  void scalar(const Json& json) {
    switch (json.kind()) {
      case Json::Kind::Bool:
        text_ += json.asBool() ? "true" : "false";
        break;
      case Json::Kind::Int:
        text_ += std::to_string(json.asInt());
        break;
      case Json::Kind::Float:
        text_ += numberText(json.asDouble());
        break;
      case Json::Kind::String:
        writeString(text_, json.asString());
        break;
      default:
        text_ += "null";
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void key(const std::string& name) {
    writeString(text_, name);
    text_ += ": ";
  }

  /// Writes the container on the rest of the line if it belongs there; else leaves the text as it
  /// was.
  bool fits(const Json& json, int level) {
    bool empty = json.isObject() ? json.members().empty() : json.items().empty();
    if (!empty) {
      if (level < 2) return false;
      auto nested = [](const auto& member) { return holdsObject(member.value); };
      bool deep = json.isObject()
                      ? std::any_of(json.members().begin(), json.members().end(), nested)
                      : holdsObject(json);
      if (deep) return false;
    }
    size_t before = text_.size();
    size_t lineStart = text_.rfind('\n') + 1;  // npos + 1 is 0
    size_t used = textWidth(std::string_view(text_).substr(lineStart));
    size_t room = kColumns - 1 - std::min(kColumns - 1, used);  // 1 for the comma
    if (line(json, before + 4 * room) && textWidth(std::string_view(text_).substr(before)) <= room)
      return true;
    text_.resize(before);
    return false;
  }

  /// Writes on one line; false as soon as the text is longer than `limit` bytes.
  bool line(const Json& json, size_t limit) {
    if (!isContainer(json)) {
      scalar(json);
      return text_.size() <= limit;
    }
    bool first = true;
    auto comma = [&] {
      if (!first) text_ += ", ";
      first = false;
    };
    if (json.isArray()) {
      text_ += '[';
      for (const Json& item : json.items()) {
        comma();
        if (!line(item, limit)) return false;
      }
      text_ += ']';
    } else {
      text_ += '{';
      for (const JsonMember* member : ordered(json.members())) {
        comma();
        key(member->key);
        if (!line(member->value, limit)) return false;
      }
      text_ += '}';
    }
    return text_.size() <= limit;
  }

  std::vector<const JsonMember*> ordered(const JsonObject& members) const {
    std::vector<const JsonMember*> out;
    out.reserve(members.size());
    for (const JsonMember& member : members) out.push_back(&member);
    if (sorted_)
      std::sort(out.begin(), out.end(), [](auto* a, auto* b) { return a->key < b->key; });
    return out;
  }

  bool sorted_;
  std::string text_;
};

}  // namespace

std::string writeJson(const Json& value, JsonStyle style) {
  JsonWriter writer(false);
  if (style == JsonStyle::OneLine) {
    writer.oneLine(value);
    return writer.take();
  }
  if (isContainer(value)) {
    writer.pretty(value, 0);
  } else {
    writer.scalar(value);
  }
  return writer.take() + '\n';
}

std::string canonicalJson(const Json& value) {
  JsonWriter writer(true);
  writer.oneLine(value);
  return writer.take();
}

std::string numberText(double value) {
  if (!std::isfinite(value)) return "null";
  char buffer[32];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace tenon
