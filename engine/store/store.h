// SPDX-License-Identifier: Apache-2.0
// The project's store: opens the two SQLite files of a project folder and gives out its parts.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/error.h"
#include "engine/base/export.h"
#include "engine/store/file_identity.h"

namespace tenon {

class Artifacts;
class Checkpoints;
class Events;
class MetricReader;
class Runs;

/// Number of a run in its project, from 1; 0 means none.
using RunId = int64_t;

/// Times in the store are microseconds since 1970-01-01 UTC.
TENON_API int64_t storeTimeUs();

enum class OpenMode {
  ReadWrite,  ///< creates what is missing, migrates older schemas, marks dead runs as interrupted
  ReadOnly,   ///< changes nothing; works while another process writes, and in a read-only folder
};

struct StoreOptions {
  /// How long a call waits for another process's lock before it throws Error(Code::Busy).
  std::chrono::milliseconds busyTimeout{10000};
  /// New bytes of a checkpoint per transaction; a larger save holds the file's lock in several
  /// turns.
  int64_t checkpointBatchBytes = int64_t{128} << 20;
};

/// Why the store cannot write at the moment. The writer keeps what it has and goes on when the
/// cause is gone.
struct TENON_API StoreTrouble {
  Code code = Code::Io;
  int osError = 0;           ///< errno (ENOSPC: the disk is full), or 0
  std::string message = {};  ///< names file and cause

  /// A file of the store or the project folder was moved, deleted or replaced while open (ESTALE).
  /// Writing goes on when that very file is back; what was written before may be gone with it.
  bool misplaced() const;
  /// A file of the store is damaged.
  bool damaged() const { return code == Code::Input; }
  /// What is written already is safe and what is not waits in memory: nothing is lost.
  bool nothingIsLost() const { return !misplaced() && !damaged(); }
};

/// The store of one project folder: `tenon.sqlite` (runs, metrics, events, recordings) and
/// `checkpoints.sqlite` (created with the first checkpoint). No lock is held between calls; who
/// wants to be the only writer takes a ProjectLock. Parts live as long as the store does.
/// @thread all parts may be used from any thread; long calls of one do not block another part.
class TENON_API Store {
 public:
  /// @throws Error(Code::Io) folder missing, read-only or full; Error(Code::Busy) locked by another
  ///   process for longer than the time-out; Error(Code::Version) written by a newer Tenon;
  ///   Error(Code::Input) not a Tenon database or damaged (the file is left as it is). To read
  ///   only, a file that is damaged in places is opened with a warning in the log.
  static std::shared_ptr<Store> open(const std::string& projectFolder,
                                     OpenMode mode = OpenMode::ReadWrite,
                                     const StoreOptions& options = {});
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  Runs& runs();                ///< engine/store/runs.h
  MetricReader& metrics();     ///< engine/store/metrics.h
  Events& events();            ///< engine/store/events.h
  Artifacts& artifacts();      ///< engine/store/artifacts.h
  Checkpoints& checkpoints();  ///< engine/store/checkpoints.h

  const std::string& folder() const;
  OpenMode mode() const;
  const StoreOptions& options() const;
  std::string metricsPath() const;      ///< folder/tenon.sqlite
  std::string checkpointsPath() const;  ///< folder/checkpoints.sqlite
  /// The folder and `tenon.sqlite` as they were when the store was opened.
  FileIdentity folderIdentity() const;
  FileIdentity metricsIdentity() const;

  /// Deletes a run with its metrics, events, artifacts and checkpoints.
  /// @throws Error(Code::Busy) while the run is alive; Error(Code::Input) unknown run.
  void removeRun(RunId run);

 private:
  struct Parts;
  explicit Store(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace tenon
