// SPDX-License-Identifier: Apache-2.0
// Opening a SQLite connection and running transactions on it.
#include "engine/store/database.h"

#include <fmt/core.h>
#include <sqlite3.h>
#include <unistd.h>

#include <thread>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/store/database_error.h"
#include "engine/store/vfs.h"

namespace tenon {
namespace {

std::string percentEncoded(const std::string& path) {
  std::string out;
  for (const char c : path)
    out += std::string_view("%?#").find(c) == std::string_view::npos
               ? std::string(1, c)
               : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

}  // namespace

int Database::onBusy(void* database, int count) {
  auto* self = static_cast<Database*>(database);
  const auto now = std::chrono::steady_clock::now();
  if (count == 0) self->waitingSince_ = now;
  if (now - self->waitingSince_ >= self->options_.busyTimeout) return 0;
  // Short and uneven pauses, so that several waiting processes do not march in step.
  const int us = 500 + (count * 977 + static_cast<int>(getpid()) * 131) % (count < 5 ? 1000 : 8000);
  std::this_thread::sleep_for(std::chrono::microseconds(us));
  return 1;
}

Database::Database(DatabaseOptions options) : options_(std::move(options)) {
  try {
    openFile();
    if (options_.file.known() && file() != options_.file)
      throw misplacedError(options_, options_.path);
    setUp();
  } catch (...) {
    closeFile();
    throw;
  }
}

Database::~Database() { closeFile(); }

void Database::closeFile() {
  for (auto& [sql, statement] : idle_) sqlite3_finalize(statement);
  idle_.clear();
  sqlite3_close(std::exchange(handle_, nullptr));
}

void Database::openFile() {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= options_.readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (options_.create) flags |= SQLITE_OPEN_CREATE;
  clearVfsError();
  const int result = sqlite3_open_v2(options_.path.c_str(), &handle_, flags, storeVfsName());
  if (result != SQLITE_OK) fail(result);
  sqlite3_busy_handler(handle_, &Database::onBusy, this);
  // SQLite quietly falls back to reading when the file cannot be written.
  if (!options_.readOnly && sqlite3_db_readonly(handle_, "main") == 1) fail(SQLITE_READONLY);
  if (!options_.readOnly) return;
  const int probe = sqlite3_exec(handle_, "PRAGMA user_version", nullptr, nullptr, nullptr) & 0xff;
  if (probe == SQLITE_CANTOPEN || probe == SQLITE_READONLY) openFrozen();
}

/// A write-ahead log needs files beside it even for reading. In a folder that cannot be written
/// nobody else writes either, so the database may be read as it lies there.
void Database::openFrozen() {
  if (pathExists(options_.path + "-wal")) return;
  closeFile();
  const std::string uri = "file:" + percentEncoded(options_.path) + "?immutable=1";
  const int flags =
      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  clearVfsError();
  const int result = sqlite3_open_v2(uri.c_str(), &handle_, flags, storeVfsName());
  if (result != SQLITE_OK) fail(result);
}

void Database::setUp() {
  execute(fmt::format("PRAGMA cache_size=-{}", options_.cacheKiB));
  execute("PRAGMA temp_store=MEMORY");
  if (options_.readOnly) return;
  // Debian's SQLite overwrites what is deleted, which would write every freed chunk twice more.
  execute("PRAGMA secure_delete=OFF");
  execute(fmt::format("PRAGMA page_size={}", options_.pageBytes));
  if (options_.journal == Journal::WriteAheadLog) {
    const std::string mode = [this] {
      Statement query(*this, "PRAGMA journal_mode");
      return query.step() ? query.text(0) : std::string();
    }();
    if (mode != "wal") execute("PRAGMA journal_mode=WAL");
    execute("PRAGMA synchronous=NORMAL");
    execute("PRAGMA journal_size_limit=67108864");
  } else {
    execute("PRAGMA auto_vacuum=INCREMENTAL");  // counts while the file is empty
    // TRUNCATE and FULL: the journal's end is fsynced too, so a commit is durable when it returns.
    execute("PRAGMA journal_mode=TRUNCATE");
    execute("PRAGMA synchronous=FULL");
  }
}

void Database::fail(int result) {
  const int osError = lastVfsError() != 0 ? lastVfsError() : sqlite3_system_errno(handle_);
  const bool said = handle_ != nullptr && sqlite3_extended_errcode(handle_) == result;
  const char* text = said ? sqlite3_errmsg(handle_) : sqlite3_errstr(result);
  throw databaseError(options_, result, osError, text, handle_);
}

void Database::execute(std::string_view sql) {
  const std::string text(sql);
  const char* rest = text.c_str();
  while (*rest != '\0') {
    sqlite3_stmt* statement = nullptr;
    const int result = sqlite3_prepare_v2(handle_, rest, -1, &statement, &rest);
    if (result != SQLITE_OK) fail(result);
    if (statement == nullptr) break;  // only blanks or a comment left
    const std::string one = sqlite3_sql(statement);
    sqlite3_finalize(statement);
    Statement(*this, one).run();
  }
}

int64_t Database::number(std::string_view sql, int64_t otherwise) {
  Statement query(*this, sql);
  return query.step() ? query.integer(0) : otherwise;
}

int64_t Database::lastInsertId() const { return sqlite3_last_insert_rowid(handle_); }
int64_t Database::changes() const { return sqlite3_changes64(handle_); }
bool Database::inTransaction() const { return sqlite3_get_autocommit(handle_) == 0; }

void Database::readBlob(const char* table, const char* column, int64_t row, int64_t offset,
                        std::span<std::byte> into) {
  clearVfsError();
  sqlite3_blob* blob = nullptr;
  int result = sqlite3_blob_open(handle_, "main", table, column, row, 0, &blob);
  if (result == SQLITE_ERROR) result = SQLITE_CORRUPT;  // no such row, or no blob in it
  if (result == SQLITE_OK && sqlite3_blob_bytes(blob) < offset + static_cast<int64_t>(into.size()))
    result = SQLITE_CORRUPT;
  if (result == SQLITE_OK)
    result = sqlite3_blob_read(blob, into.data(), static_cast<int>(into.size()),
                               static_cast<int>(offset));
  sqlite3_blob_close(blob);
  if (result != SQLITE_OK) fail(result);
}

FileIdentity Database::file() const { return openedFile(handle_); }

void Database::refuseMisplaced() {
  const std::string lost = misplacedFile(handle_);
  if (!lost.empty()) {
    // SQLite resolves links in the folder's path; the user knows it as it was opened.
    const std::string end = lost.substr(lost.rfind('/'));
    throw misplacedError(options_, folderOf(options_.path) + end);
  }
  if (!beginsLikeDatabase(handle_)) throw overwrittenError(options_);
}

void Database::releaseMemory() { sqlite3_db_release_memory(handle_); }

Transaction::Transaction(Database& database, Access access) : database_(database), access_(access) {
  if (access_ == Access::Write) database_.refuseMisplaced();
  Statement(database_, access == Access::Write ? "BEGIN IMMEDIATE" : "BEGIN").run();
}

Transaction::~Transaction() {
  if (!open_ || !database_.inTransaction()) return;
  try {
    Statement(database_, "ROLLBACK").run();
  } catch (const Error&) {
    // SQLite undoes what is left when the file is next opened.
  }
}

void Transaction::commit() {
  if (access_ == Access::Write) database_.refuseMisplaced();
  Statement(database_, "COMMIT").run();
  open_ = false;
}

Database& Connection::opened() {
  if (!database_) database_ = std::make_unique<Database>(options_);
  return *database_;
}

}  // namespace tenon
