// SPDX-License-Identifier: Apache-2.0
// Building parameter specifications and schemas.
#include "engine/schema/param_schema.h"

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/schema/validate.h"

namespace tenon {
namespace {

ParamSpec makeParam(std::string&& name, ParamType type, ParamValue&& defaultValue) {
  ParamSpec spec;
  spec.name = std::move(name);
  spec.type = type;
  spec.defaultValue = std::move(defaultValue);
  return spec;
}

}  // namespace

std::string_view paramTypeText(ParamType type) noexcept {
  switch (type) {
    case ParamType::Bool:
      return TENON_TEXT("true or false");
    case ParamType::Int:
      return TENON_TEXT("a whole number");
    case ParamType::Float:
      return TENON_TEXT("a number");
    case ParamType::String:
      return TENON_TEXT("a text");
    case ParamType::Choice:
      return TENON_TEXT("a choice");
    case ParamType::Path:
      return TENON_TEXT("a path");
    case ParamType::IntList:
      return TENON_TEXT("a list of whole numbers");
    case ParamType::FloatList:
      return TENON_TEXT("a list of numbers");
    case ParamType::StringList:
      return TENON_TEXT("a list of texts");
  }
  return "";
}

ParamSpec&& ParamSpec::range(double low, double high) && {
  min = low;
  max = high;
  return std::move(*this);
}
ParamSpec&& ParamSpec::atLeast(double low) && {
  min = low;
  return std::move(*this);
}
ParamSpec&& ParamSpec::above(double low) && {
  min = low;
  minExclusive = true;
  return std::move(*this);
}
ParamSpec&& ParamSpec::atMost(double high) && {
  max = high;
  return std::move(*this);
}
ParamSpec&& ParamSpec::below(double high) && {
  max = high;
  maxExclusive = true;
  return std::move(*this);
}
ParamSpec&& ParamSpec::onLogScale() && {
  logScale = true;
  return std::move(*this);
}
ParamSpec&& ParamSpec::count(size_t low, size_t high) && {
  minCount = low;
  maxCount = high;
  return std::move(*this);
}
ParamSpec&& ParamSpec::mandatory() && {
  required = true;
  return std::move(*this);
}
ParamSpec&& ParamSpec::inUnit(std::string text) && {
  unit = std::move(text);
  return std::move(*this);
}
ParamSpec&& ParamSpec::describe(std::string text) && {
  help = std::move(text);
  return std::move(*this);
}
ParamSpec&& ParamSpec::called(std::string text) && {
  label = std::move(text);
  return std::move(*this);
}
ParamSpec&& ParamSpec::inGroup(std::string text) && {
  group = std::move(text);
  return std::move(*this);
}
ParamSpec&& ParamSpec::forExperts() && {
  advanced = true;
  return std::move(*this);
}

std::string ParamSpec::labelText() const {
  if (!label.empty() || name.empty()) return label;
  std::string text = name;
  for (char& c : text)
    if (c == '_') c = ' ';
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

ParamSpec boolParam(std::string name, bool defaultValue) {
  return makeParam(std::move(name), ParamType::Bool, defaultValue);
}
ParamSpec intParam(std::string name, int64_t defaultValue) {
  return makeParam(std::move(name), ParamType::Int, defaultValue);
}
ParamSpec floatParam(std::string name, double defaultValue) {
  return makeParam(std::move(name), ParamType::Float, defaultValue);
}
ParamSpec stringParam(std::string name, std::string defaultValue) {
  return makeParam(std::move(name), ParamType::String, std::move(defaultValue));
}
ParamSpec choiceParam(std::string name, std::string defaultValue,
                      std::vector<std::string> choices) {
  ParamSpec spec = makeParam(std::move(name), ParamType::Choice, std::move(defaultValue));
  spec.choices = std::move(choices);
  return spec;
}
ParamSpec pathParam(std::string name, std::string defaultValue) {
  return makeParam(std::move(name), ParamType::Path, std::move(defaultValue));
}
ParamSpec intListParam(std::string name, std::vector<int64_t> defaultValue) {
  return makeParam(std::move(name), ParamType::IntList, std::move(defaultValue));
}
ParamSpec floatListParam(std::string name, std::vector<double> defaultValue) {
  return makeParam(std::move(name), ParamType::FloatList, std::move(defaultValue));
}
ParamSpec stringListParam(std::string name, std::vector<std::string> defaultValue) {
  return makeParam(std::move(name), ParamType::StringList, std::move(defaultValue));
}

ParamSchema::ParamSchema(std::initializer_list<ParamSpec> specs)
    : ParamSchema(std::vector<ParamSpec>(specs)) {}

ParamSchema::ParamSchema(std::vector<ParamSpec> specs) : specs_(std::move(specs)) {
  for (ParamSpec& spec : specs_) {
    if (find(spec.name) != &spec)
      throw Error(Code::Internal, fmt::format("two parameters are called '{}'", spec.name));
    if (spec.required) continue;
    ParamCheck check = checkParam(spec, spec.defaultValue);
    if (check.issue)
      throw Error(Code::Internal,
                  fmt::format("a default breaks its rule: {}", issueText(*check.issue)));
    spec.defaultValue = *std::move(check.value);
  }
}

const ParamSpec* ParamSchema::find(std::string_view name) const noexcept {
  for (const ParamSpec& spec : specs_)
    if (spec.name == name) return &spec;
  return nullptr;
}

std::vector<std::string> ParamSchema::names() const {
  std::vector<std::string> out;
  out.reserve(specs_.size());
  for (const ParamSpec& spec : specs_) out.push_back(spec.name);
  return out;
}

ParamMap ParamSchema::defaults() const {
  ParamMap out;
  for (const ParamSpec& spec : specs_)
    if (!spec.required) out.set(spec.name, spec.defaultValue);
  return out;
}

}  // namespace tenon
