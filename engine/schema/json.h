// SPDX-License-Identifier: Apache-2.0
// A small JSON value that knows where in its file it stood; strict reading, stable and diffable
// writing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/export.h"

namespace tenon {

/// Line and column (in characters) from 1; 0 means "not from a file".
struct JsonPos {
  int32_t line = 0;
  int32_t column = 0;
  friend bool operator==(const JsonPos&, const JsonPos&) = default;
};

struct JsonMember;
class Json;
TENON_API bool operator==(const JsonMember& a, const JsonMember& b);
using JsonArray = std::vector<Json>;
using JsonObject = std::vector<JsonMember>;  ///< keeps the order of the file; keys are unique

/// A JSON value. Whole numbers that fit 64 bits stay integers, everything else is a double.
class TENON_API Json {
 public:
  enum class Kind { Null, Bool, Int, Float, String, Array, Object };

  Json() noexcept;
  Json(std::nullptr_t) noexcept;     // NOLINT
  Json(bool value) noexcept;         // NOLINT
  Json(int value) noexcept;          // NOLINT
  Json(int64_t value) noexcept;      // NOLINT
  Json(double value) noexcept;       // NOLINT
  Json(const char* value);           // NOLINT
  Json(std::string value) noexcept;  // NOLINT
  Json(std::string_view value);      // NOLINT
  Json(JsonArray value) noexcept;    // NOLINT
  Json(JsonObject value) noexcept;   // NOLINT
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();
  static Json array();
  static Json object();

  Kind kind() const noexcept { return static_cast<Kind>(value_.index()); }
  bool isNull() const noexcept { return kind() == Kind::Null; }
  bool isBool() const noexcept { return kind() == Kind::Bool; }
  bool isInt() const noexcept { return kind() == Kind::Int; }
  bool isNumber() const noexcept { return kind() == Kind::Int || kind() == Kind::Float; }
  bool isString() const noexcept { return kind() == Kind::String; }
  bool isArray() const noexcept { return kind() == Kind::Array; }
  bool isObject() const noexcept { return kind() == Kind::Object; }

  /// The value. @throws Error(Code::Type) naming wanted and got when it is of another kind.
  bool asBool() const;
  int64_t asInt() const;
  double asDouble() const;  ///< Int or Float
  const std::string& asString() const;
  const JsonArray& items() const;
  JsonArray& items();
  const JsonObject& members() const;
  JsonObject& members();

  /// The member called `key`, or null if there is none or this is no object.
  const Json* find(std::string_view key) const noexcept;
  Json* find(std::string_view key) noexcept;
  /// Replaces the member or appends it; a null value becomes an object first.
  void set(std::string_view key, Json value);
  /// Removes the member; false if there was none.
  bool erase(std::string_view key);
  /// Appends to an array; a null value becomes an array first.
  void push(Json value);

  JsonPos pos;  ///< where the value starts; not part of equality

  /// Same kinds and values; the order of members does not matter.
  TENON_API friend bool operator==(const Json& a, const Json& b);

 private:
  std::variant<std::monostate, bool, int64_t, double, std::string, JsonArray, JsonObject> value_;
};

struct JsonMember {
  std::string key;
  Json value;
  JsonPos pos;  ///< where the key starts
};

// Each of these needs the variant's destructor, and so a complete JsonMember.
inline Json::Json() noexcept = default;
inline Json::Json(std::nullptr_t) noexcept {}
inline Json::Json(bool value) noexcept : value_(value) {}
inline Json::Json(int value) noexcept : value_(int64_t{value}) {}
inline Json::Json(int64_t value) noexcept : value_(value) {}
inline Json::Json(double value) noexcept : value_(value) {}
inline Json::Json(const char* value) : value_(std::string(value)) {}
inline Json::Json(std::string value) noexcept : value_(std::move(value)) {}
inline Json::Json(std::string_view value) : value_(std::string(value)) {}
inline Json::Json(const Json& other) = default;
inline Json::Json(Json&& other) noexcept = default;
inline Json& Json::operator=(const Json& other) = default;
inline Json& Json::operator=(Json&& other) noexcept = default;
inline Json::~Json() = default;
inline Json Json::array() { return Json(JsonArray()); }

/// Name of a kind as a message says it: "a number", "a list", ...
TENON_API std::string_view kindText(Json::Kind kind) noexcept;

struct JsonLimits {
  int nesting = 64;
  int64_t values = 150'000;  ///< keeps the memory of a hostile file below 16 MB plus twice its size
};

/// What readJson() found. On a fault `value` is null and `issues` holds one error with line and
/// column.
struct JsonResult {
  Json value;
  Issues issues;
  bool ok() const noexcept { return issues.empty(); }
};

/// Reads RFC 8259 JSON strictly: UTF-8, no comments, no duplicate keys, no trailing text.
/// `file` is only named in the issue.
TENON_API JsonResult readJson(std::string_view text, const std::string& file = "",
                              const JsonLimits& limits = {});
/// As readJson(). @throws Error(Code::Input) "line 12, column 7: wanted ..., got ...".
TENON_API Json parseJson(std::string_view text, const JsonLimits& limits = {});

enum class JsonStyle {
  Pretty,   ///< 2 spaces; below the second level, what has no object inside and fits 100 columns is
            ///< one line
  OneLine,  ///< "{"a": 1, "b": [2, 3]}" without a newline
};

/// Writes the value; Pretty ends with a newline. Equal values in equal order give equal bytes.
TENON_API std::string writeJson(const Json& value, JsonStyle style = JsonStyle::Pretty);
/// Members sorted by key, one line: equal values give equal bytes. For hashes.
TENON_API std::string canonicalJson(const Json& value);

/// Shortest text that reads back as the same double, always recognizable as one ("2.0", "1e-05").
/// Infinity and NaN, which JSON does not have, give "null".
TENON_API std::string numberText(double value);

}  // namespace tenon
