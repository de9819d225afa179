// SPDX-License-Identifier: Apache-2.0
// Markdown help from a schema.
#include "engine/schema/help_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace tenon {
namespace {

/// A bound as a person writes it: whole ones without ".0" and without exponent.
std::string bound(double x) {
  if (std::floor(x) == x && std::fabs(x) < 1e15) return fmt::format("{:.0f}", x);
  return numberText(x);
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
  if (spec.min && spec.max && !spec.minExclusive && !spec.maxExclusive)
    return fmt::format("{} to {}", bound(*spec.min), bound(*spec.max));
  if (spec.min && spec.max)
    return fmt::format("{} {} and {} {}", spec.minExclusive ? "more than" : "at least",
                       bound(*spec.min), spec.maxExclusive ? "less than" : "at most",
                       bound(*spec.max));
  if (spec.min) return (spec.minExclusive ? "more than " : "at least ") + bound(*spec.min);
  if (spec.max) return (spec.maxExclusive ? "less than " : "at most ") + bound(*spec.max);
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
