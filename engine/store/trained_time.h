// SPDX-License-Identifier: Apache-2.0
// How long a run really trained: its sessions without pauses and without the time between a stop
// and a resume.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/export.h"
#include "engine/store/runs.h"

namespace tenon {

class Database;

/// A stretch of time in which a run trained, in microseconds since 1970 UTC.
struct TrainedSpan {
  int64_t beginUs = 0;
  int64_t endUs = 0;  ///< INT64_MAX: it goes on, or its end is not known
};

/// The spans of a run in order, none of which overlaps another; a time of day becomes time trained.
class TENON_API TrainedTime {
 public:
  TrainedTime() = default;
  explicit TrainedTime(std::vector<TrainedSpan> spans) : spans_(std::move(spans)) {}

  const std::vector<TrainedSpan>& spans() const { return spans_; }
  /// Microseconds trained until `timeUs`; never less for a later time.
  int64_t until(int64_t timeUs) const;

 private:
  std::vector<TrainedSpan> spans_;
};

/// Text in front of a statement that reads the table run_spans; a file of version 1 has none, there
/// it is made up from the run's events. For reading only.
std::string spansPrefix(Database& database);
/// The query that makes up run_spans(run, begun_us, ended_us) of a file of version 1.
std::string spansOfVersion1();
/// A span begins unless one goes on, never before the last one ended; one that goes on ends.
void beginSpan(Database& database, RunId run, int64_t timeUs);
void endSpan(Database& database, RunId run, int64_t timeUs);

}  // namespace tenon
