// SPDX-License-Identifier: Apache-2.0
// A scanner that knows just enough C++ to tell code, comments and literals apart.
#include "tests/architecture/source_text.h"

#include <cctype>

namespace tenon::architecture {
namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Copies a source and blanks what is not wanted; `at_` walks through the input once.
class Scanner {
 public:
  Scanner(std::string_view text, bool keepLiterals) : text_(text), keepLiterals_(keepLiterals) {}

  std::string run() {
    out_.reserve(text_.size());
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  bool looksAt(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
  void copy() { out_ += text_[at_++]; }
  void blank() {
    out_ += text_[at_] == '\n' ? '\n' : ' ';
    ++at_;
  }
  void blankUntil(size_t end) {
    while (at_ < end && at_ < text_.size()) blank();
  }

  void step() {
    if (looksAt("//")) {
      blankUntil(text_.find('\n', at_));
    } else if (looksAt("/*")) {
      size_t end = text_.find("*/", at_ + 2);
      blankUntil(end == std::string_view::npos ? text_.size() : end + 2);
    } else if (text_[at_] == '"') {
      literal();
    } else if (text_[at_] == '\'' && !isDigitSeparator()) {
      quoted('\'');
    } else {
      copy();
    }
  }

  /// 1'000: the quote follows a word that starts with a digit.
  bool isDigitSeparator() const {
    size_t start = at_;
    while (start > 0 && (isWord(text_[start - 1]) || text_[start - 1] == '\'')) --start;
    return start < at_ && std::isdigit(static_cast<unsigned char>(text_[start])) != 0;
  }

  void literal() {
    bool raw = at_ > 0 && text_[at_ - 1] == 'R' &&
               (at_ == 1 || !isWord(text_[at_ - 2]) ||
                std::string_view("uUL8").find(text_[at_ - 2]) != std::string_view::npos);
    if (!raw) return quoted('"');
    size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return copy();
    std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    size_t end = text_.find(close, open);
    body(end == std::string_view::npos ? text_.size() : end + close.size());
  }

  void quoted(char quote) {
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
      end += text_[end] == '\\' ? 2 : 1;
    body(end + 1);
  }

  /// Copies or empties the literal from here up to `end`; its first and last character stay.
  void body(size_t end) {
    if (end > text_.size()) end = text_.size();
    copy();
    while (at_ + 1 < end) keepLiterals_ ? copy() : blank();
    if (at_ < end) copy();
  }

  std::string_view text_;
  bool keepLiterals_;
  size_t at_ = 0;
  std::string out_;
};

void blankPreprocessor(std::string& text) {
  bool continued = false;
  size_t start = 0;
  while (start < text.size()) {
    size_t end = text.find('\n', start);
    if (end == std::string::npos) end = text.size();
    size_t first = text.find_first_not_of(" \t", start);
    bool directive = continued || (first < end && text[first] == '#');
    continued = directive && end > start && text[end - 1] == '\\';
    if (directive) text.replace(start, end - start, end - start, ' ');
    start = end + 1;
  }
}

}  // namespace

std::string withoutComments(std::string_view text) { return Scanner(text, true).run(); }

std::string codeOnly(std::string_view text) {
  std::string code = Scanner(text, false).run();
  blankPreprocessor(code);
  return code;
}

std::vector<Include> includesOf(std::string_view text) {
  std::string code = withoutComments(text);
  std::vector<Include> found;
  int number = 0;
  for (std::string_view line : linesOf(code)) {
    ++number;
    line = trimmed(line);
    if (line.substr(0, 1) != "#") continue;
    line = trimmed(line.substr(1));
    if (line.substr(0, 7) != "include") continue;
    line = trimmed(line.substr(7));
    if (line.empty() || (line[0] != '"' && line[0] != '<')) continue;
    size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
    if (end == std::string_view::npos) continue;
    found.push_back({number, std::string(line.substr(1, end - 1)), line[0] == '"'});
  }
  return found;
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

int columnsOf(std::string_view line) {
  int columns = 0;
  for (char c : line) columns += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  return columns;
}

std::string_view trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace tenon::architecture
