// SPDX-License-Identifier: Apache-2.0
// One transaction that cuts rows, events and artifacts of a run.
#include "engine/store/rewind.h"

#include <algorithm>
#include <optional>

#include "engine/store/database.h"
#include "engine/store/database_options.h"
#include "engine/store/metrics.h"
#include "engine/store/point_pack.h"
#include "engine/store/series_rows.h"
#include "engine/store/summary.h"

namespace tenon {
namespace {

/// Number of the first row with a step above `lastStep`, none if there is no such row.
std::optional<int64_t> firstRowAfter(Database& database, int64_t series, int64_t lastStep) {
  std::vector<SummaryEntry> directory;
  Statement query(database, "SELECT data FROM metric_packs WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
  query.bindAll(packKey(series, 3, 0), packKey(series, 3, kMaxChunk));
  while (query.step()) appendEntries(database, query.blob(0), directory);
  const auto late = [lastStep](const auto& item) { return item.step > lastStep; };
  for (size_t chunk = 0; chunk < directory.size(); ++chunk) {
    if (directory[chunk].stepLast <= lastStep) continue;
    std::vector<MetricRow> rows;
    readChunk(database, series, static_cast<int64_t>(chunk), rows);
    return static_cast<int64_t>(chunk) * kChunkRows +
           (std::find_if(rows.begin(), rows.end(), late) - rows.begin());
  }
  const std::vector<MetricRow> tail = readTail(database, series).rows;
  const auto found = std::find_if(tail.begin(), tail.end(), late);
  if (found == tail.end()) return std::nullopt;
  return static_cast<int64_t>(directory.size()) * kChunkRows + (found - tail.begin());
}

void rewindMetrics(Database& database, RunId run, const Rewind& to) {
  for (const StoredSeries& series : storedSeries(database, run)) {
    const bool ofEpochs = !to.epochSeries.empty() && series.info.name.starts_with(to.epochSeries);
    const std::optional<int64_t> row =
        firstRowAfter(database, series.info.id, ofEpochs ? to.lastEpochEnd : to.lastStep);
    if (!row) continue;
    SeriesAppender appender(run, series.info.name, series.info.unit);
    appender.resume(database, series);
    // Steps that go back after this row are forgotten too: what follows is written again.
    appender.cut(database, *row);
    appender.write(database);
  }
}

}  // namespace

void rewindRun(Store& store, RunId run, const Rewind& to) {
  Database database(metricsDatabase(store, 4096));
  Transaction transaction(database, Access::Write);
  rewindMetrics(database, run, to);
  Statement(database, "DELETE FROM events WHERE run=?1 AND step>?2")
      .bindAll(run, to.lastStep)
      .run();
  for (const std::string& code : to.epochEvents)
    Statement(database, "DELETE FROM events WHERE run=?1 AND step>?2 AND code=?3")
        .bindAll(run, to.lastEpochEnd, code)
        .run();
  for (const std::string& kind : to.epochArtifacts)
    Statement(database, "DELETE FROM artifacts WHERE run=?1 AND kind=?2 AND step>?3")
        .bindAll(run, kind, to.lastEpochEnd)
        .run();
  Statement(database,
            "UPDATE runs SET best_name='', best_value=0, best_step=-1 WHERE id=?1 AND best_step>?2")
      .bindAll(run, to.lastEpochEnd)
      .run();
  transaction.commit();
}

}  // namespace tenon
