// SPDX-License-Identifier: Apache-2.0
// Rules for paths in a project, on their text and on the disk.
#include "engine/project/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/error.h"

namespace tenon {
namespace fs = std::filesystem;

std::string pathFault(std::string_view path, bool absoluteAllowed) {
  if (path.empty()) return TENON_TEXT("it is empty");
  if (path.find('\0') != std::string_view::npos) return TENON_TEXT("it holds a null character");
  fs::path parts(path);
  if (parts.is_absolute()) {
    if (!absoluteAllowed)
      return TENON_TEXT("it is absolute but must stay inside the project's folder");
    return "";
  }
  for (const fs::path& part : parts)
    if (part == "..") return TENON_TEXT("'..' leads out of the project's folder");
  return "";
}

std::string resolveInside(const std::string& folder, const std::string& relative) {
  auto refuse = [&relative](std::string_view why) {
    std::string shown = relative;
    std::replace(shown.begin(), shown.end(), '\0', '?');
    throw Error(Code::Input, fmt::format("the path '{}' is refused: {}", shown, why));
  };
  std::string fault = pathFault(relative, false);
  if (!fault.empty()) refuse(fault);
  std::error_code code;
  fs::path root = fs::weakly_canonical(folder.empty() ? "." : folder, code);
  if (code) refuse(code.message());
  fs::path target = fs::weakly_canonical(root / relative, code);
  if (code) refuse(code.message());
  fs::path inside = target.lexically_relative(root);
  if (inside.empty() || *inside.begin() == "..") refuse("a link leads out of the project's folder");
  return (fs::path(folder) / relative).lexically_normal().string();
}

std::string resolveDataPath(const std::string& folder, const std::string& path) {
  if (fs::path(path).is_absolute() && pathFault(path, true).empty()) return path;
  return resolveInside(folder, path);
}

std::string projectFileOf(const std::string& path) {
  std::error_code code;
  if (fs::is_directory(path, code)) return (fs::path(path) / "project.tenon").string();
  return path;
}

std::string projectFolderOf(const std::string& path) {
  std::string folder = fs::path(projectFileOf(path)).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace tenon
