// SPDX-License-Identifier: Apache-2.0
// Opening a project's store and handing out its parts.
#include "engine/store/store.h"

#include <fmt/core.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "engine/base/file.h"
#include "engine/store/artifacts.h"
#include "engine/store/checkpoints.h"
#include "engine/store/database.h"
#include "engine/store/database_options.h"
#include "engine/store/events.h"
#include "engine/store/metrics.h"
#include "engine/store/migrations.h"
#include "engine/store/runs.h"
#include "engine/store/series_rows.h"
#include "engine/store/soundness.h"
#include "engine/store/summary.h"

namespace tenon {

int64_t storeTimeUs() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

bool StoreTrouble::misplaced() const { return osError == ESTALE; }

DatabaseOptions metricsDatabase(const Store& store, int cacheKiB) {
  DatabaseOptions options;
  options.path = store.metricsPath();
  options.readOnly = store.mode() == OpenMode::ReadOnly;
  options.journal = Journal::WriteAheadLog;
  options.pageBytes = 8192;
  options.cacheKiB = cacheKiB;
  options.busyTimeout = store.options().busyTimeout;
  options.schema = &metricsSchema();
  options.folder = store.folderIdentity();
  options.file = store.metricsIdentity();
  return options;
}

DatabaseOptions checkpointsDatabase(const Store& store, int cacheKiB) {
  DatabaseOptions options = metricsDatabase(store, cacheKiB);
  options.path = store.checkpointsPath();
  options.create = !options.readOnly;
  options.journal = Journal::Rollback;
  options.pageBytes = 32768;
  options.schema = &checkpointsSchema();
  options.file = {};
  return options;
}

struct Store::Parts {
  std::string folder;
  OpenMode mode;
  StoreOptions options;
  FileIdentity folderIdentity, metricsIdentity;
  std::unique_ptr<Connection> runsConnection, eventsConnection, artifactsConnection;
  std::unique_ptr<Runs> runs;
  std::unique_ptr<Events> events;
  std::unique_ptr<Artifacts> artifacts;
  std::unique_ptr<MetricReader> metrics;
  std::unique_ptr<Checkpoints> checkpoints;
};

Store::Store(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Store::~Store() = default;

namespace {

void refuseMissing(const std::string& path) {
  if (!pathExists(path))
    throw Error(Code::Io, fmt::format("[store] open '{}': {}", path, std::strerror(ENOENT)),
                ENOENT);
}

/// Opens `tenon.sqlite`, makes or checks its schema, and tells which file it is.
FileIdentity prepareMetrics(const Store& store) {
  DatabaseOptions options = metricsDatabase(store, 1024);
  options.create = !options.readOnly;
  Database database(options);
  if (!options.readOnly) {
    checkSchema(database, metricsSchema());
    refuseDamage(database);
    migrate(database, metricsSchema());
    return database.file();
  }
  checkSchema(database, metricsSchema());
  if (database.number("PRAGMA user_version") == 0)
    throw Error(Code::Input, fmt::format("[store] '{}' is empty", options.path));
  warnOfDamage(database);
  return database.file();
}

}  // namespace

std::shared_ptr<Store> Store::open(const std::string& projectFolder, OpenMode mode,
                                   const StoreOptions& options) {
  auto fresh = std::make_unique<Parts>();
  fresh->folder = projectFolder;
  fresh->mode = mode;
  fresh->options = options;
  std::shared_ptr<Store> store(new Store(std::move(fresh)));
  refuseMissing(projectFolder);
  if (mode == OpenMode::ReadOnly) refuseMissing(store->metricsPath());
  Parts& parts = *store->parts_;
  parts.folderIdentity = fileIdentity(projectFolder);
  parts.metricsIdentity = prepareMetrics(*store);
  const auto connect = [&] { return std::make_unique<Connection>(metricsDatabase(*store, 2048)); };
  parts.runsConnection = connect();
  parts.eventsConnection = connect();
  parts.artifactsConnection = connect();
  parts.runs = std::make_unique<Runs>(*parts.runsConnection);
  parts.events = std::make_unique<Events>(*parts.eventsConnection);
  parts.artifacts = std::make_unique<Artifacts>(*parts.artifactsConnection);
  parts.metrics = std::make_unique<MetricReader>(*store);
  parts.checkpoints = std::make_unique<Checkpoints>(*store);
  if (mode == OpenMode::ReadWrite) parts.runs->markInterrupted();
  return store;
}

Runs& Store::runs() { return *parts_->runs; }
MetricReader& Store::metrics() { return *parts_->metrics; }
Events& Store::events() { return *parts_->events; }
Artifacts& Store::artifacts() { return *parts_->artifacts; }
Checkpoints& Store::checkpoints() { return *parts_->checkpoints; }

const std::string& Store::folder() const { return parts_->folder; }
OpenMode Store::mode() const { return parts_->mode; }
const StoreOptions& Store::options() const { return parts_->options; }
FileIdentity Store::folderIdentity() const { return parts_->folderIdentity; }
FileIdentity Store::metricsIdentity() const { return parts_->metricsIdentity; }
std::string Store::metricsPath() const { return parts_->folder + "/tenon.sqlite"; }
std::string Store::checkpointsPath() const { return parts_->folder + "/checkpoints.sqlite"; }

void Store::removeRun(RunId run) {
  if (runs().get(run).alive())
    throw Error(Code::Busy, fmt::format("[store] run {} is still running", run));
  checkpoints().removeRun(run);
  auto database = parts_->runsConnection->use();
  Transaction transaction(*database, Access::Write);
  for (const StoredSeries& series : storedSeries(*database, run)) {
    Statement(*database, "DELETE FROM metric_packs WHERE id BETWEEN ?1 AND ?2")
        .bindAll(packKey(series.info.id, 0, 0), packKey(series.info.id, 3, kMaxChunk))
        .run();
    Statement(*database, "DELETE FROM metric_tail WHERE series=?1").bindAll(series.info.id).run();
  }
  for (const char* sql : {"DELETE FROM metric_series WHERE run=?1",
                          "DELETE FROM events WHERE run=?1", "DELETE FROM artifacts WHERE run=?1",
                          "DELETE FROM run_spans WHERE run=?1", "DELETE FROM runs WHERE id=?1"})
    Statement(*database, sql).bindAll(run).run();
  transaction.commit();
}

}  // namespace tenon
