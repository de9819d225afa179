// SPDX-License-Identifier: Apache-2.0
// SQLite's quick_check, kept to what takes milliseconds.
#include "engine/store/soundness.h"

#include <fmt/core.h>

#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/log.h"
#include "engine/store/database_error.h"

namespace tenon {
namespace {

constexpr int64_t kWholeBytes = int64_t{16} << 20;  // checked in some 10 ms

/// `pragma` gives rows of text, the only one "ok" if all is well.
void check(Database& database, const std::string& pragma) {
  Statement query(database, pragma);
  if (!query.step()) return;
  const std::string found = query.text(0);
  if (found == "ok") return;
  // Below a headline that names SQLite's own word for the file.
  const bool hasHeadline = found.starts_with("***") && found.find('\n') != found.npos;
  throw damagedError(database.options(), hasHeadline ? found.substr(found.find('\n') + 1) : found);
}

std::vector<std::string> tablesOf(Database& database, bool bulk) {
  Statement query(database,
                  "SELECT replace(name, '''', '''''') FROM sqlite_master m WHERE type='table' "
                  "AND name NOT LIKE 'sqlite_%' AND ?1=EXISTS "
                  "(SELECT 1 FROM pragma_table_info(m.name) WHERE name='data')");
  query.bind(1, bulk ? 1 : 0);
  std::vector<std::string> names;
  while (query.step()) names.push_back(query.text(0));
  return names;
}

}  // namespace

void refuseDamage(Database& database) {
  const int64_t bytes = database.number("PRAGMA page_count") * database.number("PRAGMA page_size");
  if (bytes <= kWholeBytes) return check(database, "PRAGMA quick_check(1)");
  for (const std::string& table : tablesOf(database, false))
    check(database, fmt::format("PRAGMA quick_check('{}')", table));
  for (const std::string& table : tablesOf(database, true))  // root to newest leaf
    database.number(fmt::format("SELECT max(id) FROM \"{}\"", table));
}

void warnOfDamage(Database& database) {
  try {
    refuseDamage(database);
  } catch (const Error& error) {
    if (error.code() != Code::Input) throw;
    logWarning("store", error.what());
  }
}

}  // namespace tenon
