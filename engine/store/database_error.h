// SPDX-License-Identifier: Apache-2.0
// SQLite's result codes as errors a person can act on.
#pragma once

#include "engine/base/error.h"
#include "engine/store/database.h"

namespace tenon {

/// `result`: extended SQLite code; `osError`: errno or 0; `text`: SQLite's own message; `file`: the
/// open file, or null.
Error databaseError(const DatabaseOptions& options, int result, int osError, const char* text,
                    sqlite3* file = nullptr);

}  // namespace tenon
