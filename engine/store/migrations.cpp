// SPDX-License-Identifier: Apache-2.0
// Checks whose database a file is and how old, and applies the missing migrations.
#include "engine/store/migrations.h"

#include <fmt/core.h>

#include <optional>

#include "engine/base/error.h"

namespace tenon {

void checkSchema(Database& database, const Schema& schema) {
  // One moment for all that is read: another process may be making the file just now, and the id
  // of before beside the tables of after would look like somebody else's.
  std::optional<Transaction> moment;
  if (!database.inTransaction()) moment.emplace(database, Access::Read);
  const int64_t version = database.number("PRAGMA user_version");
  const int64_t application = database.number("PRAGMA application_id");
  const bool empty = database.number("SELECT count(*) FROM sqlite_master") == 0;
  if (empty && version == 0 && application == 0) return;
  if (application != schema.applicationId)
    throw Error(Code::Input,
                fmt::format("[store] '{}' is a database of another program (application id {:#x}, "
                            "wanted {:#x})",
                            database.path(), application, schema.applicationId));
  if (version > schema.newest())
    throw Error(
        Code::Version,
        fmt::format("[store] '{}' has schema version {}, written by a newer Tenon; this one "
                    "reads up to version {}",
                    database.path(), version, schema.newest()));
}

void migrate(Database& database, const Schema& schema) {
  checkSchema(database, schema);
  if (database.number("PRAGMA user_version") == schema.newest()) return;
  Transaction transaction(database, Access::Write);
  // Another process may have migrated while we waited for the lock.
  checkSchema(database, schema);
  const int64_t version = database.number("PRAGMA user_version");
  for (const Migration& migration : schema.migrations)
    if (migration.version > version) database.execute(migration.sql);
  database.execute(fmt::format("PRAGMA application_id={}", schema.applicationId));
  database.execute(fmt::format("PRAGMA user_version={}", schema.newest()));
  transaction.commit();
}

}  // namespace tenon
