// SPDX-License-Identifier: Apache-2.0
// The table run_spans, and what it says of files that were made before it.
#include "engine/store/trained_time.h"

#include <algorithm>

#include "engine/store/database.h"

namespace tenon {

int64_t TrainedTime::until(int64_t timeUs) const {
  int64_t sum = 0;
  for (const TrainedSpan& span : spans_)
    sum += std::max<int64_t>(0, std::min(timeUs, span.endUs) - span.beginUs);
  return sum;
}

std::string spansOfVersion1() {
  // A stretch ends with a pause, else with the last that the log has of it, the newest one with the
  // run.
  return "WITH begins(run, at) AS (SELECT id, started_us FROM runs UNION "
         "SELECT run, time_us FROM events WHERE code IN ('train.resumed', 'train.continued')), "
         "stretches AS (SELECT run, at, lead(at) OVER (PARTITION BY run ORDER BY at) AS next "
         "FROM begins) "
         "SELECT s.run, s.at, ifnull((SELECT min(e.time_us) FROM events e WHERE e.run=s.run "
         "AND e.code='train.paused' AND e.time_us>=s.at AND (s.next IS NULL OR e.time_us<s.next)), "
         "CASE WHEN s.next IS NULL THEN r.ended_us ELSE "
         "(SELECT ifnull(max(e.time_us), s.at) FROM events e WHERE e.run=s.run "
         "AND e.time_us>=s.at AND e.time_us<s.next) END) "
         "FROM stretches s JOIN runs r ON r.id=s.run";
}

std::string spansPrefix(Database& database) {
  if (database.number("PRAGMA user_version") > 1) return {};
  return "WITH run_spans(run, begun_us, ended_us) AS (" + spansOfVersion1() + ") ";
}

void beginSpan(Database& database, RunId run, int64_t timeUs) {
  Statement(database,
            "INSERT OR REPLACE INTO run_spans(run, begun_us) SELECT ?1, max(?2, "
            "ifnull((SELECT max(ended_us) FROM run_spans WHERE run=?1), 0)) WHERE NOT EXISTS "
            "(SELECT 1 FROM run_spans WHERE run=?1 AND ended_us=0)")
      .bindAll(run, timeUs)
      .run();
}

void endSpan(Database& database, RunId run, int64_t timeUs) {
  Statement(database, "UPDATE run_spans SET ended_us=max(?2, begun_us) WHERE run=?1 AND ended_us=0")
      .bindAll(run, timeUs)
      .run();
}

}  // namespace tenon
