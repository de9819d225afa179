// SPDX-License-Identifier: Apache-2.0
// One commit of a live run.
#include "engine/store/run_batch.h"

#include <fmt/core.h>

#include <cassert>
#include <iterator>
#include <utility>

#include "engine/base/error.h"
#include "engine/store/event_rows.h"
#include "engine/store/trained_time.h"

namespace tenon {

void RunNews::merge(RunNews&& later) {
  events.insert(events.end(), std::make_move_iterator(later.events.begin()),
                std::make_move_iterator(later.events.end()));
  artifacts.insert(artifacts.end(), std::make_move_iterator(later.artifacts.begin()),
                   std::make_move_iterator(later.artifacts.end()));
  training.insert(training.end(), later.training.begin(), later.training.end());
  if (later.progress) progress = later.progress;
  if (later.best) best = std::move(later.best);
  if (later.status) status = std::move(later.status);
  if (later.settings) settings = std::move(later.settings);
}

RunBatch::RunBatch(RunId run, Database& database) : run_(run), database_(database) {
  Transaction snapshot(database_, Access::Read);
  Statement known(database_, "SELECT 1 FROM runs WHERE id=?1");
  known.bind(1, run_);
  if (!known.step())
    throw Error(Code::Input, fmt::format("[store] '{}' has no run {}", database_.path(), run_));
  for (const StoredSeries& series : storedSeries(database_, run_)) {
    auto appender = std::make_unique<SeriesAppender>(run_, series.info.name, series.info.unit);
    appender->resume(database_, series);
    rowsWritten_ += series.info.rows;
    before_.emplace(series.info.name, std::move(appender));
  }
}

void RunBatch::nameSeries(const std::string& name, const std::string& unit) {
  if (const auto found = before_.find(name); found != before_.end()) {
    series_.push_back(std::move(found->second));
    before_.erase(found);
  } else {
    series_.push_back(std::make_unique<SeriesAppender>(run_, name, unit));
  }
}

void RunBatch::take(const RowQueue::Chunks& chunks) {
  for (const auto& chunk : chunks) {
    for (size_t i = 0; i < chunk->used; ++i) {
      const QueuedRow& row = chunk->rows[i];
      assert(row.metric < series_.size());
      series_[row.metric]->add({row.step, row.timeUs, row.value, row.epoch});
    }
    newRows_ += static_cast<int64_t>(chunk->used);
  }
}

void RunBatch::writeRun(int64_t nowUs) {
  for (const Event& event : news_.events) insertEvent(database_, event);
  for (WaitingArtifact& artifact : news_.artifacts) insertArtifact(database_, artifact);
  if (news_.progress)
    Statement(database_, "UPDATE runs SET step=?2, epoch=?3 WHERE id=?1")
        .bindAll(run_, news_.progress->step, news_.progress->epoch)
        .run();
  if (news_.best)
    Statement(database_, "UPDATE runs SET best_name=?2, best_value=?3, best_step=?4 WHERE id=?1")
        .bindAll(run_, news_.best->name, news_.best->value, news_.best->step)
        .run();
  for (const TrainingChange& change : news_.training)
    change.trains ? beginSpan(database_, run_, change.timeUs)
                  : endSpan(database_, run_, change.timeUs);
  if (news_.status) {
    const RunStatus status = news_.status->status;
    const bool ends = status != RunStatus::Running && status != RunStatus::Paused;
    Statement(database_, "UPDATE runs SET status=?2, failure=?3, ended_us=?4 WHERE id=?1")
        .bindAll(run_, static_cast<int>(status), news_.status->failure,
                 ends ? news_.status->timeUs : int64_t{0})
        .run();
  }
  if (news_.settings)
    Statement(database_, "UPDATE runs SET settings=?2 WHERE id=?1")
        .bindAll(run_, *news_.settings)
        .run();
  Statement(database_, "UPDATE runs SET heartbeat_us=?2 WHERE id=?1").bindAll(run_, nowUs).run();
}

std::vector<ArtifactInfo> RunBatch::write(int64_t nowUs) {
  // Before the file is locked: packing a recording takes longer than writing it.
  for (WaitingArtifact& artifact : news_.artifacts) artifact.pack();
  std::vector<ArtifactInfo> stored;
  stored.reserve(news_.artifacts.size());
  Transaction transaction(database_, Access::Write);
  for (const auto& series : series_)
    if (series->hasNews()) series->write(database_);
  writeRun(nowUs);
  transaction.commit();
  for (const auto& series : series_)
    if (series->hasNews()) series->committed();
  for (WaitingArtifact& artifact : news_.artifacts) stored.push_back(std::move(artifact.info));
  news_ = {};
  rowsWritten_ += std::exchange(newRows_, 0);
  return stored;
}

}  // namespace tenon
