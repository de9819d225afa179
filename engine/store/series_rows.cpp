// SPDX-License-Identifier: Apache-2.0
// Reading and appending the stored rows of one series.
#include "engine/store/series_rows.h"

#include <fmt/core.h>

#include <utility>

#include "engine/base/error.h"
#include "engine/store/point_pack.h"
#include "engine/store/summary.h"

namespace tenon {

std::vector<StoredSeries> storedSeries(Database& database, RunId run, std::string_view name) {
  Statement query(database,
                  "SELECT s.id, n.name, s.unit, s.rows, s.last_step, s.last_value, s.generation "
                  "FROM metric_series s JOIN metric_names n ON n.id=s.name "
                  "WHERE s.run=?1 AND (?2='' OR n.name=?2) ORDER BY s.id");
  query.bindAll(run, name);
  std::vector<StoredSeries> all;
  while (query.step()) {
    StoredSeries& series = all.emplace_back();
    series.info = {query.integer(0), query.text(1),    query.text(2),
                   query.integer(3), query.integer(4), query.real(5)};
    series.generation = query.integer(6);
  }
  return all;
}

namespace {

/// Says of which file an error is.
template <typename Call>
void inFile(const Database& database, Call call) {
  try {
    call();
  } catch (Error& error) {
    error.addContext(fmt::format("'{}'", database.path()));
    throw;
  }
}

}  // namespace

void appendRows(const Database& database, std::span<const std::byte> blob,
                std::vector<MetricRow>& rows) {
  inFile(database, [&] { unpackPoints(blob, rows); });
}

void appendEntries(const Database& database, std::span<const std::byte> blob,
                   std::vector<SummaryEntry>& entries) {
  inFile(database, [&] { unpackLevel(blob, entries); });
}

int64_t tailStart(Database& database, int64_t series, int64_t rows) {
  Statement query(database,
                  "SELECT min(first_row) FROM metric_tail WHERE series=?1 HAVING count(*)>0");
  query.bind(1, series);
  return query.step() ? query.integer(0) : rows;
}

Tail readTail(Database& database, int64_t series, int64_t fromRow) {
  Tail tail;
  Statement query(database,
                  "SELECT first_row, points FROM metric_tail WHERE series=?1 AND first_row>=ifnull("
                  "(SELECT max(first_row) FROM metric_tail WHERE series=?1 AND first_row<=?2), 0) "
                  "ORDER BY first_row");
  query.bindAll(series, fromRow);
  while (query.step()) {
    if (tail.rows.empty()) tail.firstRow = query.integer(0);
    appendRows(database, query.blob(1), tail.rows);
  }
  return tail;
}

void readChunk(Database& database, int64_t series, int64_t chunk, std::vector<MetricRow>& rows) {
  Statement query(database, "SELECT data FROM metric_packs WHERE id=?1");
  query.bind(1, packKey(series, 0, chunk));
  const size_t before = rows.size();
  if (query.step()) appendRows(database, query.blob(0), rows);
  if (rows.size() - before != static_cast<size_t>(kChunkRows))
    throw Error(Code::Input,
                fmt::format("[store] '{}': chunk {} of series {} is missing or damaged",
                            database.path(), chunk, series));
}

void SeriesAppender::resume(Database& database, const StoredSeries& series) {
  id_ = series.info.id;
  tail_ = readTail(database, id_).rows;
  persisted_ = tail_.size();
  chunks_ = (series.info.rows - static_cast<int64_t>(tail_.size())) / kChunkRows;
  if (chunks_ < 0 || chunks_ * kChunkRows + static_cast<int64_t>(tail_.size()) != series.info.rows)
    throw Error(Code::Input, fmt::format("[store] '{}': the rows of '{}' in run {} do not add up",
                                         database.path(), name_, run_));
}

void SeriesAppender::cut(Database& database, int64_t row) {
  const int64_t chunk = row / kChunkRows;
  if (chunk < chunks_) {
    tail_.clear();
    if (row % kChunkRows != 0) readChunk(database, id_, chunk, tail_);
    chunks_ = chunk;
  }
  tail_.resize(static_cast<size_t>(row - chunks_ * kChunkRows));
  persisted_ = 0;
  rewritten_ = true;
}

void SeriesAppender::createSeries(Database& database) {
  Statement(database, "INSERT OR IGNORE INTO metric_names(name) VALUES(?1)").bindAll(name_).run();
  Statement(database,
            "INSERT INTO metric_series(run, name, unit) "
            "SELECT ?1, id, ?3 FROM metric_names WHERE name=?2")
      .bindAll(run_, name_, unit_)
      .run();
  stagedId_ = database.lastInsertId();
}

void SeriesAppender::writeChunk(Database& database, int64_t chunk, size_t first) {
  const std::span<const MetricRow> rows =
      std::span(std::as_const(tail_)).subspan(first, static_cast<size_t>(kChunkRows));
  Statement insert(database, "INSERT OR REPLACE INTO metric_packs(id, data) VALUES(?1, ?2)");
  for (int level = 0; level < static_cast<int>(kLevelRows.size()); ++level) {
    const std::vector<std::byte> blob = level == 0 ? packPoints(rows) : packLevel(rows, level);
    insert.bindAll(packKey(stagedId_, level, chunk), blob).run();
  }
}

void SeriesAppender::write(Database& database) {
  stagedId_ = id_;
  if (stagedId_ == 0) createSeries(database);
  if (rewritten_)
    for (int level = 0; level < static_cast<int>(kLevelRows.size()); ++level)
      Statement(database, "DELETE FROM metric_packs WHERE id BETWEEN ?1 AND ?2")
          .bindAll(packKey(stagedId_, level, chunks_), packKey(stagedId_, level, kMaxChunk))
          .run();
  stagedPacked_ = 0;
  int64_t chunk = chunks_;
  const auto chunkRows = static_cast<size_t>(kChunkRows);
  for (; tail_.size() - stagedPacked_ >= chunkRows; stagedPacked_ += chunkRows)
    writeChunk(database, chunk++, stagedPacked_);
  if (stagedPacked_ > 0 || rewritten_)
    Statement(database, "DELETE FROM metric_tail WHERE series=?1").bindAll(stagedId_).run();
  const size_t first = stagedPacked_ > 0 ? stagedPacked_ : persisted_;
  if (first < tail_.size())
    Statement(database, "INSERT INTO metric_tail(series, first_row, points) VALUES(?1, ?2, ?3)")
        .bindAll(stagedId_, chunks_ * kChunkRows + static_cast<int64_t>(first),
                 packPoints(std::span(std::as_const(tail_)).subspan(first)))
        .run();
  const MetricRow last = tail_.empty() ? MetricRow{} : tail_.back();
  Statement(database,
            "UPDATE metric_series SET rows=?2, last_step=?3, last_value=?4, "
            "generation=generation+?5 WHERE id=?1")
      .bindAll(stagedId_, chunks_ * kChunkRows + static_cast<int64_t>(tail_.size()), last.step,
               last.value, rewritten_ ? 1 : 0)
      .run();
}

void SeriesAppender::committed() {
  id_ = stagedId_;
  chunks_ += static_cast<int64_t>(stagedPacked_) / kChunkRows;
  tail_.erase(tail_.begin(), tail_.begin() + static_cast<ptrdiff_t>(stagedPacked_));
  persisted_ = tail_.size();
  rewritten_ = false;
}

}  // namespace tenon
