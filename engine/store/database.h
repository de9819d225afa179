// SPDX-License-Identifier: Apache-2.0
// One SQLite connection: statements, transactions, waiting for locks, and errors in our own words.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/base/export.h"
#include "engine/store/file_identity.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tenon {

class Database;
struct Schema;

enum class Journal {
  WriteAheadLog,  ///< readers and a writer at a time; a commit survives kill -9, an fsync comes
                  ///< later
  /// A commit is on the disk when it returns; appended data is written once. The file keeps a map
  /// of its pages (SQLite's auto_vacuum=INCREMENTAL), with which large blobs lie in one piece when
  /// freed space is used again, and are deleted without being read.
  Rollback,
};

struct DatabaseOptions {
  std::string path;
  bool readOnly = false;
  bool create = false;
  Journal journal = Journal::WriteAheadLog;
  int pageBytes = 8192;
  int cacheKiB = 4096;
  std::chrono::milliseconds busyTimeout{10000};
  /// What the file is to hold; tells a damaged file from a statement of ours that is wrong.
  const Schema* schema = nullptr;
  /// The folder of the file as it was when its store was opened, and the file itself; if known,
  /// others are refused.
  FileIdentity folder = {};
  FileIdentity file = {};
};

/// A prepared statement on loan from its Database; given back when it goes.
/// Parameters count from 1, columns from 0. @throws Error from every call
class TENON_API Statement {
 public:
  Statement(Database& database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  template <std::integral Integer>
  Statement& bind(int parameter, Integer value) {
    return bindInteger(parameter, static_cast<int64_t>(value));
  }
  Statement& bind(int parameter, double value);  ///< NaN becomes NULL
  Statement& bind(int parameter, std::string_view text);
  /// The bytes must stay until the next step(), reset() or the end.
  Statement& bind(int parameter, std::span<const std::byte> blob);

  /// Binds in order from 1.
  template <typename... Values>
  Statement& bindAll(const Values&... values) {
    int parameter = 0;
    (bind(++parameter, values), ...);
    return *this;
  }

  /// True: a row is there. Waits for locks when it can.
  bool step();
  /// Steps to the end and makes the statement ready to be bound again.
  void run();
  void reset();

  int64_t integer(int column) const;
  double real(int column) const;  ///< NULL becomes NaN
  std::string text(int column) const;
  /// Valid until the next step().
  std::span<const std::byte> blob(int column) const;

 private:
  Statement& bindInteger(int parameter, int64_t value);

  Database& database_;
  std::string sql_;
  sqlite3_stmt* statement_ = nullptr;
};

/// @thread one at a time
class TENON_API Database {
 public:
  /// @throws Error as Store::open says
  explicit Database(DatabaseOptions options);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Runs statements without parameters or results.
  void execute(std::string_view sql);
  /// First column of the first row, or `otherwise` if there is no row.
  int64_t number(std::string_view sql, int64_t otherwise = 0);
  int64_t lastInsertId() const;
  int64_t changes() const;
  bool inTransaction() const;
  /// Reads `into.size()` bytes of a blob from `offset`.
  void readBlob(const char* table, const char* column, int64_t row, int64_t offset,
                std::span<std::byte> into);
  /// Called before every commit: what is written to a file that nobody finds again is lost, though
  /// every write succeeds. Costs a few microseconds.
  /// @throws Error(Code::Io, ESTALE) if the file, its log or its folder was moved, deleted or
  ///   replaced since it was opened; Error(Code::Input) if its beginning was overwritten
  void refuseMisplaced();
  /// The file as it was when it was opened.
  FileIdentity file() const;
  /// Gives cached pages back to the system.
  void releaseMemory();

  const std::string& path() const { return options_.path; }
  const DatabaseOptions& options() const { return options_; }

 private:
  friend class Statement;
  void openFile();
  void openFrozen();
  void setUp();
  void closeFile();
  [[noreturn]] void fail(int result);
  sqlite3_stmt* prepare(const std::string& sql);

  DatabaseOptions options_;
  sqlite3* handle_ = nullptr;
  std::unordered_map<std::string, sqlite3_stmt*> idle_;
  std::chrono::steady_clock::time_point waitingSince_;
  static int onBusy(void* database, int count);
};

enum class Access { Read, Write };

/// A transaction; rolled back unless committed.
class TENON_API Transaction {
 public:
  Transaction(Database& database, Access access);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  Access access_;
  bool open_ = true;
};

/// A connection that opens at first use and is used by one thread at a time.
class TENON_API Connection {
 public:
  explicit Connection(DatabaseOptions options) : options_(std::move(options)) {}

  /// The database, for this thread alone while the object lives.
  class Use {
   public:
    explicit Use(Connection& connection)
        : lock_(connection.mutex_), database_(connection.opened()) {}
    Database& operator*() { return database_; }
    Database* operator->() { return &database_; }

   private:
    std::unique_lock<std::mutex> lock_;
    Database& database_;
  };
  Use use() { return Use(*this); }
  const DatabaseOptions& options() const { return options_; }

 private:
  friend class Use;
  Database& opened();

  std::mutex mutex_;
  DatabaseOptions options_;
  std::unique_ptr<Database> database_;
};

}  // namespace tenon
