// SPDX-License-Identifier: Apache-2.0
// What a live run writes: metrics, events, progress and status, through one thread of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/clock.h"
#include "engine/store/artifacts.h"
#include "engine/store/events.h"
#include "engine/store/runs.h"
#include "engine/store/store.h"

namespace tenon {

/// A metric of one RunWriter; good only there.
enum class MetricId : uint32_t {};

/// Callbacks come on the writer's thread; keep them short and do not call the writer's waiting
/// functions (flush, close) from them.
struct RunWriterOptions {
  /// At most this long until a logged row is committed, and so what a kill -9 can lose.
  std::chrono::milliseconds commitInterval{200};
  /// In trouble: how long until it tries again by itself.
  std::chrono::milliseconds retryInterval{2000};
  /// Most bytes of artifacts that may wait for the disk; one alone may have more.
  size_t maxWaitingBytes = size_t{256} << 20;
  /// Where all times that this writer tells come from: they begin with its time of day and never go
  /// back, even if that is set back. Outlives the writer.
  const Clock* clock = &systemClock();
  /// Rows of the run are committed up to this count. Coalesced: one call a commit.
  std::function<void(RunId run, int64_t rows)> onRows = {};
  /// An artifact is in the store, whole; one call each, in the order in which they came.
  std::function<void(const ArtifactInfo&)> onArtifact = {};
  /// Writing fails; what was logged is kept in memory. The trainer should pause.
  std::function<void(const StoreTrouble&)> onTrouble = {};
  /// Writing works again and nothing was lost.
  std::function<void()> onRecovered = {};
};

/// The pen of a live run. All calls but metric(), flush() and close() take at most 100 ns or so and
/// never wait for the disk; memory for rows grows in chunks while the disk is behind, artifacts
/// have a limit at which the caller is told, nothing is dropped. Keeps the run's heartbeat (once a
/// second).
/// @thread every call from any thread; rows of one thread keep their order.
class TENON_API RunWriter {
 public:
  /// `run` must exist (Runs::create or takeOver). Rows are appended to what it already has.
  RunWriter(std::shared_ptr<Store> store, RunId run, RunWriterOptions options = {});
  /// Tries once more to write what is left; a failure is swallowed here, so call close().
  ~RunWriter();

  /// Names a metric, e.g. "train/loss", with its unit ("" or e.g. "%", "MB"). The same name gives
  /// the same id. Takes a lock, so ask once, not per step.
  MetricId metric(std::string_view name, std::string_view unit = {});

  /// One row. The time is taken here (resolution of the kernel's coarse clock, 1 to 4 ms).
  /// NaN and infinities are stored as they are.
  void log(MetricId metric, int64_t step, int32_t epoch, double value);

  /// Where the run is now; committed with the next batch.
  void progress(int64_t step, int32_t epoch);
  /// The best value so far of the metric that decides.
  void best(std::string_view metricName, double value, int64_t step);
  /// Queues a status change; a final one sets the end time. Training goes on with Running only.
  void status(RunStatus status, std::string_view failure = {});
  /// Queues that training waits from now on, or goes on; the time between is not time trained.
  void training(bool goesOn);
  /// How long the run has trained until now, with what it trained before this writer: what the
  /// store tells of it once everything is committed.
  int64_t trainedUs() const;
  /// Queues new settings as used (JSON text): somebody changed one while the run goes on.
  void settings(std::string_view settings);
  /// Queues an event of this run; `event.run` is filled in, `timeUs` too if 0.
  void event(Event event);
  /// Queues an artifact of this run, to be packed and committed by the writer's thread together
  /// with the rows of the same time; `info.run` is filled in, and readers see it only whole. False,
  /// with nothing taken, while others of too many bytes wait: flush(), then try again.
  /// @throws Error(Code::Input) if it is larger than the table takes
  bool artifact(ArtifactInfo info, std::vector<std::byte>&& bytes,
                Packing packing = Packing::Deflate);

  /// Returns when everything queued before is committed.
  /// @throws Error if writing is in trouble; everything is kept and tried again.
  void flush();
  /// Tries at once instead of waiting for the retry interval (the user pressed "Try again").
  void retry();
  /// True while writing fails.
  bool inTrouble() const;
  /// flush(), then ends the thread. After a throw it may be called again.
  void close();

  RunId run() const;
  /// Rows committed so far.
  int64_t rowsWritten() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tenon
