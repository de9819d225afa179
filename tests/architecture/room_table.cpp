// SPDX-License-Identifier: Apache-2.0
// Reads the Markdown tables and answers who may include what.
#include "tests/architecture/room_table.h"

#include <algorithm>
#include <stdexcept>

#include "tests/architecture/source_text.h"

namespace tenon::architecture {
namespace {

constexpr std::string_view kOwnFolder = "./";

/// Cells of a Markdown table line, each as the names in backticks it holds.
std::vector<std::vector<std::string>> cellsOf(std::string_view line) {
  std::vector<std::vector<std::string>> cells;
  line = trimmed(line);
  if (line.empty() || line.front() != '|') return cells;
  bool inName = false;
  for (char c : line.substr(0, line.size() - (line.back() == '|' ? 1 : 0))) {
    if (c == '|' && !inName)
      cells.emplace_back();
    else if (c == '`' && (inName = !inName))
      cells.back().emplace_back();
    else if (c != '`' && inName)
      cells.back().back() += c;
  }
  return cells;
}

bool isPattern(std::string_view name) { return name.find('*') != std::string_view::npos; }

bool isFolderOfRooms(std::string_view name) {
  return name.size() > 2 && name.substr(name.size() - 2) == "/*";
}

std::string_view folderOf(std::string_view path) { return path.substr(0, path.rfind('/')); }

/// For "ui/panels/*" and "ui/panels/train/x.h": "ui/panels/train".
std::string_view roomFolder(std::string_view pattern, std::string_view path) {
  size_t end = path.find('/', pattern.size() - 1);
  return path.substr(0, end);
}

bool anyMatches(const std::vector<std::string>& patterns, std::string_view path) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return matches(pattern, path); });
}

bool isHeader(std::string_view path) {
  std::string_view end =
      path.substr(path.rfind('.') == std::string_view::npos ? path.size() : path.rfind('.'));
  return end == ".h" || end == ".cuh" || end == ".hpp";
}

}  // namespace

bool matches(std::string_view pattern, std::string_view path) {
  size_t star = pattern.find('*');
  if (star == std::string_view::npos)
    return path.substr(0, pattern.size()) == pattern &&
           (path.size() == pattern.size() || path[pattern.size()] == '/');
  std::string_view begin = pattern.substr(0, star);
  std::string_view end = pattern.substr(star + 1);
  if (path.size() <= begin.size() + end.size() || path.substr(0, begin.size()) != begin)
    return false;
  if (isFolderOfRooms(pattern)) return path.find('/', begin.size()) != std::string_view::npos;
  return path.substr(path.size() - end.size()) == end;
}

RoomTable RoomTable::parse(std::string_view markdown) {
  RoomTable table;
  enum { None, Rooms, Outside } reading = None;
  for (std::string_view line : linesOf(markdown)) {
    std::string_view text = trimmed(line);
    if (text.substr(0, 1) != "|") {
      reading = None;
    } else if (text.substr(0, 17) == "| room | may use ") {
      reading = Rooms;
    } else if (text.substr(0, 18) == "| outside header |") {
      reading = Outside;
    } else if (reading != None && text.substr(0, 4) != "|---") {
      std::vector<std::vector<std::string>> cells = cellsOf(text);
      cells.resize(3);
      if (reading == Rooms) table.addRoom(cells);
      for (const std::string& prefix : cells[0])
        if (reading == Outside) table.outside_.push_back({prefix, cells[1], cells[2]});
    }
  }
  if (table.rooms_.empty()) throw std::runtime_error("no table '| room | may use |' found");
  std::set<std::string> done;
  std::vector<std::string> path;
  for (auto& [name, room] : table.rooms_) table.close(name, path, done);
  return table;
}

void RoomTable::addRoom(const std::vector<std::vector<std::string>>& cells) {
  for (const std::string& name : cells[0])
    if (!rooms_.emplace(name, Room{name, cells[1], cells[2], {}}).second)
      throw std::runtime_error("room '" + name + "' stands twice in the table");
}

/// An entry that is no room itself stands for every room below it.
std::vector<std::string> RoomTable::expand(const std::string& entry) const {
  if (rooms_.count(entry) != 0) return {entry};
  std::vector<std::string> found;
  for (const auto& [name, room] : rooms_)
    if (matches(entry, name)) found.push_back(name);
  if (found.empty()) throw std::runtime_error("'" + entry + "' in the table is no room");
  return found;
}

/// Fills `allowed` of a room after those of the rooms it uses; `path` leads here, to show a circle.
void RoomTable::close(const std::string& name, std::vector<std::string>& path,
                      std::set<std::string>& done) {
  if (std::find(path.begin(), path.end(), name) != path.end()) {
    std::string circle;
    for (const std::string& step : path) circle += step + " -> ";
    throw std::runtime_error("the rooms form a circle: " + circle + name);
  }
  if (done.count(name) != 0) return;
  path.push_back(name);
  Room& room = rooms_.at(name);
  for (const std::string& entry : room.uses) {
    if (entry == kOwnFolder) continue;
    for (const std::string& used : expand(entry)) {
      if (used == name && entry != used) continue;  // "engine" written in a row of engine's own
      close(used, path, done);
      const std::set<std::string>& more = rooms_.at(used).allowed;
      room.allowed.insert(more.begin(), more.end());
      room.allowed.insert(used);
    }
  }
  for (const std::string& entry : room.never)
    for (const auto& [other, unused] : rooms_)
      if (matches(entry, other)) room.allowed.erase(other);
  path.pop_back();
  done.insert(name);
}

const Room* RoomTable::roomOf(std::string_view path) const {
  const Room* best = nullptr;
  for (const auto& [name, room] : rooms_) {
    if (!matches(name, path)) continue;
    bool files = isPattern(name) && !isFolderOfRooms(name);
    bool bestFiles = best != nullptr && isPattern(best->name) && !isFolderOfRooms(best->name);
    if (best == nullptr || files > bestFiles ||
        (files == bestFiles && name.size() > best->name.size()))
      best = &room;
  }
  return best;
}

bool RoomTable::mayInclude(std::string_view from, std::string_view to) const {
  const Room* room = roomOf(from);
  const Room* target = roomOf(to);
  if (room == nullptr || target == nullptr) return false;
  bool ownFolder = std::find(room->uses.begin(), room->uses.end(), kOwnFolder) != room->uses.end();
  if (ownFolder && folderOf(from) == folderOf(to)) return true;
  if (room != target) return room->allowed.count(target->name) != 0;
  if (!isFolderOfRooms(room->name)) return true;
  return roomFolder(room->name, from) == roomFolder(room->name, to);
}

bool RoomTable::mayIncludeOutside(std::string_view from, std::string_view header) const {
  const OutsideRule* best = nullptr;
  for (const OutsideRule& rule : outside_)
    if (header.substr(0, rule.prefix.size()) == rule.prefix &&
        (best == nullptr || rule.prefix.size() > best->prefix.size()))
      best = &rule;
  return best == nullptr || anyMatches(isHeader(from) ? best->headers : best->sources, from);
}

}  // namespace tenon::architecture
