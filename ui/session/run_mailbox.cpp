// SPDX-License-Identifier: GPL-3.0-or-later
// From the run's thread to the GUI thread.
#include "ui/session/run_mailbox.h"

#include <QMetaObject>
#include <utility>

namespace tenon::ui {

void RunMailbox::onConfigured(double peakLearningRate, std::shared_ptr<const GraphSpec> graph) {
  QMetaObject::invokeMethod(this, [this, peakLearningRate, graph = std::move(graph)] {
    Q_EMIT configured(peakLearningRate, graph);
  });
}

void RunMailbox::onProgress(const TrainProgress& progress) {
  const std::lock_guard lock(mutex_);
  pending_.progress = progress;
  post();
}

void RunMailbox::onRows(RunId run, int64_t rows) {
  const std::lock_guard lock(mutex_);
  pending_.rows = std::pair(run, rows);
  post();
}

void RunMailbox::post() {
  if (std::exchange(pending_.posted, true)) return;
  QMetaObject::invokeMethod(this, &RunMailbox::deliver, Qt::QueuedConnection);
}

void RunMailbox::deliver() {
  Pending now;
  {
    const std::lock_guard lock(mutex_);
    now = std::exchange(pending_, {});
  }
  if (now.progress) Q_EMIT progress(*now.progress);
  if (now.rows) Q_EMIT rows(now.rows->first, now.rows->second);
}

void RunMailbox::onEpoch(const EpochSummary& summary) {
  QMetaObject::invokeMethod(this, [this, summary] { Q_EMIT epoch(summary); });
}

void RunMailbox::onArtifact(RunId run, const std::string& kind, int64_t id) {
  QMetaObject::invokeMethod(this, [this, run, kind = QString::fromStdString(kind), id] {
    Q_EMIT artifact(run, kind, id);
  });
}

void RunMailbox::onArtifactLost(RunId run, const std::string& kind, const std::string& reason) {
  QMetaObject::invokeMethod(
      this, [this, run, kind = QString::fromStdString(kind),
             reason = QString::fromStdString(reason)] { Q_EMIT artifactLost(run, kind, reason); });
}

void RunMailbox::onTrouble(const StoreTrouble& what) {
  QMetaObject::invokeMethod(this, [this, what] { Q_EMIT trouble(what); });
}

}  // namespace tenon::ui
