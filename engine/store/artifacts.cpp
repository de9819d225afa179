// SPDX-License-Identifier: Apache-2.0
// The artifact table; blobs are packed with zlib when that makes them smaller.
#include "engine/store/artifacts.h"

#include <fmt/core.h>
#include <zlib.h>

#include <utility>

#include "engine/base/error.h"
#include "engine/store/artifact_rows.h"
#include "engine/store/checksum.h"

namespace tenon {
namespace {

constexpr std::string_view kColumns =
    "SELECT id, run, kind, step, epoch, version, created_us, bytes, meta FROM artifacts ";

/// Empty if packing does not make it smaller.
std::vector<std::byte> deflated(std::span<const std::byte> bytes) {
  std::vector<std::byte> out(compressBound(bytes.size()));
  uLongf size = out.size();
  const int result =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), Z_BEST_SPEED);
  out.resize(result == Z_OK && size < bytes.size() ? size : 0);
  return out;
}

[[noreturn]] void failDamaged(const Database& database, int64_t id) {
  throw Error(Code::Input,
              fmt::format("[store] '{}': artifact {} is damaged", database.path(), id));
}

[[noreturn]] void failUnknown(const Database& database, int64_t id) {
  throw Error(Code::Input, fmt::format("[store] '{}' has no artifact {}", database.path(), id));
}

ArtifactInfo rowOf(const Statement& row) {
  ArtifactInfo info;
  info.id = row.integer(0);
  info.run = row.integer(1);
  info.kind = row.text(2);
  info.step = row.integer(3);
  info.epoch = static_cast<int32_t>(row.integer(4));
  info.version = static_cast<int32_t>(row.integer(5));
  info.createdUs = row.integer(6);
  info.bytes = row.integer(7);
  info.meta = row.text(8);
  return info;
}

}  // namespace

void refuseTooLarge(const ArtifactInfo& info, size_t bytes) {
  if (bytes > kMaxArtifactBytes)
    throw Error(Code::Input, fmt::format("[store] artifact '{}' has {} bytes, at most {} fit",
                                         info.kind, bytes, kMaxArtifactBytes));
}

void WaitingArtifact::pack() {
  if (stored) return;
  std::vector<std::byte> packed;
  if (packing == Packing::Deflate) packed = deflated(data);
  if (packed.empty()) {
    appendChecksum(data);
    stored = Stored::Checked;
  } else {
    data = std::move(packed);
    stored = Stored::Deflated;
  }
}

void insertArtifact(Database& database, WaitingArtifact& artifact) {
  const ArtifactInfo& info = artifact.info;
  Statement(database,
            "INSERT INTO artifacts(run, kind, step, epoch, version, created_us, bytes, packing, "
            "meta, data) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
      .bindAll(info.run, info.kind, info.step, info.epoch, info.version, info.createdUs, info.bytes,
               static_cast<int64_t>(artifact.stored.value()), info.meta,
               std::span<const std::byte>(artifact.data))
      .run();
  artifact.info.id = database.lastInsertId();
}

int64_t Artifacts::add(const ArtifactInfo& info, std::span<const std::byte> bytes,
                       Packing packing) {
  refuseTooLarge(info, bytes.size());
  WaitingArtifact artifact{info, {bytes.begin(), bytes.end()}, packing};
  artifact.info.createdUs = storeTimeUs();
  artifact.info.bytes = static_cast<int64_t>(bytes.size());
  artifact.pack();
  auto database = connection_.use();
  Transaction transaction(*database, Access::Write);
  insertArtifact(*database, artifact);
  transaction.commit();
  return artifact.info.id;
}

std::vector<ArtifactInfo> Artifacts::list(RunId run, std::string_view kind) const {
  auto database = connection_.use();
  Statement query(*database,
                  std::string(kColumns) + "WHERE run=?1 AND (?2='' OR kind=?2) ORDER BY id");
  query.bindAll(run, kind);
  std::vector<ArtifactInfo> infos;
  while (query.step()) infos.push_back(rowOf(query));
  return infos;
}

std::optional<ArtifactInfo> Artifacts::find(int64_t id) const {
  auto database = connection_.use();
  Statement query(*database, std::string(kColumns) + "WHERE id=?1");
  query.bind(1, id);
  if (!query.step()) return std::nullopt;
  return rowOf(query);
}

std::vector<std::byte> Artifacts::read(int64_t id) const {
  auto database = connection_.use();
  Statement query(*database, "SELECT bytes, packing, data FROM artifacts WHERE id=?1");
  query.bind(1, id);
  if (!query.step()) failUnknown(*database, id);
  std::span<const std::byte> stored = query.blob(2);
  const auto bytes = static_cast<uint64_t>(query.integer(0));
  const auto how = static_cast<Stored>(query.integer(1));
  if (how == Stored::Checked) {
    const auto checked = withoutChecksum(stored);
    if (!checked) failDamaged(*database, id);
    stored = *checked;
  } else if (how != Stored::Plain && how != Stored::Deflated) {
    failDamaged(*database, id);
  }
  if (how != Stored::Deflated) {
    if (stored.size() != bytes) failDamaged(*database, id);
    return {stored.begin(), stored.end()};
  }
  // zlib packs at most about 1030 to 1, so a size beyond that is a lie.
  if (bytes > kMaxArtifactBytes || bytes > (stored.size() + 1) * 1100) failDamaged(*database, id);
  std::vector<std::byte> out(bytes);
  uLongf size = out.size();
  const int result = uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                                reinterpret_cast<const Bytef*>(stored.data()), stored.size());
  if (result != Z_OK || size != bytes) failDamaged(*database, id);
  return out;
}

void Artifacts::remove(int64_t id) {
  auto database = connection_.use();
  Transaction transaction(*database, Access::Write);
  Statement(*database, "DELETE FROM artifacts WHERE id=?1").bindAll(id).run();
  if (database->changes() == 0) failUnknown(*database, id);
  transaction.commit();
}

}  // namespace tenon
