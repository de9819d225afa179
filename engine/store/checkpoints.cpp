// SPDX-License-Identifier: Apache-2.0
// Checkpoints: lists, loading with verification, retention.
#include "engine/store/checkpoints.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "engine/base/error.h"
#include "engine/store/checkpoint_file.h"
#include "engine/store/database_options.h"
#include "engine/store/sha256.h"

namespace tenon {
namespace {

struct StoredPart {
  int64_t number = 0;
  PartInfo info;
};

[[noreturn]] void failUnknown(const Database& database, int64_t id) {
  throw Error(Code::Input, fmt::format("[store] '{}' has no checkpoint {}", database.path(), id));
}

std::vector<StoredPart> partsOf(Database& database, int64_t id) {
  Statement known(database, "SELECT 1 FROM checkpoints WHERE id=?1");
  known.bind(1, id);
  if (!known.step()) failUnknown(database, id);
  Statement query(database,
                  "SELECT part, name, meta, bytes FROM parts WHERE checkpoint=?1 ORDER BY part");
  query.bind(1, id);
  std::vector<StoredPart> parts;
  while (query.step())
    parts.push_back({query.integer(0), {query.text(1), query.text(2), query.integer(3)}});
  return parts;
}

struct StoredChunk {
  int64_t id = 0;
  int64_t bytes = 0;
  Digest hash{};
};

std::vector<StoredChunk> chunksOf(Database& database, int64_t checkpoint, int64_t part) {
  Statement query(database,
                  "SELECT c.id, c.bytes, c.hash FROM part_chunks p JOIN chunks c ON c.id=p.chunk "
                  "WHERE p.checkpoint=?1 AND p.part=?2 ORDER BY p.position");
  query.bindAll(checkpoint, part);
  std::vector<StoredChunk> chunks;
  while (query.step()) {
    StoredChunk& chunk = chunks.emplace_back();
    chunk.id = query.integer(0);
    chunk.bytes = query.integer(1);
    const std::span<const std::byte> hash = query.blob(2);
    if (hash.size() == chunk.hash.size()) std::copy(hash.begin(), hash.end(), chunk.hash.begin());
  }
  return chunks;
}

class PartLoader {
 public:
  PartLoader(Database& database, int64_t checkpoint, const StoredPart& part)
      : database_(database), chunks_(chunksOf(database, checkpoint, part.number)) {
    int64_t bytes = 0;
    for (const StoredChunk& chunk : chunks_) {
      // Checked before anybody allocates what the part claims to have.
      const bool sane = chunk.bytes > 0 && chunk.bytes <= static_cast<int64_t>(kChunkBytes);
      if (!sane) failDamaged("a chunk has an impossible size");
      bytes += chunk.bytes;
    }
    if (bytes != part.info.bytes)
      failDamaged(fmt::format("wants {} bytes, {} are stored", part.info.bytes, bytes));
  }

  void read(std::span<std::byte> into) {
    for (size_t i = 0; i < chunks_.size(); ++i) {
      const auto bytes = static_cast<size_t>(chunks_[i].bytes);
      const std::span<std::byte> now = into.first(bytes);
      database_.readBlob("chunks", "data", chunks_[i].id, 0, now);
      if (sha256(now) != chunks_[i].hash)
        failDamaged(fmt::format("the checksum of chunk {} of {} differs", i + 1, chunks_.size()));
      into = into.subspan(bytes);
    }
  }

 private:
  [[noreturn]] void failDamaged(const std::string& what) const {
    throw Error(Code::Input, fmt::format("[store] '{}' is damaged: {}", database_.path(), what));
  }

