// SPDX-License-Identifier: Apache-2.0
// Classifies every opening brace by the text before it; a function's lines are counted to its end.
#include "tests/architecture/function_lengths.h"

#include <algorithm>
#include <cctype>
#include <regex>

#include "tests/architecture/source_text.h"

namespace tenon::architecture {
namespace {

enum class Kind {
  Declarations,  // file, namespace, class
  Function,
  Lambda,
  Block,       // if, for, ... inside a function
  Table,       // braced initializer, enumerators
  MemberInit,  // a_{1} in a constructor's initializer list
};

struct Scope {
  Kind kind = Kind::Declarations;
  int braceLine = 0;
  int headLine = 0;
  int tableLines = 0;
  int parentheses = 0;  // depth outside, to be restored
  std::string head;     // text before the brace
};

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string lastWord(std::string_view text) {
  text = trimmed(text);
  size_t start = text.size();
  while (start > 0 && isWord(text[start - 1])) --start;
  return std::string(text.substr(start));
}

/// Position of the bracket that opens what closes at `close`, or npos.
size_t opening(std::string_view text, size_t close, char open) {
  int depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    if (text[i] == text[close]) ++depth;
    if (text[i] == open && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// Text at parenthesis depth 0, each parenthesised group left as "()"; "?" if one closes that did
/// not open.
std::string outerText(std::string_view text) {
  std::string out;
  int depth = 0;
  for (char c : text) {
    if (c == ')' && --depth < 0) return "?";
    if (depth == 0) out += c;
    if (c == '(') ++depth;
  }
  return out;
}

/// True if `head` ends in a lambda's capture list, with or without parameters.
bool endsInLambda(std::string_view head) {
  constexpr size_t kFar = 400;  // no capture list is that far from its brace
  if (head.size() > kFar) head.remove_prefix(head.size() - kFar);
  static const std::regex kRest(
      R"(\s*(<[^{}]*>)?\s*(\(\))?\s*((mutable|noexcept|constexpr)\s*)*(->.*)?\s*)");
  for (size_t i = head.size(); i-- > 0;) {
    if (head[i] != ']') continue;
    std::string rest = outerText(head.substr(i + 1));
    if (!std::regex_match(rest, kRest)) continue;
    size_t open = opening(head, i, '[');
    if (open == std::string_view::npos) continue;
    std::string_view before = trimmed(head.substr(0, open));
    char last = before.empty() ? '(' : before.back();
    if (last == ']' || last == ')') continue;
    if (!isWord(last) || lastWord(before) == "return") return true;
  }
  return false;
}

/// `head` without what may stand before a declaration: access labels, attributes, template<...>.
std::string declaration(std::string_view head) {
  static const std::regex kPrefix(
      R"(^\s*(Q_OBJECT\b|\[\[[^\]]*\]\]|(typedef|static|inline|constexpr|const|friend)\b)\s*)");
  std::string text(trimmed(head));
  for (bool changed = true; changed;) {
    std::smatch match;
    changed = std::regex_search(text, match, kPrefix) && match.length() > 0;
    if (changed) text = match.suffix();
    if (text.rfind("template", 0) != 0) continue;
    int depth = 0;
    size_t end = text.find('<');
    for (; end < text.size(); ++end) {
      depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
      if (depth == 0) break;
    }
    text = end < text.size() ? std::string(trimmed(text.substr(end + 1))) : "";
    changed = true;
  }
  return text;
}

Kind kindOfType(std::string_view text, Kind otherwise) {
  static const std::regex kScope(R"(^(class|struct|union|namespace|extern)\b)");
  static const std::regex kEnum(R"(^enum\b)");
  std::string begin(text);
  if (std::regex_search(begin, kEnum)) return Kind::Table;
  return std::regex_search(begin, kScope) ? Kind::Declarations : otherwise;
}

/// What opens among declarations.
Kind kindOfDeclaration(std::string_view head) {
  static const std::regex kOperator(R"(operator\s*[^\sA-Za-z0-9_(]+)");
  static const std::regex kInitializers(R"(\)[^:]*[^:]:[^:])");
  if (endsInLambda(head)) return Kind::Lambda;
  std::string text = declaration(head);
  Kind kind = kindOfType(text, Kind::Function);
  bool externC = text.rfind("extern", 0) == 0;
  if (kind != Kind::Function && !(externC && text.find('(') != std::string::npos)) return kind;
  std::string outer = std::regex_replace(outerText(text), kOperator, "operator");
  if (outer.find('=') != std::string::npos) return Kind::Table;
  if (outer.find('(') == std::string::npos) return Kind::Table;
  char last = outer.back();
  bool inInitializers = std::regex_search(outer + " ", kInitializers);
  return inInitializers && (isWord(last) || last == '>') ? Kind::MemberInit : Kind::Function;
}

/// What opens among statements or inside a table.
Kind kindOfStatement(std::string_view head, Kind parent) {
  if (endsInLambda(head)) return Kind::Lambda;
  Kind kind = kindOfType(declaration(head), Kind::Block);
  if (kind != Kind::Block) return kind;
  if (parent == Kind::Table || parent == Kind::MemberInit) return Kind::Table;
  std::string_view text = trimmed(head);
  if (text.empty() || text.back() == ')' || text.back() == ':') return Kind::Block;
  std::string word = lastWord(text);
  return word == "else" || word == "do" || word == "try" ? Kind::Block : Kind::Table;
}

class Counter {
 public:
  std::vector<FunctionLength> run(std::string_view code) {
    scopes_.push_back({});
    for (char c : code) {
      if (c == '{')
        open();
      else if (c == '}')
        close();
      else
        other(c);
    }
    return std::move(found_);
  }

 private:
  void other(char c) {
    if (c == '(') ++parentheses_;
    if (c == ')') --parentheses_;
    if (c == '\n') ++line_;
    if (c == ';' && parentheses_ <= 0) return clearHead();
    if (c == ':' && isAccessLabel()) return clearHead();
    if (headLine_ == 0 && std::isspace(static_cast<unsigned char>(c)) == 0) headLine_ = line_;
    head_ += c == '\n' ? ' ' : c;
  }

  bool isAccessLabel() const {
    if (scopes_.back().kind != Kind::Declarations) return false;
    static const std::regex kLabel(
        R"(\s*(Q_OBJECT\s+)?(public|private|protected|Q_SIGNALS)(\s+Q_SLOTS)?\s*)");
    return head_.size() < 200 && std::regex_match(head_, kLabel);
  }

  void clearHead() {
    head_.clear();
    headLine_ = 0;
  }

  void open() {
    Kind parent = scopes_.back().kind;
    Kind kind =
        parent == Kind::Declarations ? kindOfDeclaration(head_) : kindOfStatement(head_, parent);
    int start = kind == Kind::Lambda || headLine_ == 0 ? line_ : headLine_;
    scopes_.push_back({kind, line_, start, 0, parentheses_, std::move(head_)});
    outerHeadLine_.push_back(headLine_);
    parentheses_ = 0;
    clearHead();
  }

  void close() {
    if (scopes_.size() < 2) return clearHead();
    Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    bool callable = scope.kind == Kind::Function || scope.kind == Kind::Lambda;
    if (callable)
      found_.push_back(
          {shortName(scope), scope.headLine, line_ - scope.headLine + 1 - scope.tableLines});
    Scope& outer = scopes_.back();
    if (scope.kind == Kind::Table && outer.kind != Kind::Table)
      outer.tableLines += line_ - scope.braceLine;
    else if (outer.kind != Kind::Table)
      outer.tableLines += scope.tableLines;
    parentheses_ = scope.parentheses;
    bool goesOn =
        scope.kind == Kind::Lambda || scope.kind == Kind::Table || scope.kind == Kind::MemberInit;
    clearHead();
    if (goesOn) {
      head_ = outer.kind == Kind::Table ? "()" : scope.head + "()";
      headLine_ = outerHeadLine_.back();
    }
    outerHeadLine_.pop_back();
  }

  static std::string shortName(const Scope& scope) {
    if (scope.kind == Kind::Lambda) return "lambda";
    std::string text = declaration(scope.head);
    static const std::regex kBlanks(R"(\s+)");
    text = std::regex_replace(text, kBlanks, " ");
    return std::string(trimmed(text.substr(0, 60)));
  }

  std::vector<Scope> scopes_;
  std::vector<int> outerHeadLine_;
  std::vector<FunctionLength> found_;
  std::string head_;
  int headLine_ = 0;
  int line_ = 1;
  int parentheses_ = 0;
};

}  // namespace

std::vector<FunctionLength> functionLengths(std::string_view text) {
  return Counter().run(codeOnly(text));
}

}  // namespace tenon::architecture
