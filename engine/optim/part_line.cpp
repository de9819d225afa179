// SPDX-License-Identifier: Apache-2.0
// Reading of one-line parts.
#include "engine/optim/part_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/schema/validate.h"

namespace tenon {
namespace {

std::vector<std::string> wordsOf(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  bool begun = false;
  for (const char c : line) {
    const bool blank = c == ' ' || c == '\t';
    if (blank && !quoted) {
      if (begun) words.push_back(std::move(word));
      word.clear();
      begun = false;
      continue;
    }
    begun = true;
    if (c == '"') {
      quoted = !quoted;
    } else {
      word += c;
    }
  }
  if (begun) words.push_back(std::move(word));
  return words;
}

}  // namespace

PartLine parsePartLine(std::string_view owner, std::string_view line) {
  PartLine part;
  for (std::string& word : wordsOf(line)) {
    const size_t equals = word.find('=');
    if (part.name.empty()) {
      part.name = std::move(word);
    } else if (equals == std::string::npos) {
      part.words.push_back(std::move(word));
    } else {
      std::string key = word.substr(0, equals);
      const bool twice = std::any_of(part.settings.begin(), part.settings.end(),
                                     [&](const auto& setting) { return setting.first == key; });
      if (twice)
        throw Error(Code::Input, fmt::format("{}: '{}' says '{}' twice", owner, line, key));
      part.settings.emplace_back(std::move(key), word.substr(equals + 1));
    }
  }
  if (part.name.empty()) throw Error(Code::Input, fmt::format("{}: there is an empty line", owner));
  return part;
}

ParamMap settingsOf(std::string_view owner, const PartLine& line, const ParamSchema& schema) {
  ParamMap values;
  Issues issues;
  for (const auto& [key, text] : line.settings) {
    const ParamSpec* spec = schema.find(key);
    if (!spec) {
      values.set(key, text);
      continue;
    }
    ParamCheck check = parseParam(*spec, text);
    if (check.issue) issues.push_back(*check.issue);
    if (check.value) values.set(key, *check.value);
  }
  // Mandatory ones that are missing are named by whoever completes the values.
  for (Issue& issue : validate(schema, values))
    if (issue.code != "schema.missing") issues.push_back(std::move(issue));
  std::string text;
  for (const Issue& issue : issues) text += (text.empty() ? "" : "; ") + issueText(issue);
  if (!issues.empty())
    throw Error(Code::Input, fmt::format("{}: '{}': {}", owner, line.name, text));
  return values;
}

}  // namespace tenon
