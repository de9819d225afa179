// SPDX-License-Identifier: Apache-2.0
// The run table: creating, listing, status, and recognising runs whose process is gone.
#include "engine/store/runs.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <utility>

#include "engine/base/error.h"
#include "engine/store/database.h"
#include "engine/store/live_runs.h"
#include "engine/store/process_identity.h"
#include "engine/store/trained_time.h"

namespace tenon {
namespace {

constexpr std::array<std::string_view, 6> kStatusNames = {"running", "paused", "finished",
                                                          "stopped", "failed", "interrupted"};

/// A process we cannot look at counts as dead when it gave no sign within this time of now.
constexpr int64_t kSilenceUs = 60'000'000;

constexpr std::string_view kColumns =
    "SELECT id, name, status, started_us, ended_us, heartbeat_us, seed, device, settings, parent, "
    "pid, step, epoch, best_name, best_value, best_step, failure, process, "
    "(SELECT sum(max(0, iif(s.ended_us>0, s.ended_us, iif(runs.ended_us>0, runs.ended_us, "
    "heartbeat_us)) - s.begun_us)) FROM run_spans s WHERE s.run=runs.id) FROM runs ";

/// Reads whole rows of the table.
std::string selectRuns(Database& database, std::string_view where) {
  return spansPrefix(database).append(kColumns).append(where);
}

bool ownerIsGone(const Database& database, const RunInfo& run, const std::string& process) {
  // This process lives, but nobody in it writes the run any more.
  if (process == thisProcess()) return runIsAbandoned(database.file(), run.id);
  switch (processLife(process)) {
    case Life::Alive:
      return false;
    case Life::Dead:
      return true;
    case Life::Elsewhere:
      // A sign from the future was given before the clock was set back, and proves nothing.
      return std::abs(storeTimeUs() - run.heartbeatUs) > kSilenceUs;
  }
  return true;
}

RunStatus statusFrom(int64_t number) {
  const bool known = number >= 0 && number < static_cast<int64_t>(kStatusNames.size());
  return known ? static_cast<RunStatus>(number) : RunStatus::Interrupted;
}

RunInfo rowOf(const Database& database, const Statement& row) {
  RunInfo run;
  run.id = row.integer(0);
  run.name = row.text(1);
  run.status = statusFrom(row.integer(2));
  run.startedUs = row.integer(3);
  run.endedUs = row.integer(4);
  run.heartbeatUs = row.integer(5);
  run.seed = static_cast<uint64_t>(row.integer(6));
  run.device = row.text(7);
  run.settings = row.text(8);
  run.parent = row.integer(9);
  run.pid = row.integer(10);
  run.step = row.integer(11);
  run.epoch = static_cast<int32_t>(row.integer(12));
  run.bestName = row.text(13);
  run.bestValue = row.real(14);
  run.bestStep = row.integer(15);
  run.failure = row.text(16);
  run.trainedUs = row.integer(18);
  if (run.alive() && ownerIsGone(database, run, row.text(17))) {
    run.status = RunStatus::Interrupted;
    run.endedUs = run.heartbeatUs;
  }
  return run;
}

std::optional<RunInfo> findIn(Database& database, RunId id) {
  Statement query(database, selectRuns(database, "WHERE id=?1"));
  query.bind(1, id);
  if (!query.step()) return std::nullopt;
  return rowOf(database, query);
}

RunInfo getFrom(Database& database, RunId id) {
  if (std::optional<RunInfo> run = findIn(database, id)) return *std::move(run);
  throw Error(Code::Input, fmt::format("[store] '{}' has no run {}", database.path(), id));
}

}  // namespace

std::string_view runStatusName(RunStatus status) {
  return kStatusNames[static_cast<size_t>(status)];
}

RunId Runs::create(const NewRun& run) {
  auto database = connection_.use();
  Transaction transaction(*database, Access::Write);
  const int64_t now = storeTimeUs();
  Statement(*database,
            "INSERT INTO runs(name, status, started_us, heartbeat_us, seed, device, settings, "
            "parent, pid, process) VALUES(?1, 0, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
      .bindAll(run.name, now, static_cast<int64_t>(run.seed), run.device, run.settings, run.parent,
               getpid(), thisProcess())
      .run();
  const RunId id = database->lastInsertId();
  beginSpan(*database, id, now);
  if (run.name.empty())
    Statement(*database, "UPDATE runs SET name='run ' || id WHERE id=?1").bindAll(id).run();
  transaction.commit();
  runBegan(database->file(), id);
  return id;
}

void Runs::takeOver(RunId id, const RunSettings& now) {
  auto database = connection_.use();
  Transaction transaction(*database, Access::Write);
  const RunInfo run = getFrom(*database, id);
  if (run.alive() && run.pid != getpid())
    throw Error(Code::Busy, fmt::format("[store] run {} is {} in process {}", id,
                                        runStatusName(run.status), run.pid));
  // What a killed process left open ended with its last sign of life.
  const int64_t endedUs = run.endedUs > 0 ? run.endedUs : run.heartbeatUs;
  endSpan(*database, id, endedUs);
  // The clock may have been set back since.
  const int64_t nowUs = std::max(storeTimeUs(), endedUs);
  beginSpan(*database, id, nowUs);
  Statement(
      *database,
      "UPDATE runs SET status=0, ended_us=0, heartbeat_us=?2, pid=?3, process=?4, failure='', "
      "device=CASE ?5 WHEN '' THEN device ELSE ?5 END, "
      "settings=CASE ?6 WHEN '' THEN settings ELSE ?6 END WHERE id=?1")
      .bindAll(id, nowUs, getpid(), thisProcess(), now.device, now.settings)
      .run();
  transaction.commit();
  runBegan(database->file(), id);
}

std::vector<RunInfo> Runs::list(int64_t limit, RunId before) const {
  auto database = connection_.use();
  Statement query(*database,
                  selectRuns(*database, "WHERE ?1<=0 OR id<?1 ORDER BY id DESC LIMIT ?2"));
  query.bindAll(before, limit > 0 ? limit : int64_t{-1});
  std::vector<RunInfo> runs;
  while (query.step()) runs.push_back(rowOf(*database, query));
  return runs;
}

std::optional<RunInfo> Runs::find(RunId id) const {
  auto database = connection_.use();
  return findIn(*database, id);
}

RunInfo Runs::get(RunId id) const {
  auto database = connection_.use();
  return getFrom(*database, id);
}

TrainedTime Runs::trainedTime(RunId run) const {
  auto database = connection_.use();
  Statement query(*database, spansPrefix(*database) +
                                 "SELECT begun_us, ended_us FROM run_spans WHERE run=?1 "
                                 "ORDER BY begun_us");
  query.bind(1, run);
  std::vector<TrainedSpan> spans;
  while (query.step()) {
    const int64_t end = query.integer(1);
    spans.push_back({query.integer(0), end > 0 ? end : std::numeric_limits<int64_t>::max()});
  }
  return TrainedTime(std::move(spans));
}

void Runs::setStatus(RunId id, RunStatus status, std::string_view failure) {
  auto database = connection_.use();
  Transaction transaction(*database, Access::Write);
  getFrom(*database, id);
  const bool ends = status != RunStatus::Running && status != RunStatus::Paused;
  const int64_t now = storeTimeUs();
  Statement(*database, "UPDATE runs SET status=?2, ended_us=?3, failure=?4 WHERE id=?1")
      .bindAll(id, static_cast<int>(status), ends ? now : int64_t{0}, failure)
      .run();
  status == RunStatus::Running ? beginSpan(*database, id, now) : endSpan(*database, id, now);
  transaction.commit();
}

void Runs::rename(RunId id, std::string_view name) {
  auto database = connection_.use();
  Transaction transaction(*database, Access::Write);
  getFrom(*database, id);
  Statement(*database, "UPDATE runs SET name=?2 WHERE id=?1").bindAll(id, name).run();
  transaction.commit();
}

int Runs::markInterrupted() {
  auto database = connection_.use();
  std::vector<RunInfo> gone;
  {
    Statement query(*database, selectRuns(*database, "WHERE status IN (0, 1)"));
    while (query.step())
      if (RunInfo run = rowOf(*database, query); !run.alive()) gone.push_back(std::move(run));
  }
  if (gone.empty()) return 0;
  Transaction transaction(*database, Access::Write);
  int count = 0;
  for (const RunInfo& run : gone) {
    // Somebody else may have marked it, or taken it over, since the query.
    const std::optional<RunInfo> now = findIn(*database, run.id);
    if (!now || now->status != RunStatus::Interrupted) continue;
    Statement(*database,
              "UPDATE runs SET status=5, ended_us=heartbeat_us WHERE id=?1 AND status IN (0, 1)")
        .bindAll(run.id)
        .run();
    const int64_t changed = database->changes();
    if (changed > 0) endSpan(*database, run.id, run.heartbeatUs);
    count += static_cast<int>(changed);
  }
  transaction.commit();
  return count;
}

}  // namespace tenon
