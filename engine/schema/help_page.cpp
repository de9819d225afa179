// SPDX-License-Identifier: Apache-2.0
// Markdown help from a schema.
#include "engine/schema/help_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tenon {
namespace {

/// A bound without the ".0" that marks doubles in files.
std::string bound(double x) {
  std::string text = numberText(x);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

/// Keeps a text from breaking out of its table cell.
std::string cell(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string row(const ParamSpec& spec) {
  std::string value =
      spec.required ? "(must be given)"
                    : fmt::format("`{}`", writeJson(toJson(spec.defaultValue), JsonStyle::OneLine));
  return fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", spec.name, paramTypeText(spec.type),
                     cell(value), cell(rangeText(spec)), cell(spec.unit), cell(spec.help));
}

}  // namespace

std::string rangeText(const ParamSpec& spec) {
  if (!spec.choices.empty()) return fmt::format("one of {}", fmt::join(spec.choices, ", "));
  if (spec.min && spec.max)
    return fmt::format("{} {} x {} {}", bound(*spec.min), spec.minExclusive ? "<" : "<=",
                       spec.maxExclusive ? "<" : "<=", bound(*spec.max));
  if (spec.min)
    return spec.minExclusive ? "more than " + bound(*spec.min) : bound(*spec.min) + " or more";
  if (spec.max)
    return spec.maxExclusive ? "less than " + bound(*spec.max) : bound(*spec.max) + " or less";
  return "";
}

std::string helpPage(const HelpSubject& subject, const ParamSchema& schema) {
  std::string out = fmt::format("# {} (`{}`)\n\n{}\n", subject.title, subject.id, subject.summary);
  if (schema.empty()) return out + "\nIt has no parameters.\n";
  std::vector<std::string> groups;
  for (const ParamSpec& spec : schema)
    if (std::find(groups.begin(), groups.end(), spec.group) == groups.end())
      groups.push_back(spec.group);
  for (const std::string& group : groups) {
    out += fmt::format("\n## {}\n\n", group.empty() ? "Parameters" : group);
    out += "| name | type | default | range | unit | meaning |\n|---|---|---|---|---|---|\n";
    for (const ParamSpec& spec : schema)
      if (spec.group == group) out += row(spec);
  }
  return out;
}

}  // namespace tenon
