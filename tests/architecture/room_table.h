// SPDX-License-Identifier: Apache-2.0
// The tables of docs/architecture.md: which rooms there are and what each may include.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::architecture {

/// A line of the table "room | may use | never".
struct Room {
  std::string name;                ///< folder, or pattern with one '*'
  std::vector<std::string> uses;   ///< as written
  std::vector<std::string> never;  ///< as written; holds even for what others bring along
  std::set<std::string> allowed;  ///< rooms it may include: `uses` and, transitively, what they use
};

/// A line of the table "outside header | sources of | headers of".
struct OutsideRule {
  std::string prefix;                ///< how the name between the angle brackets begins
  std::vector<std::string> sources;  ///< folders or patterns whose sources may include it
  std::vector<std::string> headers;  ///< folders or patterns whose headers may include it
};

/// True if `path` is `pattern`, lies in that folder, or fits it with '*' standing for any text.
bool matches(std::string_view pattern, std::string_view path);

/// The rooms and rules. A room's name is a folder ("engine/base"), a pattern of files
/// ("engine/ops/*_cpu.cpp") or a folder of rooms that may not enter each other ("ui/panels/*").
class RoomTable {
 public:
  /// Reads both tables out of a Markdown text: names stand in `backticks`, other words are comment.
  /// @throws std::runtime_error if a name is unknown or given twice, or if the rooms form a circle.
  static RoomTable parse(std::string_view markdown);

  /// The room a file belongs to (the pattern or longest folder that fits), or nullptr.
  const Room* roomOf(std::string_view path) const;
  /// True if a file of this path may include the other one.
  bool mayInclude(std::string_view from, std::string_view to) const;
  /// True if a file may include <header>; headers under no rule are free.
  bool mayIncludeOutside(std::string_view from, std::string_view header) const;

  const std::map<std::string, Room>& rooms() const { return rooms_; }

 private:
  void addRoom(const std::vector<std::vector<std::string>>& cells);
  std::vector<std::string> expand(const std::string& entry) const;
  void close(const std::string& name, std::vector<std::string>& path, std::set<std::string>& done);

  std::map<std::string, Room> rooms_;
  std::vector<OutsideRule> outside_;
};

}  // namespace tenon::architecture
