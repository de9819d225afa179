// SPDX-License-Identifier: Apache-2.0
// Strict JSON reading: recursive descent with the position of every value and messages a person can
// act on.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "engine/schema/json.h"

namespace tenon {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordChar(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Bytes of the UTF-8 character at the start of `text`, 0 if it is none (also overlong forms and
/// surrogates).
size_t utf8Length(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(0);
  if (first < 0x80) return 1;
  size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  bool outside = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
  return overlong || outside ? 0 : length;
}

void appendUtf8(std::string& out, uint32_t c) {
  auto put = [&out](uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

/// Reads one text. Functions that read return false after fail() has noted the one issue.
class JsonReader {
 public:
  JsonReader(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  JsonResult read(const std::string& file) {
    JsonResult result;
    bool ok = value(result.value, 0);
    if (ok) {
      skipSpace();
      if (at_ < text_.size())
        ok = fail(TENON_TEXT("expected the end of the file, got {0}"), {got()});
    }
    if (!ok) {
      result.value = Json();
      issue_.place.file = file;
      result.issues.push_back(std::move(issue_));
    }
    return result;
  }

 private:
  bool failAt(JsonPos pos, const char* text, std::vector<std::string> args) {
    issue_ = Issue{Severity::Error, "json.syntax", text, std::move(args), {}};
    issue_.place.line = pos.line;
    issue_.place.column = pos.column;
    return false;
  }
  bool fail(const char* text, std::vector<std::string> args = {}) {
    return failAt(pos_, text, std::move(args));
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void step() {
    auto byte = static_cast<unsigned char>(text_[at_++]);
    if (byte == '\n') {
      ++pos_.line;
      pos_.column = 1;
    } else if ((byte & 0xC0) != 0x80) {
      ++pos_.column;
    }
  }

  void skipSpace() {
    while (at_ < text_.size() &&
           (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t'))
      step();
  }

  /// What stands here, for a message.
  std::string got() const {
    if (at_ >= text_.size()) return "the end of the file";
    size_t end = at_;
    while (end < text_.size() && end < at_ + 20 && isWordChar(text_[end])) ++end;
    if (end > at_) return fmt::format("'{}'", text_.substr(at_, end - at_));
    size_t length = utf8Length(text_.substr(at_));
    auto byte = static_cast<unsigned char>(text_[at_]);
    if (length == 0 || byte < 0x20 || byte == 0x7F) return fmt::format("the byte {:02x}", byte);
    return fmt::format("'{}'", text_.substr(at_, length));
  }

  bool value(Json& out, int depth) {
    skipSpace();
    JsonPos start = pos_;
    if (++values_ > limits_.values)
      return fail(TENON_TEXT("more than {0} values"), {std::to_string(limits_.values)});
    bool ok = false;
    char c = peek();
    if (c == '{' || c == '[') {
      if (depth >= limits_.nesting)
        return fail(TENON_TEXT("nested deeper than {0} levels"), {std::to_string(limits_.nesting)});
      ok = c == '{' ? object(out, depth) : array(out, depth);
    } else if (c == '"') {
      std::string text;
      ok = string(text);
      out = Json(std::move(text));
    } else if (c == '-' || isDigit(c)) {
      ok = number(out);
    } else {
      ok = word(out);
    }
    out.pos = start;
    return ok;
  }

  bool word(Json& out) {
    size_t end = at_;
    while (end < text_.size() && isWordChar(text_[end])) ++end;
    std::string_view word = text_.substr(at_, end - at_);
    if (word == "true") {
      out = Json(true);
    } else if (word == "false") {
      out = Json(false);
    } else if (word == "null") {
      out = Json();
    } else if (peek() == '/' || peek() == '#') {
      return fail(TENON_TEXT("expected a value, got {0}; JSON has no comments"), {got()});
    } else if (peek() == '\'') {
      return fail(TENON_TEXT("expected a value, got {0}; texts stand in double quotes"), {got()});
    } else {
      return fail(TENON_TEXT("expected a value, got {0}"), {got()});
    }
    while (at_ < end) step();
    return true;
  }

  /// Steps over digits; at least one must be there.
  bool digits() {
    if (!isDigit(peek())) return fail(TENON_TEXT("expected a digit, got {0}"), {got()});
    while (isDigit(peek())) step();
    return true;
  }

  bool number(Json& out) {
    size_t begin = at_;
    JsonPos start = pos_;
    bool whole = true;
    if (peek() == '-') step();
    size_t firstDigit = at_;
    if (!digits()) return false;
    if (text_[firstDigit] == '0' && at_ > firstDigit + 1)
      return failAt(start, TENON_TEXT("a number must not start with 0"), {});
    if (peek() == '.') {
      whole = false;
      step();
      if (!digits()) return false;
    }
    if (peek() == 'e' || peek() == 'E') {
      whole = false;
      step();
      if (peek() == '+' || peek() == '-') step();
      if (!digits()) return false;
    }
    return convert(out, text_.substr(begin, at_ - begin), whole, start);
  }

  bool convert(Json& out, std::string_view text, bool whole, JsonPos start) {
    const char* end = text.data() + text.size();
    int64_t integer = 0;
    if (whole && text != "-0" && std::from_chars(text.data(), end, integer).ec == std::errc()) {
      out = Json(integer);
      return true;
    }
    double real = 0;
    if (std::from_chars(text.data(), end, real).ec != std::errc())
      return failAt(start, TENON_TEXT("the number {0} is outside the range of a double"),
                    {std::string(text.substr(0, 40))});
    out = Json(real);
    return true;
  }

  bool string(std::string& out) {
    JsonPos start = pos_;
    step();
    while (true) {
      if (at_ >= text_.size())
        return failAt(start, TENON_TEXT("the text that starts here is not closed"), {});
      char c = peek();
      if (c == '"') {
        step();
        return true;
      }
      if (c == '\\') {
        if (!escape(out)) return false;
        continue;
      }
      if (c == '\n')
        return failAt(start, TENON_TEXT("the text that starts here is not closed"), {});
      if (static_cast<unsigned char>(c) < 0x20)
        return fail(TENON_TEXT("{0} must be written as an escape in a text"), {got()});
      size_t length = utf8Length(text_.substr(at_));
      if (length == 0) return fail(TENON_TEXT("{0} is not UTF-8"), {got()});
      out.append(text_, at_, length);
      for (; length > 0; --length) step();
    }
  }

  bool escape(std::string& out) {
    JsonPos start = pos_;
    step();
    static constexpr std::string_view kNames = "\"\\/bfnrt";
    static constexpr std::string_view kChars = "\"\\/\b\f\n\r\t";
    size_t which = at_ < text_.size() ? kNames.find(peek()) : std::string_view::npos;
    if (which != std::string_view::npos) {
      out += kChars[which];
      step();
      return true;
    }
    if (peek() != 'u') return failAt(start, TENON_TEXT("unknown escape \\ {0}"), {got()});
    uint32_t code = 0;
    if (!hex4(code)) return false;
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
      uint32_t low = 0;
      step();
      if (!hex4(low)) return false;
      if (low >= 0xDC00 && low < 0xE000) code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code >= 0xD800 && code < 0xE000)
      return failAt(start, TENON_TEXT("half of a surrogate pair"), {});
    appendUtf8(out, code);
    return true;
  }

  /// Reads "u" and four hexadecimal digits.
  bool hex4(uint32_t& code) {
    step();
    for (int i = 0; i < 4; ++i, step()) {
      char c = peek();
      uint32_t digit = isDigit(c)             ? static_cast<uint32_t>(c - '0')
                       : c >= 'a' && c <= 'f' ? static_cast<uint32_t>(c - 'a' + 10)
                       : c >= 'A' && c <= 'F' ? static_cast<uint32_t>(c - 'A' + 10)
                                              : 16;
      if (digit > 15) return fail(TENON_TEXT("expected a hexadecimal digit, got {0}"), {got()});
      code = code * 16 + digit;
    }
    return true;
  }

  /// After an item: true and `more` for a comma, true and not `more` for the closing bracket.
  bool separator(char close, bool& more) {
    skipSpace();
    char c = peek();
    if (at_ >= text_.size() || (c != ',' && c != close))
      return fail(TENON_TEXT("expected ',' or '{0}', got {1}"), {std::string(1, close), got()});
    more = c == ',';
    step();
    if (!more) return true;
    skipSpace();
    if (peek() == close && at_ < text_.size())
      return fail(TENON_TEXT("expected another item after ',', got '{0}'"),
                  {std::string(1, close)});
    return true;
  }

  bool array(Json& out, int depth) {
    JsonArray items;
    step();
    skipSpace();
    bool more = peek() != ']';
    if (!more) step();
    while (more) {
      items.emplace_back();
      if (!value(items.back(), depth + 1) || !separator(']', more)) return false;
    }
    out = Json(std::move(items));
    return true;
  }

  bool object(Json& out, int depth) {
    JsonObject members;
    step();
    skipSpace();
    bool more = peek() != '}';
    if (!more) step();
    while (more) {
      members.emplace_back();
      if (!member(members.back(), depth) || !separator('}', more)) return false;
    }
    if (!uniqueKeys(members)) return false;
    out = Json(std::move(members));
    return true;
  }

  bool member(JsonMember& out, int depth) {
    skipSpace();
    out.pos = pos_;
    if (peek() != '"')
      return fail(TENON_TEXT("expected a name in double quotes, got {0}"), {got()});
    if (!string(out.key)) return false;
    skipSpace();
    if (peek() != ':')
      return fail(TENON_TEXT("expected ':' after \"{0}\", got {1}"), {out.key, got()});
    step();
    return value(out.value, depth + 1);
  }

  bool uniqueKeys(const JsonObject& members) {
    std::vector<const JsonMember*> order;
    order.reserve(members.size());
    for (const JsonMember& member : members) order.push_back(&member);
    std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->key < b->key; });
    auto twin = std::adjacent_find(order.begin(), order.end(),
                                   [](auto* a, auto* b) { return a->key == b->key; });
    if (twin == order.end()) return true;
    return failAt(twin[1]->pos,
                  TENON_TEXT("\"{0}\" stands here a second time; the first is in line {1}"),
                  {twin[1]->key, std::to_string(twin[0]->pos.line)});
  }

  std::string_view text_;
  JsonLimits limits_;
  size_t at_ = 0;
  JsonPos pos_{1, 1};
  int64_t values_ = 0;
  Issue issue_;
};

}  // namespace

JsonResult readJson(std::string_view text, const std::string& file, const JsonLimits& limits) {
  return JsonReader(text, limits).read(file);
}

Json parseJson(std::string_view text, const JsonLimits& limits) {
  JsonResult result = readJson(text, "", limits);
  if (result.ok()) return std::move(result.value);
  const Issue& issue = result.issues.front();
  throw Error(Code::Input, fmt::format("line {}, column {}: {}", issue.place.line,
                                       issue.place.column, issueText(issue)));
}

}  // namespace tenon
