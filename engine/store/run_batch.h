// SPDX-License-Identifier: Apache-2.0
// What a RunWriter has taken in and not committed yet, and how it is written as one transaction.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/store/artifact_rows.h"
#include "engine/store/database.h"
#include "engine/store/events.h"
#include "engine/store/row_queue.h"
#include "engine/store/runs.h"
#include "engine/store/series_rows.h"
#include "engine/store/training_clock.h"

namespace tenon {

struct RunProgress {
  int64_t step = -1;
  int32_t epoch = -1;
};

struct BestMetric {
  std::string name;
  double value = 0;
  int64_t step = -1;
};

struct StatusChange {
  RunStatus status = RunStatus::Running;
  std::string failure;
  int64_t timeUs = 0;
};

/// News of a run apart from its rows; later ones replace earlier ones, events,
/// artifacts and changes of training add up.
struct RunNews {
  std::vector<Event> events;
  std::vector<WaitingArtifact> artifacts;
  TrainingChanges training;
  std::optional<RunProgress> progress;
  std::optional<BestMetric> best;
  std::optional<StatusChange> status;
  std::optional<std::string> settings;

  bool empty() const {
    return events.empty() && artifacts.empty() && training.empty() && !progress && !best &&
           !status && !settings;
  }
  /// Takes over what came later.
  void merge(RunNews&& later);
};

/// @thread the writer's own
class RunBatch {
 public:
  RunBatch(RunId run, Database& database);

  /// Rows of metric number i go to the series named i-th.
  void nameSeries(const std::string& name, const std::string& unit);
  size_t seriesCount() const { return series_.size(); }
  void take(const RowQueue::Chunks& chunks);
  void take(RunNews&& news) { news_.merge(std::move(news)); }

  bool empty() const { return newRows_ == 0 && news_.empty(); }
  /// Commits everything and a heartbeat of `nowUs`; returns the artifacts that are in the store
  /// now.
  /// @throws Error; all is kept and can be written again.
  std::vector<ArtifactInfo> write(int64_t nowUs);
  /// Rows of the run committed, those of earlier writers included.
  int64_t rowsWritten() const { return rowsWritten_; }

 private:
  void writeRun(int64_t nowUs);

  RunId run_;
  Database& database_;
  std::unordered_map<std::string, std::unique_ptr<SeriesAppender>> before_;  // of earlier writers
  std::vector<std::unique_ptr<SeriesAppender>> series_;
  RunNews news_;
  int64_t newRows_ = 0;
  int64_t rowsWritten_ = 0;
};

}  // namespace tenon
