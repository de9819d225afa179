// SPDX-License-Identifier: Apache-2.0
// The project file (*.tenon): reading with all errors at once, writing that keeps diffs small.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/export.h"
#include "engine/project/specs.h"
#include "engine/schema/json.h"

namespace tenon {

/// Where each value of a project file stands, by its path: "train.optimizer.lr",
/// "graph.nodes.conv1.padding", "data.transforms.0.mean", "graph.edges.3".
class TENON_API Positions {
 public:
  void add(std::string path, JsonPos at) { places_.emplace(std::move(path), at); }
  /// The place of the path, or of the nearest thing around it; {0, 0} if even the file's root is
  /// unknown.
  JsonPos find(std::string_view path) const;
  size_t size() const noexcept { return places_.size(); }

 private:
  std::map<std::string, JsonPos, std::less<>> places_;
};

struct ReadResult {
  ProjectSpec project;  ///< what could be read; only to be trained or saved if ok()
  Issues issues;        ///< errors and warnings, in the order of the file
  Positions positions;
  bool ok() const { return !hasErrors(issues); }
};

/// Reads a project file, `path` being the file or its folder. Wrong contents come back as issues
/// with file, line, column and field.
/// @throws Error(Code::Version) naming both versions if a newer Tenon wrote it.
/// @throws Error(Code::Io) if it cannot be read.
TENON_API ReadResult readProject(const std::string& path);
/// As readProject() for text at hand; `file` is only named in issues.
TENON_API ReadResult readProjectText(std::string_view text, const std::string& file = "");

/// The whole file as text. For a file that this function wrote, projectText(read(file)) == file.
TENON_API std::string projectText(const ProjectSpec& project);
/// Replaces the file atomically: a crash leaves the old or the new one. @throws Error(Code::Io).
TENON_API void writeProject(const std::string& path, const ProjectSpec& project);

/// Path of what a place names within a project: "graph.nodes.conv1.padding", "train.optimizer.lr".
TENON_API std::string pathOf(const Place& place);
/// Says of an issue where its setting was made, e.g. "--set train.optimizer.lr=2". An issue that
/// names a file of its own, such as a data file, keeps it and tells the origin behind its text;
/// only if the text names that file itself does the origin take its place.
TENON_API void setOrigin(Issue& issue, const std::string& origin);
/// Fills in file, line and column of an issue that names a node or a field only. One that names a
/// file of its own gets them as its origin.
TENON_API void locateIssue(Issue& issue, const Positions& positions, const std::string& file);
TENON_API void locateIssues(Issues& issues, const Positions& positions, const std::string& file);

/// One step of the format: turns a file of version `from` into one of version `from` + 1.
struct Migration {
  int from = 0;
  void (*apply)(Json& root) = nullptr;
};
/// All steps up to kProjectFormat, oldest first.
TENON_API std::span<const Migration> projectMigrations();
/// Applies the steps from the file's version to `target` and writes the new version into `root`.
/// @throws Error(Code::Internal) if a step is missing.
TENON_API void migrateProject(Json& root, int version, std::span<const Migration> steps,
                              int target);

}  // namespace tenon
