// SPDX-License-Identifier: Apache-2.0
// Runs of a project: what was started with which settings, how far it came and how it ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/store/store.h"

namespace tenon {

class Connection;
class TrainedTime;

/// The numbers are stored; never renumber.
enum class RunStatus {
  Running = 0,
  Paused = 1,
  Finished = 2,     ///< came to its end
  Stopped = 3,      ///< stopped on request; resumable
  Failed = 4,       ///< ended by an error, see RunInfo::failure
  Interrupted = 5,  ///< its process died without a word (kill -9, power); resumable
};

/// "running", "paused", "finished", "stopped", "failed", "interrupted".
TENON_API std::string_view runStatusName(RunStatus status);

/// What is known when a run starts.
struct NewRun {
  std::string name = {};  ///< empty: "run N"
  uint64_t seed = 0;
  std::string device = {};    ///< e.g. "cpu", "cuda:0"
  std::string settings = {};  ///< project settings as used, JSON text; those of the newest step
  RunId parent = 0;           ///< run it was resumed from, 0 if none
};

/// What a run is trained with from now on; empty: as before.
struct RunSettings {
  std::string device = {};
  std::string settings = {};
};

/// A run as stored. Times in microseconds since 1970 UTC, 0 if not yet.
struct RunInfo {
  RunId id = 0;
  std::string name = {};
  RunStatus status = RunStatus::Running;
  int64_t startedUs = 0;
  int64_t endedUs = 0;
  int64_t heartbeatUs = 0;  ///< last sign of life, about once a second
  int64_t trainedUs = 0;    ///< time really trained: sessions summed, pauses left out
  uint64_t seed = 0;
  std::string device = {};
  std::string settings = {};
  RunId parent = 0;
  int64_t pid = 0;
  int64_t step = -1;          ///< last step done, -1 before the first
  int32_t epoch = -1;         ///< epoch of that step
  std::string bestName = {};  ///< metric that decides what is best, empty if none yet
  double bestValue = 0;
  int64_t bestStep = -1;
  std::string failure = {};  ///< why it failed, for a person
  /// True while the run's process lives and has not ended the run.
  bool alive() const { return status == RunStatus::Running || status == RunStatus::Paused; }
};

/// The run table. A run that claims to be running while its process is gone is always given out as
/// Interrupted, and so is one of this process whose last RunWriter is gone without having written
/// an end (a full disk). While a run is live, its trainer speaks through RunWriter (run_writer.h),
/// which never makes it wait for the disk; the calls here write at once.
/// @throws Error (Io, Busy) from every call; Error(Code::Input) for an unknown id.
class TENON_API Runs {
 public:
  explicit Runs(Connection& connection) : connection_(connection) {}

  /// Starts a run owned by this process: Running, started now.
  RunId create(const NewRun& run);
  /// Makes an ended run Running again, owned by this process (resume in place), and keeps what it
  /// is trained with from now on.
  /// @throws Error(Code::Busy) if it is alive in another process.
  void takeOver(RunId run, const RunSettings& now = {});

  /// Newest first. `limit` 0: all; `before` > 0: only ids below it (paging).
  std::vector<RunInfo> list(int64_t limit = 0, RunId before = 0) const;
  std::optional<RunInfo> find(RunId run) const;
  RunInfo get(RunId run) const;
  /// When the run trained (trained_time.h); no spans if there is no such run.
  TrainedTime trainedTime(RunId run) const;

  /// A final status sets the end time. `failure` only with Failed.
  void setStatus(RunId run, RunStatus status, std::string_view failure = {});
  void rename(RunId run, std::string_view name);

  /// Writes Interrupted into rows whose process is gone; Store::open does it. Returns how many.
  int markInterrupted();

 private:
  Connection& connection_;
};

}  // namespace tenon