  Database& database_;
  std::vector<StoredChunk> chunks_;
};

/// Says of which part an error is.
template <typename Call>
auto inPart(int64_t checkpoint, const StoredPart& part, Call call) {
  try {
    return call();
  } catch (Error& error) {
    error.addContext(fmt::format("checkpoint {}, part '{}'", checkpoint, part.info.name));
    throw;
  }
}

std::optional<CheckpointInfo> firstOf(Statement& query) {
  if (!query.step()) return std::nullopt;
  return checkpointRow(query);
}

void removeCheckpoint(Database& database, int64_t id) {
  for (const char* sql :
       {"DELETE FROM checkpoints WHERE id=?1", "DELETE FROM parts WHERE checkpoint=?1",
        "DELETE FROM part_chunks WHERE checkpoint=?1"})
    Statement(database, sql).bindAll(id).run();
}

void removeAll(Database& database, const std::vector<int64_t>& ids) {
  for (const int64_t id : ids) removeCheckpoint(database, id);
}

std::vector<int64_t> idsOf(Statement& query) {
  std::vector<int64_t> ids;
  while (query.step()) ids.push_back(query.integer(0));
  return ids;
}

}  // namespace

std::string_view checkpointKindName(CheckpointKind kind) {
  static constexpr std::array<std::string_view, 3> kNames = {"last", "best", "manual"};
  return kNames[static_cast<size_t>(kind)];
}

Checkpoints::Checkpoints(const Store& store)
    : file_(std::make_unique<CheckpointFile>(checkpointsDatabase(store, 8192),
                                             store.options().checkpointBatchBytes)) {
  if (file_->exists()) file_->list();  // a newer or damaged file is refused when the store opens
}
Checkpoints::~Checkpoints() = default;

void Checkpoints::refuseMisplaced() const { file_->refuseMisplaced(); }

std::vector<CheckpointInfo> Checkpoints::list(RunId run) const {
  std::vector<CheckpointInfo> infos;
  if (!file_->exists()) return infos;
  auto database = file_->list();
  Statement query(*database, std::string(kCheckpointColumns) + "WHERE run=?1 ORDER BY id");
  query.bind(1, run);
  while (query.step()) infos.push_back(checkpointRow(query));
  return infos;
}

std::optional<CheckpointInfo> Checkpoints::find(int64_t id) const {
  if (!file_->exists()) return std::nullopt;
  auto database = file_->list();
  Statement query(*database, std::string(kCheckpointColumns) + "WHERE id=?1");
  query.bind(1, id);
  return firstOf(query);
}

std::optional<CheckpointInfo> Checkpoints::newestWhole(RunId run) const {
  if (!file_->exists()) return std::nullopt;
  auto database = file_->list();
  Statement query(*database,
                  std::string(kCheckpointColumns) + "WHERE run=?1 ORDER BY id DESC LIMIT 1");
  query.bind(1, run);
  return firstOf(query);
}

std::vector<RunId> Checkpoints::runs() const {
  std::vector<RunId> found;
  if (!file_->exists()) return found;
  auto database = file_->list();
  Statement query(*database, "SELECT DISTINCT run FROM checkpoints ORDER BY run");
  while (query.step()) found.push_back(query.integer(0));
  return found;
}

std::optional<CheckpointInfo> Checkpoints::best(RunId run) const {
  if (!file_->exists()) return std::nullopt;
  auto database = file_->list();
  Statement query(*database, std::string(kCheckpointColumns) +
                                 "WHERE run=?1 AND kind=1 ORDER BY id DESC LIMIT 1");
  query.bind(1, run);
  return firstOf(query);
}

Checkpoint Checkpoints::load(int64_t id) {
  if (!file_->exists())
    throw Error(Code::Input, fmt::format("[store] the project has no checkpoint {}", id));
  auto database = file_->load();
  Transaction snapshot(*database, Access::Read);
  Checkpoint checkpoint;
  {
    Statement query(*database, std::string(kCheckpointColumns) + "WHERE id=?1");
    query.bind(1, id);
    if (!query.step()) failUnknown(*database, id);
    checkpoint.info = checkpointRow(query);
  }
  for (const StoredPart& stored : partsOf(*database, id)) {
    inPart(id, stored, [&] {
      PartLoader loader(*database, id, stored);
      Part& part = checkpoint.parts.emplace_back();
      static_cast<PartInfo&>(part) = stored.info;
      part.data.resize(static_cast<size_t>(stored.info.bytes));
      loader.read(part.data);
    });
  }
  return checkpoint;
}

std::vector<PartInfo> Checkpoints::parts(int64_t id) const {
  if (!file_->exists())
    throw Error(Code::Input, fmt::format("[store] the project has no checkpoint {}", id));
  auto database = file_->list();
  std::vector<PartInfo> infos;
  for (StoredPart& part : partsOf(*database, id)) infos.push_back(std::move(part.info));
  return infos;
}

void Checkpoints::readPart(int64_t id, std::string_view name, std::span<std::byte> into) {
  if (!file_->exists())
    throw Error(Code::Input, fmt::format("[store] the project has no checkpoint {}", id));
  auto database = file_->load();
  Transaction snapshot(*database, Access::Read);
  const std::vector<StoredPart> parts = partsOf(*database, id);
  const auto part = std::find_if(parts.begin(), parts.end(),
                                 [name](const StoredPart& p) { return p.info.name == name; });
  if (part == parts.end())
    throw Error(Code::Input, fmt::format("[store] '{}': checkpoint {} has no part '{}'",
                                         database->path(), id, name));
  if (static_cast<int64_t>(into.size()) != part->info.bytes)
    throw Error(Code::Input, fmt::format("[store] checkpoint {}, part '{}' has {} bytes, wanted {}",
                                         id, name, part->info.bytes, into.size()));
  inPart(id, *part, [&] { PartLoader(*database, id, *part).read(into); });
}

int Checkpoints::retain(RunId run, const Retention& retention) {
  if (!file_->exists()) return 0;
  auto database = file_->write();
  Transaction transaction(*database, Access::Write);
  int gone = 0;
  const std::pair<CheckpointKind, int> rules[] = {{CheckpointKind::Last, retention.keepLast},
                                                  {CheckpointKind::Best, retention.keepBest}};
  for (const auto& [kind, keep] : rules) {
    std::vector<int64_t> ids;
    {
      Statement query(*database,
                      "SELECT id FROM checkpoints WHERE run=?1 AND kind=?2 "
                      "ORDER BY id DESC LIMIT -1 OFFSET ?3");
      query.bindAll(run, static_cast<int>(kind), std::max(1, keep));
      ids = idsOf(query);
    }
    removeAll(*database, ids);
    gone += static_cast<int>(ids.size());
  }
  collectChunks(*database);
  transaction.commit();
  database->releaseMemory();
  return gone;
}

void Checkpoints::remove(int64_t id) {
  auto database = file_->write();
  Transaction transaction(*database, Access::Write);
  partsOf(*database, id);
  removeCheckpoint(*database, id);
  collectChunks(*database);
  transaction.commit();
}

void Checkpoints::removeRun(RunId run) {
  if (!file_->exists()) return;
  auto database = file_->write();
  Transaction transaction(*database, Access::Write);
  std::vector<int64_t> ids;
  {
    Statement query(*database, "SELECT id FROM checkpoints WHERE run=?1");
    query.bind(1, run);
    ids = idsOf(query);
  }
  removeAll(*database, ids);
  collectChunks(*database);
  transaction.commit();
}

int64_t Checkpoints::collectGarbage() {
  if (!file_->exists()) return 0;
  auto database = file_->write();
  Transaction transaction(*database, Access::Write);
  const int64_t bytes = collectChunks(*database);
  transaction.commit();
  return bytes;
}

}  // namespace tenon
