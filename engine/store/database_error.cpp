// SPDX-License-Identifier: Apache-2.0
// SQLite's result codes as errors a person can act on.
#include "engine/store/database_error.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "engine/store/migrations.h"

namespace tenon {
namespace {

std::string_view failedOperation(int result) {
  switch (result) {
    case SQLITE_IOERR_READ:
    case SQLITE_IOERR_SHORT_READ:
      return "read";
    case SQLITE_IOERR_FSYNC:
    case SQLITE_IOERR_DIR_FSYNC:
      return "sync";
    case SQLITE_IOERR_TRUNCATE:
      return "truncate";
    case SQLITE_IOERR_DELETE:
      return "remove";
    case SQLITE_IOERR_LOCK:
    case SQLITE_IOERR_RDLOCK:
    case SQLITE_IOERR_UNLOCK:
      return "lock";
    default:
      return "write";
  }
}

/// "database is locked" is no text of ours: say who is in the way.
Error busyError(const DatabaseOptions& options) {
  return Error(Code::Busy,
               fmt::format("[store] '{}' is held by another process; waited {:.1f} s for it",
                           options.path, static_cast<double>(options.busyTimeout.count()) / 1000));
}

Error ioError(const DatabaseOptions& options, std::string_view operation, int osError,
              const char* text) {
  const char* cause = osError != 0 ? std::strerror(osError) : text;
  return Error(Code::Io, fmt::format("[store] {} '{}': {}", operation, options.path, cause),
               osError);
}

/// What a file holds: type, name and text of everything that was created in it.
std::set<std::string> contentsOf(sqlite3* file) {
  std::set<std::string> contents;
  const auto add = [](void* into, int, char** columns, char**) {
    static_cast<std::set<std::string>*>(into)->insert(columns[0]);
    return 0;
  };
  sqlite3_exec(file,
               "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master "
               "WHERE name NOT LIKE 'sqlite_%'",
               add, &contents, nullptr);
  return contents;
}

/// Steps of a schema up to the version that the file says it has; all if it says nonsense.
std::span<const Migration> stepsOf(sqlite3* file, const Schema& schema) {
  int64_t version = 0;
  const auto read = [](void* into, int, char** columns, char**) {
    *static_cast<int64_t*>(into) = std::strtoll(columns[0], nullptr, 10);
    return 0;
  };
  sqlite3_exec(file, "PRAGMA user_version", read, &version, nullptr);
  const bool known = version >= 1 && version <= schema.newest();
  return known ? schema.migrations.first(static_cast<size_t>(version)) : schema.migrations;
}

/// True if something that its schema makes is missing from the file or was changed there: then a
/// statement of ours is right and the file is not.
bool lacksOfSchema(sqlite3* file, const Schema* schema) {
  if (file == nullptr || schema == nullptr) return false;
  sqlite3* model = nullptr;
  sqlite3_open(":memory:", &model);
  for (const Migration& migration : stepsOf(file, *schema))
    sqlite3_exec(model, migration.sql, nullptr, nullptr, nullptr);
  const std::set<std::string> wanted = contentsOf(model);
  sqlite3_close(model);
  const std::set<std::string> there = contentsOf(file);
  return !std::includes(there.begin(), there.end(), wanted.begin(), wanted.end());
}

/// SQLite's texts about what a statement names or reads and the file does not have.
bool isAboutContents(std::string_view text) {
  return text.starts_with("no such ") || text.find("has no column named") != text.npos;
}
bool isAboutDamage(std::string_view text) {
  return text.find("malformed") != text.npos || text == "unsupported file format";
}

/// True if the folder is not what the store opened.
bool folderIsMisplaced(const DatabaseOptions& options) {
  const FileIdentity now = fileIdentity(folderOf(options.path));
  return options.folder.known() ? now != options.folder : !now.known();
}

/// What is safe although the file is damaged, and what a person can do.
std::string_view adviceFor(const Schema* schema) {
  if (schema == &metricsSchema())
    return ". It was left as it is; the project, its data and the checkpoints are in other files. "
           "To go on, put back a copy of it, or move it and checkpoints.sqlite out of the folder "
           "and train anew ('sqlite3 tenon.sqlite .recover' saves what can still be read)";
  if (schema == &checkpointsSchema())
    return ". It was left as it is; the runs with their curves, logs and recordings are in "
           "tenon.sqlite. To go on, put back a copy of it, or move it out of the folder: what was "
           "trained before cannot be resumed or evaluated then";
  return ". It was left as it is";
}

/// The file itself says whether it is sound; for errors that nothing else explains.
bool isUnsound(sqlite3* file) {
  if (file == nullptr) return false;
  bool sound = false;
  const auto read = [](void* into, int, char** columns, char**) {
    *static_cast<bool*>(into) = columns[0] != nullptr && std::strcmp(columns[0], "ok") == 0;
    return 0;
  };
  const int result = sqlite3_exec(file, "PRAGMA quick_check(1)", read, &sound, nullptr) & 0xff;
  return result == SQLITE_CORRUPT || result == SQLITE_NOTADB || (result == SQLITE_OK && !sound);
}

}  // namespace

Error damagedError(const DatabaseOptions& options, std::string_view what) {
  return Error(Code::Input, fmt::format("[store] '{}' is damaged: {}{}", options.path, what,
                                        adviceFor(options.schema)));
}

std::string folderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

Error misplacedError(const DatabaseOptions& options, const std::string& file) {
  const std::string folder = folderOf(options.path);
  const std::string text =
      folderIsMisplaced(options)
          ? fmt::format(
                "the project folder '{}' was moved or deleted while open; put it back and "
                "try again, or stop",
                folder)
          : fmt::format(
                "'{}' was moved, deleted or replaced while open; put the same file back "
                "and try again, or stop",
                file);
  return Error(Code::Io, "[store] " + text, ESTALE);
}

Error overwrittenError(const DatabaseOptions& options) {
  return damagedError(options, "its beginning was overwritten while open");
}

Error databaseError(const DatabaseOptions& options, int result, int osError, const char* text,
                    sqlite3* file) {
  const int kind = result & 0xff;
  const bool ofFile = kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN || kind == SQLITE_READONLY;
  if (result == SQLITE_READONLY_DBMOVED ||
      (ofFile && options.folder.known() && folderIsMisplaced(options)))
    return misplacedError(options, options.path);
  switch (kind) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return busyError(options);
    case SQLITE_FULL:
      return ioError(options, "write", osError != 0 ? osError : ENOSPC, text);
    case SQLITE_IOERR:
      return ioError(options, failedOperation(result), osError, text);
    case SQLITE_CANTOPEN:
      return ioError(options, "open", osError, text);
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return ioError(options, "write", osError != 0 ? osError : EROFS, text);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
      return damagedError(options, text);
    case SQLITE_ERROR:
      if (isAboutDamage(text) || (isAboutContents(text) && lacksOfSchema(file, options.schema)))
        return damagedError(options, text);
      break;
    case SQLITE_TOOBIG:
      return Error(Code::Input, fmt::format("[store] '{}': {}", options.path, text));
    case SQLITE_NOMEM:
      return Error(Code::Memory, fmt::format("[store] '{}': out of memory", options.path));
    default:
      break;
  }
  // A statement of ours that fails so on a sound file is our fault.
  if (isUnsound(file)) return damagedError(options, text);
  return Error(Code::Internal,
               fmt::format("[store] '{}': {} (SQLite code {})", options.path, text, result));
}

}  // namespace tenon
