// SPDX-License-Identifier: Apache-2.0
// Project files on disk: version check, migration, positions, atomic replacement.
#include "engine/project/project_file.h"

#include <fmt/format.h>

#include "engine/base/file.h"
#include "engine/project/paths.h"
#include "engine/project/project_json.h"

namespace tenon {
namespace {

constexpr uint64_t kMostBytes = 256U << 20;

/// The format version, or 0 with an issue.
int64_t versionOf(const Json& root, const std::string& file, Issues& issues) {
  const Json* version = root.find("format_version");
  if (version != nullptr && version->isInt() && version->asInt() >= 1) return version->asInt();
  Issue issue{
      Severity::Error,
      "project.no-version",
      TENON_TEXT("'format_version' is missing or no version number; this is no Tenon project"),
      {},
      {}};
  JsonPos pos = version == nullptr ? root.pos : version->pos;
  issue.place = Place{file, "", "format_version", pos.line, pos.column};
  issues.push_back(std::move(issue));
  return 0;
}

}  // namespace

JsonPos Positions::find(std::string_view path) const {
  while (true) {
    auto place = places_.find(path);
    if (place != places_.end()) return place->second;
    if (path.empty()) return {};
    size_t dot = path.rfind('.');
    path = dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
  }
}

ReadResult readProjectText(std::string_view text, const std::string& file) {
  JsonResult json = readJson(text, file);
  ReadResult result;
  result.issues = std::move(json.issues);
  if (!result.issues.empty()) return result;
  int64_t version = versionOf(json.value, file, result.issues);
  if (version == 0) return result;
  if (version > kProjectFormat)
    throw Error(Code::Version,
                fmt::format("{}: written by a newer Tenon: project format {}, this program reads "
                            "formats up to {}",
                            file.empty() ? "project" : file, version, kProjectFormat));
  migrateProject(json.value, static_cast<int>(version), projectMigrations(), kProjectFormat);
  return projectFromJson(json.value, file);
}

ReadResult readProject(const std::string& path) {
  std::string file = projectFileOf(path);
  return readProjectText(readFile(file, kMostBytes), file);
}

std::string projectText(const ProjectSpec& project) { return writeJson(projectJson(project)); }

void writeProject(const std::string& path, const ProjectSpec& project) {
  writeFileAtomically(projectFileOf(path), projectText(project));
}

void locateIssues(Issues& issues, const Positions& positions, const std::string& file) {
  for (Issue& issue : issues) {
    Place& at = issue.place;
    if (at.line > 0) continue;
    std::string path = at.field;
    if (!at.node.empty()) {
      path = "graph.nodes." + at.node;
      if (!at.field.empty()) path.append(".").append(at.field);
    }
    JsonPos pos = positions.find(path);
    at.file = file;
    at.line = pos.line;
    at.column = pos.column;
  }
}

}  // namespace tenon
