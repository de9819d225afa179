// SPDX-License-Identifier: Apache-2.0
// The SQLite file layer "tenon": the system's own, with the fault hook of engine/base/file.h before
// it.
#pragma once

#include <string>

#include "engine/store/file_identity.h"

struct sqlite3;

namespace tenon {

/// Registers the layer once per process and returns its name for sqlite3_open_v2.
const char* storeVfsName();

/// errno of the last operation that failed on this thread since clearVfsError(), 0 if none did.
int lastVfsError();
void clearVfsError();

/// The main file behind a connection of this layer, as it was when it was opened.
FileIdentity openedFile(sqlite3* connection);
/// The path of a file behind the connection (main file, write-ahead log, its index) at which it
/// does not stand any more; empty if all are where they were opened.
std::string misplacedFile(sqlite3* connection);
/// False if the main file does not begin like a database any more: it was overwritten.
bool beginsLikeDatabase(sqlite3* connection);

}  // namespace tenon
