// SPDX-License-Identifier: Apache-2.0
// The SQLite file layer "tenon": the system's own, with the fault hook of engine/base/file.h before
// it.
#pragma once

namespace tenon {

/// Registers the layer once per process and returns its name for sqlite3_open_v2.
const char* storeVfsName();

/// errno of the last operation that failed on this thread since clearVfsError(), 0 if none did.
int lastVfsError();
void clearVfsError();

}  // namespace tenon
