// SPDX-License-Identifier: Apache-2.0
// SQLite's result codes as errors a person can act on.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/error.h"
#include "engine/store/database.h"

namespace tenon {

/// `result`: extended SQLite code; `osError`: errno or 0; `text`: SQLite's own message; `file`: the
/// open file, or null.
Error databaseError(const DatabaseOptions& options, int result, int osError, const char* text,
                    sqlite3* file = nullptr);
/// `file` was moved, deleted or replaced while open, or the folder it is in; errno is ESTALE.
Error misplacedError(const DatabaseOptions& options, const std::string& file);
/// The file is damaged: how, what is safe nevertheless, and what a person can do.
Error damagedError(const DatabaseOptions& options, std::string_view what);
/// The file does not begin like a database any more.
Error overwrittenError(const DatabaseOptions& options);
/// "." if the path names none.
std::string folderOf(const std::string& path);

}  // namespace tenon
