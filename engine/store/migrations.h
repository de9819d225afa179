// SPDX-License-Identifier: Apache-2.0
// Numbered schema migrations of a SQLite file.
#pragma once

#include <span>

#include "engine/base/export.h"
#include "engine/store/database.h"

namespace tenon {

/// Brings a schema from `version - 1` to `version`.
struct Migration {
  int version;
  const char* sql;
};

/// One kind of database file: its id in the file header and how its schema came about.
struct Schema {
  int applicationId;
  std::span<const Migration> migrations;  ///< versions 1, 2, 3, ...

  int newest() const { return static_cast<int>(migrations.size()); }
};

/// `tenon.sqlite`: runs, metrics, events, artifacts.
TENON_API const Schema& metricsSchema();
/// `checkpoints.sqlite`.
TENON_API const Schema& checkpointsSchema();

/// Checks that the file is of this kind and not newer, without changing it.
/// @throws Error(Code::Input) another program's database; Error(Code::Version) newer, naming both
TENON_API void checkSchema(Database& database, const Schema& schema);

/// checkSchema, then brings the schema to the newest version in one transaction.
TENON_API void migrate(Database& database, const Schema& schema);

}  // namespace tenon
