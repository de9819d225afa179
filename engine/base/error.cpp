// SPDX-License-Identifier: Apache-2.0
// Errors and issues turned into text.
#include "engine/base/error.h"

#include <array>

namespace tenon {

std::string_view codeName(Code code) {
  static constexpr std::array<std::string_view, 11> kNames = {
      "usage", "input", "shape",   "type",    "device",  "memory",
      "io",    "busy",  "version", "stopped", "internal"};
  return kNames[static_cast<size_t>(code)];
}

Error::Error(Code code, std::string message, int osError)
    : code_(code), osError_(osError), message_(std::move(message)), text_(message_) {}
Error::~Error() = default;
Error::Error(const Error&) = default;
Error& Error::operator=(const Error&) = default;

Error& Error::addContext(std::string where) {
  text_ = where + ": " + text_;
  context_.push_back(std::move(where));
  return *this;
}

std::string fillTemplate(std::string_view text, const std::vector<std::string>& args) {
  std::string out;
  out.reserve(text.size() + 16 * args.size());
  for (size_t i = 0; i < text.size(); ++i) {
    size_t end = text[i] == '{' ? text.find('}', i) : std::string_view::npos;
    size_t number = 0;
    bool isNumber = end != std::string_view::npos && end > i + 1 && end < i + 4;
    for (size_t k = i + 1; isNumber && k < end; ++k) {
      isNumber = text[k] >= '0' && text[k] <= '9';
      number = number * 10 + static_cast<size_t>(text[k] - '0');
    }
    if (isNumber && number < args.size()) {
      out += args[number];
      i = end;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string issueText(const Issue& issue) { return fillTemplate(issue.text, issue.args); }

std::string issueLine(const Issue& issue) {
  const Place& at = issue.place;
  std::string out = at.file;
  if (at.line > 0) {
    out += (out.empty() ? "line " : ":") + std::to_string(at.line);
    if (at.column > 0) out += ":" + std::to_string(at.column);
  }
  auto part = [&out](const std::string& text) { out += (out.empty() ? "" : ": ") + text; };
  if (at.row >= 0) part("row " + std::to_string(at.row));
  if (!at.node.empty()) part("node '" + at.node + "'");
  if (!at.field.empty()) part("field '" + at.field + "'");
  part(issueText(issue));
  return out;
}

bool hasErrors(const Issues& issues) {
  for (const Issue& issue : issues)
    if (issue.severity == Severity::Error) return true;
  return false;
}

void throwIfErrors(const Issues& issues, Code code) {
  std::string text;
  for (const Issue& issue : issues)
    if (issue.severity == Severity::Error) text += (text.empty() ? "" : "\n") + issueLine(issue);
  if (!text.empty()) throw Error(code, text);
}

}  // namespace tenon
