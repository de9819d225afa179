// SPDX-License-Identifier: Apache-2.0
// The checkpoint database: opening it, claims of saves under way, and collecting what nobody needs.
#include "engine/store/checkpoint_file.h"

#include <fmt/core.h>

#include <array>
#include <atomic>
#include <set>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/store/database_error.h"
#include "engine/store/migrations.h"
#include "engine/store/process_identity.h"
#include "engine/store/soundness.h"

namespace tenon {
namespace {

/// Saves under way in this process, by owner text. A claim of ours that is not in here is of a save
/// that failed and could not clean up.
class LiveSaves {
 public:
  std::string begin() {
    const std::lock_guard lock(mutex_);
    std::string owner = fmt::format("{}#{}", thisProcess(), ++number_);
    owners_.insert(owner);
    return owner;
  }
  void end(const std::string& owner) {
    const std::lock_guard lock(mutex_);
    owners_.erase(owner);
  }
  bool contains(const std::string& owner) {
    const std::lock_guard lock(mutex_);
    return owners_.contains(owner);
  }

 private:
  std::mutex mutex_;
  std::set<std::string> owners_;
  uint64_t number_ = 0;
};

LiveSaves& liveSaves() {
  static LiveSaves saves;
  return saves;
}

bool isDead(const std::string& owner) {
  const std::string process = owner.substr(0, owner.find('#'));
  if (process == thisProcess()) return !liveSaves().contains(owner);
  return processLife(process) == Life::Dead;
}

void dropDeadClaims(Database& database) {
  std::vector<int64_t> dead;
  Statement owners(database, "SELECT id, process FROM savings");
  while (owners.step())
    if (isDead(owners.text(1))) dead.push_back(owners.integer(0));
  for (const int64_t id : dead) {
    Statement(database, "DELETE FROM saving_chunks WHERE saving=?1").bindAll(id).run();
    Statement(database, "DELETE FROM savings WHERE id=?1").bindAll(id).run();
  }
}

/// A save that was killed leaves a journal, which only a writer may roll back.
void rollBackJournal(DatabaseOptions options) {
  if (!pathExists(options.path + "-journal")) return;
  options.readOnly = false;
  try {
    Database(options).number("PRAGMA user_version");
  } catch (const Error&) {
    // Then the reader's own error says what is wrong.
  }
}

}  // namespace

bool CheckpointFile::exists() {
  if (!pathExists(path_)) return false;
  // A writer that is just making the file, or was killed doing so, has no tables for a reader yet.
  return !writer_.options().readOnly || list()->number("PRAGMA user_version") > 0;
}

/// Checks or makes the schema, once.
void CheckpointFile::prepare() {
  const std::lock_guard lock(preparing_);
  if (prepared_) return;
  const DatabaseOptions& options = writer_.options();
  if (options.readOnly) {
    rollBackJournal(options);
    auto database = lister_.use();
    checkSchema(*database, checkpointsSchema());
    warnOfDamage(*database);
    identity_ = database->file();
  } else {
    auto database = writer_.use();
    checkSchema(*database, checkpointsSchema());
    refuseDamage(*database);
    migrate(*database, checkpointsSchema());
    identity_ = database->file();
  }
  prepared_ = true;
}

void CheckpointFile::refuseMisplaced() const {
  if (prepared_ && fileIdentity(path_) != identity_) throw misplacedError(writer_.options(), path_);
}

Connection::Use CheckpointFile::write() {
  if (writer_.options().readOnly)
    throw Error(Code::Usage, fmt::format("[store] '{}' is open for reading only", path_));
  prepare();
  return writer_.use();
}

Connection::Use CheckpointFile::load() {
  prepare();
  return loader_.use();
}

Connection::Use CheckpointFile::list() {
  prepare();
  return lister_.use();
}

CheckpointInfo checkpointRow(const Statement& row) {
  CheckpointInfo info;
  info.id = row.integer(0);
  info.run = row.integer(1);
  info.step = row.integer(2);
  info.epoch = static_cast<int32_t>(row.integer(3));
  const int64_t kind = row.integer(4);
  info.kind = kind >= 0 && kind <= 2 ? static_cast<CheckpointKind>(kind) : CheckpointKind::Manual;
  info.version = static_cast<int32_t>(row.integer(5));
  info.meta = row.text(6);
  info.createdUs = row.integer(7);
  info.bytes = row.integer(8);
  info.bytesStored = row.integer(9);
  return info;
}

Saving::~Saving() {
  if (!owner_.empty()) liveSaves().end(owner_);
}

void Saving::claim(Database& database, int64_t chunk) {
  if (owner_.empty()) owner_ = liveSaves().begin();
  if (id_ == 0) {
    Statement(database, "INSERT INTO savings(process) VALUES(?1)").bindAll(owner_).run();
    id_ = database.lastInsertId();
  }
  Statement(database, "INSERT OR IGNORE INTO saving_chunks(saving, chunk) VALUES(?1, ?2)")
      .bindAll(id_, chunk)
      .run();
}

void Saving::release(Database& database) {
  Statement(database, "DELETE FROM saving_chunks WHERE saving=?1").bindAll(id_).run();
  Statement(database, "DELETE FROM savings WHERE id=?1").bindAll(id_).run();
}

int64_t collectChunks(Database& database) {
  dropDeadClaims(database);
  std::vector<std::pair<int64_t, int64_t>> unused;  // id, bytes
  {
    Statement query(database,
                    "SELECT id, bytes FROM chunks c "
                    "WHERE NOT EXISTS (SELECT 1 FROM part_chunks p WHERE p.chunk=c.id) "
                    "AND NOT EXISTS (SELECT 1 FROM saving_chunks s WHERE s.chunk=c.id)");
    while (query.step()) unused.emplace_back(query.integer(0), query.integer(1));
  }
  int64_t bytes = 0;
  for (const auto& [id, size] : unused) {
    Statement(database, "DELETE FROM chunks WHERE id=?1").bindAll(id).run();
    bytes += size;
  }
  return bytes;
}

}  // namespace tenon
