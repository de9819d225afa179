// SPDX-License-Identifier: Apache-2.0
// Paths in a project: outputs stay inside the project's folder, data may be named by an absolute
// path.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/export.h"

namespace tenon {

/// "FOLDER/RELATIVE", which stays inside the folder: not absolute, no "..", and no link that leads
/// out.
/// @throws Error(Code::Input) naming the path and the rule it breaks.
TENON_API std::string resolveInside(const std::string& folder, const std::string& relative);

/// A data source: an absolute path as it is, a relative one as resolveInside().
TENON_API std::string resolveDataPath(const std::string& folder, const std::string& path);

/// Why a path in a project file is refused, looking at its text only; empty if it is fine.
TENON_API std::string pathFault(std::string_view path, bool absoluteAllowed);

/// The project file of a path that names the file or its folder (FOLDER/project.tenon).
TENON_API std::string projectFileOf(const std::string& path);
/// The folder that the project file lies in; "." for a bare file name.
TENON_API std::string projectFolderOf(const std::string& path);

}  // namespace tenon
