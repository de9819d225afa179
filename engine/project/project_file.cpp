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

std::string pathOf(const Place& place) {
  if (place.node.empty()) return place.field;
  const std::string node = "graph.nodes." + place.node;
  return place.field.empty() ? node : node + "." + place.field;
}

void setOrigin(Issue& issue, const std::string& origin) {
  Place& at = issue.place;
  if (at.file.empty() || issueText(issue).find(at.file) != std::string::npos) {
    at.file = origin;
    return;
  }
  issue.text += fmt::format(" (named in {{{}}})", issue.args.size());
  issue.args.push_back(origin);
}

void locateIssue(Issue& issue, const Positions& positions, const std::string& file) {
  Place& at = issue.place;
  if (at.line > 0) return;
  const JsonPos pos = positions.find(pathOf(at));
  if (!at.file.empty())
    return setOrigin(issue,
                     pos.line > 0 ? fmt::format("{}:{}:{}", file, pos.line, pos.column) : file);
  at.file = file;
  at.line = pos.line;
  at.column = pos.column;
}

void locateIssues(Issues& issues, const Positions& positions, const std::string& file) {
  for (Issue& issue : issues) locateIssue(issue, positions, file);
}

}  // namespace tenon
