// SPDX-License-Identifier: Apache-2.0
// Applies the rules to files held as text.
#include "tests/architecture/tree_rules.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "tests/architecture/function_lengths.h"
#include "tests/architecture/source_text.h"

namespace tenon::architecture {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kTops = {"engine", "ui", "app", "plugins", "tests"};

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool isSource(std::string_view path) {
  constexpr std::array<std::string_view, 4> kEndings = {".h", ".cpp", ".cu", ".cuh"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view end) { return endsWith(path, end); });
}

bool isFromRoot(std::string_view target) {
  return std::any_of(kTops.begin(), kTops.end(),
                     [&](std::string_view top) { return matches(top, target); });
}

/// Moc's output is the one thing included by its bare name.
bool isGenerated(std::string_view target) {
  return endsWith(target, ".moc") || target.substr(0, 4) == "moc_";
}

std::string textOf(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// The licence a file must carry; empty where either will do.
std::string_view licenceOf(std::string_view path) {
  constexpr std::array<std::string_view, 3> kGpl = {"ui", "app/desktop", "tests/ui"};
  constexpr std::array<std::string_view, 4> kApache = {"engine", "app/cli", "tests/engine",
                                                       "plugins"};
  auto holds = [&](std::string_view folder) { return matches(folder, path); };
  if (std::any_of(kGpl.begin(), kGpl.end(), holds)) return "GPL-3.0-or-later";
  return std::any_of(kApache.begin(), kApache.end(), holds) ? "Apache-2.0" : "";
}

/// What a comment line says; C's comments are for the headers that C includes too.
std::string_view commentText(std::string_view line) {
  std::string_view begin = line.substr(0, 3);
  if (begin != "// " && begin != "/* ") return {};
  line.remove_prefix(3);
  if (begin == "/* " && endsWith(line, "*/")) line.remove_suffix(2);
  return trimmed(line);
}

bool isKernel(std::string_view path) {
  return endsWith(path, "_cpu.cpp") || endsWith(path, ".cu") || endsWith(path, ".cuh");
}

std::string number(int value, std::string_view what, int limit) {
  return std::to_string(value) + " " + std::string(what) + ", at most " + std::to_string(limit);
}

void append(std::vector<Finding>& all, std::vector<Finding> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::string findingLine(const Finding& finding) {
  return finding.path + ":" + std::to_string(finding.line) + ": " + finding.text;
}

Tree readTree(const fs::path& root) {
  Tree tree;
  for (std::string_view top : kTops) {
    if (!fs::is_directory(root / top)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
      std::string path = entry.path().lexically_relative(root).generic_string();
      if (entry.is_regular_file() && isSource(path)) tree[path] = textOf(entry.path());
    }
  }
  return tree;
}

std::vector<Finding> checkIncludes(const RoomTable& table, const std::string& path,
                                   std::string_view text) {
  const Room* room = table.roomOf(path);
  if (room == nullptr) return {{path, 1, "is in no room; name its folder in docs/architecture.md"}};
  std::vector<Finding> found;
  for (const Include& include : includesOf(text)) {
    const std::string& target = include.target;
    auto report = [&](const std::string& why) { found.push_back({path, include.line, why}); };
    if (isFromRoot(target)) {
      if (!include.quoted) report("include \"" + target + "\" with quotes");
      const Room* other = table.roomOf(target);
      if (other == nullptr)
        report("includes " + target + ", which is in no room");
      else if (!table.mayInclude(path, target))
        report("room '" + room->name + "' may not use '" + other->name + "' (" + target + ")");
    } else if (!table.mayIncludeOutside(path, target)) {
      report("may not include " + target + " (table of outside headers)");
    } else if (include.quoted && !isGenerated(target)) {
      report("include \"" + target + "\" by its path from the project's root");
    }
  }
  return found;
}

std::vector<Finding> checkFirstLines(const std::string& path, std::string_view text) {
  std::vector<std::string_view> lines = linesOf(text);
  lines.resize(std::max<size_t>(lines.size(), 2));
  constexpr std::string_view kSpdx = "SPDX-License-Identifier: ";
  std::string_view first = commentText(lines[0]);
  std::string_view licence = first.substr(std::min(kSpdx.size(), first.size()));
  std::string wanted(licenceOf(path));
  bool known = licence == "Apache-2.0" || licence == "GPL-3.0-or-later";
  std::vector<Finding> found;
  if (first.substr(0, kSpdx.size()) != kSpdx || !known || (!wanted.empty() && licence != wanted)) {
    if (wanted.empty()) wanted = "Apache-2.0 or GPL-3.0-or-later";
    found.push_back({path, 1, "wants the first line '// " + std::string(kSpdx) + wanted + "'"});
  }
  if (commentText(lines[1]).empty())
    found.push_back({path, 2, "wants a comment that says in one sentence what the file is for"});
  return found;
}

std::vector<Finding> checkLengths(const std::string& path, std::string_view text) {
  std::vector<Finding> found;
  std::vector<std::string_view> lines = linesOf(text);
  int count = static_cast<int>(lines.size());
  if (count > kMaxFileLines) found.push_back({path, count, number(count, "lines", kMaxFileLines)});
  for (int i = 0; i < count; ++i) {
    int columns = columnsOf(lines[static_cast<size_t>(i)]);
    if (columns > kMaxColumns)
      found.push_back({path, i + 1, number(columns, "columns", kMaxColumns)});
  }
  int limit = isKernel(path) ? kMaxKernelLines : kMaxFunctionLines;
  for (const FunctionLength& function : functionLengths(text))
    if (function.length > limit)
      found.push_back({path, function.firstLine,
                       "'" + function.name + "' has " + number(function.length, "lines", limit)});
  return found;
}

std::vector<Finding> checkCircles(const Tree& tree) {
  enum class State { Fresh, Open, Done };
  std::map<std::string, State> states;
  std::vector<Finding> found;
  std::vector<std::string> trail;
  std::function<void(const std::string&)> visit = [&](const std::string& path) {
    states[path] = State::Open;
    trail.push_back(path);
    for (const Include& include : includesOf(tree.at(path))) {
      if (tree.count(include.target) == 0) continue;
      State state = states[include.target];
      if (state == State::Fresh) visit(include.target);
      if (state != State::Open) continue;
      std::string circle;
      auto start = std::find(trail.begin(), trail.end(), include.target);
      for (auto step = start; step != trail.end(); ++step) circle += *step + " -> ";
      found.push_back({path, include.line, "circle of includes: " + circle + include.target});
    }
    trail.pop_back();
    states[path] = State::Done;
  };
  for (const auto& [path, text] : tree)
    if (states[path] == State::Fresh) visit(path);
  return found;
}

std::vector<Finding> checkTree(const RoomTable& table, const Tree& tree) {
  std::vector<Finding> found;
  for (const auto& [path, text] : tree) {
    append(found, checkFirstLines(path, text));
    append(found, checkIncludes(table, path, text));
    append(found, checkLengths(path, text));
  }
  append(found, checkCircles(tree));
  return found;
}

std::vector<Finding> checkProject(const fs::path& root) {
  RoomTable table = RoomTable::parse(textOf(root / "docs" / "architecture.md"));
  return checkTree(table, readTree(root));
}

}  // namespace tenon::architecture
