// SPDX-License-Identifier: Apache-2.0
// ParamMap: the values of parameters by name, in order; what a definition (layer, optimizer, ...)
// is given.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/export.h"
#include "engine/schema/json.h"

namespace tenon {

/// A value of a parameter. Choices and paths are strings; ParamType says what a value means.
using ParamValue = std::variant<bool, int64_t, double, std::string, std::vector<int64_t>,
                                std::vector<double>, std::vector<std::string>>;

/// Equal as a user sees it: 1 equals 1.0, all empty lists are equal.
TENON_API bool sameValue(const ParamValue& a, const ParamValue& b);

/// The value as text for a table or a message: JSON, but strings without quotes.
TENON_API std::string valueText(const ParamValue& value);

/// Values by name. Keeps the order they were set in; equality does not look at the order.
class TENON_API ParamMap {
 public:
  using Entry = std::pair<std::string, ParamValue>;

  ParamMap() = default;
  ParamMap(std::initializer_list<Entry> entries);
  /// Takes entries whose names are known to differ.
  static ParamMap ofUnique(std::vector<Entry> entries);

  size_t size() const noexcept { return entries_.size(); }
  bool empty() const noexcept { return entries_.empty(); }
  auto begin() const noexcept { return entries_.begin(); }
  auto end() const noexcept { return entries_.end(); }

  const ParamValue* find(std::string_view name) const noexcept;
  bool contains(std::string_view name) const noexcept { return find(name) != nullptr; }
  /// Replaces the value in place or appends it.
  void set(std::string_view name, ParamValue value);
  bool erase(std::string_view name);
  /// A copy with one value changed, for immutable Specs.
  ParamMap with(std::string_view name, ParamValue value) const;

  /// Typed access; an int serves as a float and a single number as a list of one.
  /// @throws Error(Code::Type) naming the parameter, wanted and got, also when it is missing.
  bool getBool(std::string_view name) const;
  int64_t getInt(std::string_view name) const;
  double getFloat(std::string_view name) const;
  const std::string& getString(std::string_view name) const;
  std::vector<int64_t> getInts(std::string_view name) const;
  std::vector<double> getFloats(std::string_view name) const;
  std::vector<std::string> getStrings(std::string_view name) const;

  TENON_API friend bool operator==(const ParamMap& a, const ParamMap& b);

 private:
  std::vector<Entry> entries_;
};

/// JSON of a value or of all values, in order.
TENON_API Json toJson(const ParamValue& value);
TENON_API Json toJson(const ParamMap& map);
/// One line, sorted by name: equal maps give equal bytes.
TENON_API std::string canonicalJson(const ParamMap& map);

/// The value of a JSON scalar or flat list without a schema. False for null, objects, nested or
/// mixed lists.
TENON_API bool paramFromJson(const Json& json, ParamValue& value);

}  // namespace tenon
