// SPDX-License-Identifier: Apache-2.0
// The rules every source file keeps: rooms, licence line, lengths; and the walk over the tree.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/architecture/room_table.h"

namespace tenon::architecture {

constexpr int kMaxFileLines = 500;
constexpr int kMaxFunctionLines = 60;
constexpr int kMaxKernelLines = 80;
constexpr int kMaxColumns = 100;

/// A rule broken at a place.
struct Finding {
  std::string path;
  int line = 0;
  std::string text;
};

/// "path:line: text"
std::string findingLine(const Finding& finding);

/// Path from the project's root -> text.
using Tree = std::map<std::string, std::string>;

/// Reads all C++ and CUDA sources under engine/, ui/, app/, plugins/ and tests/.
Tree readTree(const std::filesystem::path& root);

/// Includes of one file against the tables: room, outside headers, paths from the project's root.
std::vector<Finding> checkIncludes(const RoomTable& table, const std::string& path,
                                   std::string_view text);
/// First line: the SPDX line with the licence of the folder; second: a comment that says what for.
std::vector<Finding> checkFirstLines(const std::string& path, std::string_view text);
/// Lengths of the file, its functions and its lines.
std::vector<Finding> checkLengths(const std::string& path, std::string_view text);
/// Files that include each other, directly or through others.
std::vector<Finding> checkCircles(const Tree& tree);
/// Everything above for all files.
std::vector<Finding> checkTree(const RoomTable& table, const Tree& tree);

/// Reads docs/architecture.md and the tree below `root` and checks them.
std::vector<Finding> checkProject(const std::filesystem::path& root);

}  // namespace tenon::architecture
