// SPDX-License-Identifier: Apache-2.0
// One value or a whole map against its schema.
#include "engine/schema/validate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "engine/schema/help_page.h"
#include "engine/schema/suggest.h"

namespace tenon {
namespace {

Place placeOf(const std::string& name, const Place& at) {
  Place place = at;
  place.field = at.field.empty() ? name : at.field + "." + name;
  return place;
}

struct IssueText {
  const char* code;
  const char* text;
  std::vector<std::string> args;
};

Issue makeIssue(const std::string& name, const Place& at, IssueText what) {
  return Issue{Severity::Error, what.code, what.text, std::move(what.args), placeOf(name, at)};
}

/// A value as a message quotes it, not longer than a line.
std::string quoted(const ParamValue& value) {
  std::string text = writeJson(toJson(value), JsonStyle::OneLine);
  constexpr size_t kLongest = 60;
  if (text.size() <= kLongest) return text;
  size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

ParamCheck wrongType(const ParamSpec& spec, const ParamValue& value, const Place& at) {
  std::string wanted(paramTypeText(spec.type));
  return {std::nullopt, makeIssue(spec.name, at,
                                  {"schema.wrong-type",
                                   TENON_TEXT("parameter '{0}' expects {1}, got {2}"),
                                   {spec.name, wanted, quoted(value)}})};
}

bool inRange(const ParamSpec& spec, double x) {
  if (!std::isfinite(x)) return false;
  if (spec.min && (spec.minExclusive ? x <= *spec.min : x < *spec.min)) return false;
  return !(spec.max && (spec.maxExclusive ? x >= *spec.max : x > *spec.max));
}

/// A double that is whole and exactly an int64.
std::optional<int64_t> wholeNumber(const ParamValue& value) {
  if (const auto* i = std::get_if<int64_t>(&value)) return *i;
  const auto* d = std::get_if<double>(&value);
  if (d == nullptr || std::floor(*d) != *d || std::fabs(*d) > 9007199254740992.0)
    return std::nullopt;
  return static_cast<int64_t>(*d);
}

std::optional<double> realNumber(const ParamValue& value) {
  if (const auto* i = std::get_if<int64_t>(&value)) return static_cast<double>(*i);
  const auto* d = std::get_if<double>(&value);
  return d == nullptr ? std::nullopt : std::optional(*d);
}

std::optional<std::string> textOf(const ParamValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

/// The value as a list of Item, each item through `read`; a single item stands for `minCount` equal
/// ones.
template <class Item, class Read>
std::optional<std::vector<Item>> listOf(const ParamSpec& spec, const ParamValue& value,
                                        Read&& read) {
  if (auto one = read(value)) return std::vector<Item>(std::max<size_t>(1, spec.minCount), *one);
  std::vector<Item> out;
  bool good = std::visit(
      [&](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::vector<int64_t>> ||
                      std::is_same_v<Held, std::vector<double>> ||
                      std::is_same_v<Held, std::vector<std::string>>) {
          for (const auto& item : held) {
            auto converted = read(ParamValue(item));
            if (!converted) return false;
            out.push_back(*std::move(converted));
          }
          return true;
        } else {
          return false;
        }
      },
      value);
  return good ? std::optional(std::move(out)) : std::nullopt;
}

template <class T>
std::optional<ParamValue> boxed(std::optional<T>&& value) {
  return value ? std::optional<ParamValue>(*std::move(value)) : std::nullopt;
}

/// The value in the type that the spec wants, or none.
std::optional<ParamValue> converted(const ParamSpec& spec, const ParamValue& value) {
  switch (spec.type) {
    case ParamType::Bool:
      return std::holds_alternative<bool>(value) ? std::optional(value) : std::nullopt;
    case ParamType::Int:
      return boxed(wholeNumber(value));
    case ParamType::Float:
      return boxed(realNumber(value));
    case ParamType::String:
    case ParamType::Choice:
    case ParamType::Path:
      return boxed(textOf(value));
    case ParamType::IntList:
      return boxed(listOf<int64_t>(spec, value, wholeNumber));
    case ParamType::FloatList:
      return boxed(listOf<double>(spec, value, realNumber));
    case ParamType::StringList:
      return boxed(listOf<std::string>(spec, value, textOf));
  }
  return std::nullopt;
}

/// Every number of the value, and how many elements it has as a list.
struct Contents {
  std::vector<double> numbers;
  std::optional<size_t> count;
};

Contents contentsOf(const ParamValue& value) {
  Contents out;
  if (auto number = realNumber(value)) out.numbers.push_back(*number);
  auto list = [&](const auto& items) {
    out.count = items.size();
    if constexpr (!std::is_same_v<std::decay_t<decltype(items)>, std::vector<std::string>>)
      for (auto item : items) out.numbers.push_back(static_cast<double>(item));
  };
  if (const auto* ints = std::get_if<std::vector<int64_t>>(&value)) list(*ints);
  if (const auto* floats = std::get_if<std::vector<double>>(&value)) list(*floats);
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) list(*texts);
  return out;
}

std::string countText(const ParamSpec& spec) {
  if (spec.minCount == spec.maxCount) return std::to_string(spec.minCount);
  if (spec.maxCount == SIZE_MAX) return fmt::format("{} or more", spec.minCount);
  return fmt::format("{} to {}", spec.minCount, spec.maxCount);
}

/// "a, b"; an empty choice, which stands for none, in quotes.
std::string choicesText(const std::vector<std::string>& choices) {
  std::string text;
  for (const std::string& choice : choices) {
    if (&choice != &choices.front()) text += ", ";
    text += choice.empty() ? "\"\"" : choice;
  }
  return text;
}

/// The rule that a value of the right type breaks; `given` is the value as it was written.
std::optional<IssueText> brokenRule(const ParamSpec& spec, const ParamValue& value,
                                    const ParamValue& given) {
  if (spec.type == ParamType::Choice) {
    const auto& text = std::get<std::string>(value);
    for (const std::string& choice : spec.choices)
      if (choice == text) return std::nullopt;
    return IssueText{"schema.unknown-choice",
                     TENON_TEXT("parameter '{0}' expects one of {1}; got {2}"),
                     {spec.name, choicesText(spec.choices), quoted(given)}};
  }
  Contents contents = contentsOf(value);
  if (contents.count && (*contents.count < spec.minCount || *contents.count > spec.maxCount))
    return IssueText{"schema.count",
                     TENON_TEXT("parameter '{0}' expects {1} values, got {2}"),
                     {spec.name, countText(spec), std::to_string(*contents.count)}};
  for (double x : contents.numbers) {
    if (inRange(spec, x)) continue;
    std::string wanted = rangeText(spec);
    return IssueText{"schema.out-of-range",
                     TENON_TEXT("parameter '{0}' expects {1}, got {2}"),
                     {spec.name, wanted.empty() ? "a finite number" : wanted, quoted(given)}};
  }
  return std::nullopt;
}

Issue unknownParameter(const ParamSchema& schema, const std::string& name, const Place& at) {
  std::string nearest = nearestName(name, schema.names());
  if (!nearest.empty())
    return makeIssue(name, at,
                     {"schema.unknown-parameter",
                      TENON_TEXT("unknown parameter '{0}'; did you mean '{1}'?"),
                      {name, nearest}});
  if (schema.empty())
    return makeIssue(name, at,
                     {"schema.unknown-parameter",
                      TENON_TEXT("unknown parameter '{0}'; none is expected here"),
                      {name}});
  return makeIssue(name, at,
                   {"schema.unknown-parameter",
                    TENON_TEXT("unknown parameter '{0}'; known are {1}"),
                    {name, fmt::format("{}", fmt::join(schema.names(), ", "))}});
}

}  // namespace

ParamCheck checkParam(const ParamSpec& spec, const ParamValue& value, const Place& at) {
  auto typed = converted(spec, value);
  if (!typed) return wrongType(spec, value, at);
  if (auto rule = brokenRule(spec, *typed, value))
    return {std::nullopt, makeIssue(spec.name, at, *std::move(rule))};
  return {std::move(typed), std::nullopt};
}

Issues validate(const ParamSchema& schema, const ParamMap& map, const Place& at) {
  Issues issues;
  for (const auto& [name, value] : map) {
    if (const ParamSpec* spec = schema.find(name)) {
      ParamCheck check = checkParam(*spec, value, at);
      if (check.issue) issues.push_back(*std::move(check.issue));
    } else {
      issues.push_back(unknownParameter(schema, name, at));
    }
  }
  for (const ParamSpec& spec : schema) {
    if (!spec.required || map.contains(spec.name)) continue;
    issues.push_back(makeIssue(spec.name, at,
                               {"schema.missing",
                                TENON_TEXT("parameter '{0}' is missing; it expects {1}"),
                                {spec.name, std::string(paramTypeText(spec.type))}}));
  }
  return issues;
}

ParamMap completeParams(const ParamSchema& schema, const ParamMap& map, const Place& at) {
  throwIfErrors(validate(schema, map, at));
  ParamMap out;
  for (const ParamSpec& spec : schema) {
    const ParamValue* given = map.find(spec.name);
    out.set(spec.name, given == nullptr ? spec.defaultValue : *checkParam(spec, *given).value);
  }
  return out;
}

}  // namespace tenon
