// SPDX-License-Identifier: GPL-3.0-or-later
// RunMailbox: what the trainer tells, carried to the GUI thread without a queue that can grow.
#pragma once

#include <QObject>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/train/train_sink.h"

namespace tenon {
struct GraphSpec;
}

namespace tenon::ui {

/**
 * The sink of one training. Progress and row counts keep their newest value only; while one is on
 * its way no second event is posted. Everything else (an epoch, an artifact, trouble) is rare and
 * posted one by one. Signals come on the thread the mailbox lives on.
 */
class RunMailbox final : public QObject, public TrainSink {
  Q_OBJECT
 public:
  explicit RunMailbox(QObject* parent = nullptr) : QObject(parent) {}

  /// The run's own settings are known: its peak learning rate and its layers are these.
  void onConfigured(double peakLearningRate, std::shared_ptr<const GraphSpec> graph);
  void onProgress(const TrainProgress& progress) override;
  void onEpoch(const EpochSummary& epoch) override;
  void onRows(RunId run, int64_t rows) override;
  void onArtifact(RunId run, const std::string& kind, int64_t artifact) override;
  void onArtifactLost(RunId run, const std::string& kind, const std::string& reason) override;
  void onTrouble(const StoreTrouble& trouble) override;

 Q_SIGNALS:
  void configured(double peakLearningRate, std::shared_ptr<const tenon::GraphSpec> graph);
  void progress(const tenon::TrainProgress& progress);
  void epoch(const tenon::EpochSummary& epoch);
  void rows(qint64 run, qint64 count);
  void artifact(qint64 run, const QString& kind, qint64 id);
  void artifactLost(qint64 run, const QString& kind, const QString& reason);
  void trouble(const tenon::StoreTrouble& what);

 private:
  struct Pending {
    std::optional<TrainProgress> progress;
    std::optional<std::pair<RunId, int64_t>> rows;
    bool posted = false;
  };
  void post();
  void deliver();

  std::mutex mutex_;
  Pending pending_;
};

}  // namespace tenon::ui
