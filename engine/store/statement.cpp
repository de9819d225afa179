// SPDX-License-Identifier: Apache-2.0
// Prepared statements: taken from the connection's idle ones, bound, stepped, given back.
#include <sqlite3.h>

#include <chrono>
#include <limits>
#include <thread>
#include <utility>

#include "engine/store/database.h"
#include "engine/store/vfs.h"

namespace tenon {

sqlite3_stmt* Database::prepare(const std::string& sql) {
  if (auto found = idle_.find(sql); found != idle_.end()) {
    sqlite3_stmt* statement = found->second;
    idle_.erase(found);
    return statement;
  }
  // The schema is read here, so another process can be in the way; the busy handler does not always
  // run then (a log that is just being recovered), hence the loop.
  const auto start = std::chrono::steady_clock::now();
  while (true) {
    clearVfsError();
    sqlite3_stmt* statement = nullptr;
    const int result = sqlite3_prepare_v3(handle_, sql.c_str(), static_cast<int>(sql.size()),
                                          SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (result == SQLITE_OK) return statement;
    const bool busy = (result & 0xff) == SQLITE_BUSY;
    if (!busy || std::chrono::steady_clock::now() - start >= options_.busyTimeout) fail(result);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

Statement::Statement(Database& database, std::string_view sql)
    : database_(database), sql_(sql), statement_(database.prepare(sql_)) {}

Statement::~Statement() {
  reset();
  if (!database_.idle_.emplace(std::move(sql_), statement_).second) sqlite3_finalize(statement_);
}

Statement& Statement::bindInteger(int parameter, int64_t value) {
  if (const int result = sqlite3_bind_int64(statement_, parameter, value)) database_.fail(result);
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  if (const int result = sqlite3_bind_double(statement_, parameter, value)) database_.fail(result);
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
  // A null pointer would bind NULL; our text columns hold no NULL.
  const char* data = text.data() == nullptr ? "" : text.data();
  if (const int result = sqlite3_bind_text64(statement_, parameter, data, text.size(),
                                             SQLITE_TRANSIENT, SQLITE_UTF8))
    database_.fail(result);
  return *this;
}

Statement& Statement::bind(int parameter, std::span<const std::byte> blob) {
  const void* data = blob.data() == nullptr ? static_cast<const void*>("") : blob.data();
  if (const int result =
          sqlite3_bind_blob64(statement_, parameter, data, blob.size(), SQLITE_STATIC))
    database_.fail(result);
  return *this;
}

bool Statement::step() {
  const auto start = std::chrono::steady_clock::now();
  while (true) {
    clearVfsError();
    const int result = sqlite3_step(statement_);
    if (result == SQLITE_ROW) return true;
    if (result == SQLITE_DONE) return false;
    const bool busy = (result & 0xff) == SQLITE_BUSY;
    const bool late = std::chrono::steady_clock::now() - start >= database_.options_.busyTimeout;
    // Inside a transaction a repeat would see other data or never succeed.
    if (!busy || late || database_.inTransaction()) database_.fail(result);
    sqlite3_reset(statement_);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void Statement::run() {
  while (step()) {
  }
  reset();
}

void Statement::reset() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::real(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL)
    return std::numeric_limits<double>::quiet_NaN();
  return sqlite3_column_double(statement_, column);
}

std::string Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  const auto bytes = static_cast<size_t>(sqlite3_column_bytes(statement_, column));
  return data == nullptr ? std::string() : std::string(data, bytes);
}

std::span<const std::byte> Statement::blob(int column) const {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
  return {data, static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

}  // namespace tenon
