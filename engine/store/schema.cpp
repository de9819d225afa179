// SPDX-License-Identifier: Apache-2.0
// The schemas of the two database files. A released migration is never changed; add a new one.
#include <array>
#include <string>

#include "engine/store/migrations.h"
#include "engine/store/trained_time.h"

namespace tenon {
namespace {

// Metrics. A series is one metric name of one run, its rows numbered from 0. Rows are kept packed,
// since a table row each would cost five times the space and could not take a million rows a
// second:
//   metric_tail    the newest rows, one blob per commit, until there are 4096
//   metric_packs   id = series << 34 | level << 32 | chunk; level 0 holds rows [4096 chunk, ...)
//   (see
//                  point_pack.h), levels 1 to 3 their summaries over 32, 512 and 4096 rows (see
//                  summary.h), so that a curve of any length is drawn from a few thousand of them.
// runs.process says which process owns the run (process_identity.h).
constexpr const char* kMetrics1 = R"sql(
CREATE TABLE runs(
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, status INTEGER NOT NULL,
  started_us INTEGER NOT NULL, ended_us INTEGER NOT NULL DEFAULT 0, heartbeat_us INTEGER NOT NULL,
  seed INTEGER NOT NULL, device TEXT NOT NULL, settings TEXT NOT NULL, parent INTEGER NOT NULL,
  pid INTEGER NOT NULL, process TEXT NOT NULL,
  step INTEGER NOT NULL DEFAULT -1, epoch INTEGER NOT NULL DEFAULT -1,
  best_name TEXT NOT NULL DEFAULT '', best_value REAL DEFAULT 0,
  best_step INTEGER NOT NULL DEFAULT -1,  failure TEXT NOT NULL DEFAULT '');
CREATE INDEX runs_by_status ON runs(status);

CREATE TABLE metric_names(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE metric_series(
  id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, name INTEGER NOT NULL,
  unit TEXT NOT NULL, rows INTEGER NOT NULL DEFAULT 0, generation INTEGER NOT NULL DEFAULT 0,
  last_step INTEGER NOT NULL DEFAULT 0, last_value REAL DEFAULT 0, UNIQUE(run, name));
CREATE TABLE metric_tail(
  series INTEGER NOT NULL, first_row INTEGER NOT NULL, points BLOB NOT NULL,
  PRIMARY KEY(series, first_row)) WITHOUT ROWID;
CREATE TABLE metric_packs(id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE events(
  id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, time_us INTEGER NOT NULL,
  step INTEGER NOT NULL, level INTEGER NOT NULL, code TEXT NOT NULL, text TEXT NOT NULL,
  args TEXT NOT NULL);
CREATE INDEX events_by_run ON events(run, id);

CREATE TABLE artifacts(
  id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, kind TEXT NOT NULL,
  step INTEGER NOT NULL, epoch INTEGER NOT NULL, version INTEGER NOT NULL,
  created_us INTEGER NOT NULL, bytes INTEGER NOT NULL, packing INTEGER NOT NULL,
  meta TEXT NOT NULL, data BLOB NOT NULL);
CREATE INDEX artifacts_by_run ON artifacts(run, kind, id);
)sql";

// The time a run really trained: a row for each stretch of it. ended_us 0: it goes on, or its
// process died without a word; then it ends with the run, else with its last sign of life.
std::string metrics2() {
  return "CREATE TABLE run_spans(run INTEGER NOT NULL, begun_us INTEGER NOT NULL, "
         "ended_us INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(run, begun_us)) WITHOUT ROWID;"
         "INSERT OR IGNORE INTO run_spans(run, begun_us, ended_us) " +
         spansOfVersion1() + ";";
}

// Checkpoints. A chunk is at most 16 MiB of one part, found by the SHA-256 of its bytes and stored
// once. A checkpoint exists when its row does; parts and chunks come before it. `savings` and
// `saving_chunks` name the chunks of a save under way that takes more than one transaction, so that
// nobody collects them; when the process of a saving is gone, so are its claims.
constexpr const char* kCheckpoints1 = R"sql(
CREATE TABLE chunks(
  id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, bytes INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE checkpoints(
  id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, step INTEGER NOT NULL,
  epoch INTEGER NOT NULL, kind INTEGER NOT NULL, version INTEGER NOT NULL, meta TEXT NOT NULL,
  created_us INTEGER NOT NULL, bytes INTEGER NOT NULL, bytes_stored INTEGER NOT NULL);
CREATE INDEX checkpoints_by_run ON checkpoints(run, id);
CREATE TABLE parts(
  checkpoint INTEGER NOT NULL, part INTEGER NOT NULL, name TEXT NOT NULL, meta TEXT NOT NULL,
  bytes INTEGER NOT NULL, PRIMARY KEY(checkpoint, part)) WITHOUT ROWID;
CREATE TABLE part_chunks(
  checkpoint INTEGER NOT NULL, part INTEGER NOT NULL, position INTEGER NOT NULL,
  chunk INTEGER NOT NULL, PRIMARY KEY(checkpoint, part, position)) WITHOUT ROWID;
CREATE INDEX part_chunks_by_chunk ON part_chunks(chunk);
CREATE TABLE savings(id INTEGER PRIMARY KEY AUTOINCREMENT, process TEXT NOT NULL);
CREATE TABLE saving_chunks(
  saving INTEGER NOT NULL, chunk INTEGER NOT NULL, PRIMARY KEY(saving, chunk)) WITHOUT ROWID;
CREATE INDEX saving_chunks_by_chunk ON saving_chunks(chunk);
)sql";

}  // namespace

const Schema& metricsSchema() {
  static const std::string kMetrics2 = metrics2();
  static const std::array<Migration, 2> kMigrations = {{{1, kMetrics1}, {2, kMetrics2.c_str()}}};
  static const Schema kSchema{0x54656e6d, kMigrations};  // "Tenm"
  return kSchema;
}

const Schema& checkpointsSchema() {
  static constexpr std::array<Migration, 1> kMigrations = {{{1, kCheckpoints1}}};
  static constexpr Schema kSchema{0x54656e63, kMigrations};  // "Tenc"
  return kSchema;
}

}  // namespace tenon
