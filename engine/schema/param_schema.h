// SPDX-License-Identifier: Apache-2.0
// ParamSchema: which parameters a definition has. It drives file, validation, form, command line
// and help page.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/export.h"
#include "engine/schema/param_map.h"

namespace tenon {

enum class ParamType { Bool, Int, Float, String, Choice, Path, IntList, FloatList, StringList };

/// "true or false", "a whole number", ... as a message says it.
TENON_API std::string_view paramTypeText(ParamType type) noexcept;

/// One parameter. Made by the functions below and refined by the chained calls:
///
///     intParam("out_channels", 32).atLeast(1).describe(TENON_TEXT("Number of filters"))
struct TENON_API ParamSpec {
  std::string name;  ///< snake_case, as in the file
  ParamType type = ParamType::Int;
  ParamValue defaultValue = int64_t{0};
  bool required = false;             ///< no default: the file must give it
  std::vector<std::string> choices;  ///< of a Choice
  std::optional<double> min;         ///< of a number or of each number of a list
  std::optional<double> max;
  bool minExclusive = false;
  bool maxExclusive = false;
  bool logScale = false;  ///< editors step by factors
  size_t minCount = 0;    ///< of a list
  size_t maxCount = SIZE_MAX;
  std::string unit;   ///< "px", "s", ...; shown behind the field
  std::string help;   ///< one English sentence, marked TENON_TEXT where it is written
  std::string label;  ///< name in a form; empty: made from `name`
  std::string group;  ///< heading in a form; empty: none
  bool advanced = false;

  ParamSpec&& range(double low, double high) &&;
  ParamSpec&& atLeast(double low) &&;
  ParamSpec&& above(double low) &&;  ///< exclusive
  ParamSpec&& atMost(double high) &&;
  ParamSpec&& below(double high) &&;  ///< exclusive
  ParamSpec&& onLogScale() &&;
  /// Number of elements of a list; a single number in a file stands for `low` equal ones.
  ParamSpec&& count(size_t low, size_t high) &&;
  ParamSpec&& mandatory() &&;
  ParamSpec&& inUnit(std::string text) &&;
  ParamSpec&& describe(std::string text) &&;
  ParamSpec&& called(std::string text) &&;
  ParamSpec&& inGroup(std::string text) &&;
  ParamSpec&& forExperts() &&;

  /// `label`, or "Out channels" for out_channels.
  std::string labelText() const;
};

TENON_API ParamSpec boolParam(std::string name, bool defaultValue);
TENON_API ParamSpec intParam(std::string name, int64_t defaultValue);
TENON_API ParamSpec floatParam(std::string name, double defaultValue);
TENON_API ParamSpec stringParam(std::string name, std::string defaultValue);
TENON_API ParamSpec choiceParam(std::string name, std::string defaultValue,
                                std::vector<std::string> choices);
TENON_API ParamSpec pathParam(std::string name, std::string defaultValue);
TENON_API ParamSpec intListParam(std::string name, std::vector<int64_t> defaultValue);
TENON_API ParamSpec floatListParam(std::string name, std::vector<double> defaultValue);
TENON_API ParamSpec stringListParam(std::string name, std::vector<std::string> defaultValue);

/// The parameters of one definition, in the order of the form. Immutable.
class TENON_API ParamSchema {
 public:
  ParamSchema() = default;
  /// @throws Error(Code::Internal) for two parameters of one name or a default that its own rules
  /// refuse.
  ParamSchema(std::initializer_list<ParamSpec> specs);
  explicit ParamSchema(std::vector<ParamSpec> specs);

  size_t size() const noexcept { return specs_.size(); }
  bool empty() const noexcept { return specs_.empty(); }
  auto begin() const noexcept { return specs_.begin(); }
  auto end() const noexcept { return specs_.end(); }
  const ParamSpec* find(std::string_view name) const noexcept;
  std::vector<std::string> names() const;
  /// The defaults of all parameters that have one.
  ParamMap defaults() const;

 private:
  std::vector<ParamSpec> specs_;
};

}  // namespace tenon
