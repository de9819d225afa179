// SPDX-License-Identifier: Apache-2.0
// Names of the curves stand here and nowhere else.
#include "engine/train/run_log.h"

#include "engine/base/log.h"
#include "engine/metrics/metric_def.h"
#include "engine/train/run_story.h"

namespace tenon {
namespace {

std::string unitOf(const std::string& metric) {
  const MetricDef* def = findMetric(metric);
  return def ? def->unit : std::string();
}

constexpr double kMiB = 1024.0 * 1024.0;

}  // namespace

RunLog::RunLog(std::shared_ptr<Store> store, RunId run, StepDoor& door, TrainSink& sink)
    : store_(std::move(store)), run_(run), door_(door), sink_(sink) {
  const auto trouble = [this](const StoreTrouble& what) {
    sink_.onTrouble(what);
    door_.troubleBegan();
  };
  const auto recovered = [this] {
    sink_.onTrouble({});
    door_.troubleEnded();
  };
  RunWriterOptions rowOptions;
  rowOptions.onRows = [this](RunId id, int64_t rows) { sink_.onRows(id, rows); };
  rowOptions.onArtifact = [this](const ArtifactInfo& stored) {
    sink_.onArtifact(stored.run, stored.kind, stored.id);
  };
  rowOptions.onTrouble = trouble;
  rowOptions.onRecovered = recovered;
  rows_ = std::make_unique<RunWriter>(store_, run_, rowOptions);
  CheckpointWriterOptions checkpointOptions;
  // A resumed run goes on at its newest checkpoint: the curve up to there must be whole.
  checkpointOptions.beforeSave = [this] { rows_->flush(); };
  checkpointOptions.onSaved = [this](const CheckpointInfo& info) { story::saved(*this, info); };
  checkpointOptions.onTrouble = trouble;
  checkpointOptions.onRecovered = recovered;
  checkpoints_ = std::make_unique<CheckpointWriter>(store_, checkpointOptions);
  loss_ = rows_->metric("train/loss");
  rate_ = rows_->metric("train/learning_rate");
  speed_ = rows_->metric("train/samples_per_second", "1/s");
  wait_ = rows_->metric("train/data_wait", "%");
  allocated_ = rows_->metric("memory/allocated", "MiB");
  peak_ = rows_->metric("memory/peak", "MiB");
  reserved_ = rows_->metric("memory/reserved", "MiB");
  device_ = rows_->metric("memory/device", "MiB");
}

RunLog::~RunLog() = default;

void RunLog::step(const StepNumbers& n) {
  const auto epoch = static_cast<int32_t>(n.epoch);
  if (n.loss) rows_->log(loss_, n.step, epoch, *n.loss);
  rows_->log(rate_, n.step, epoch, n.learningRate);
  if (n.gradNorm) rows_->log(rows_->metric("train/grad_norm"), n.step, epoch, *n.gradNorm);
  if (n.samplesPerSecond == n.samplesPerSecond) {
    rows_->log(speed_, n.step, epoch, n.samplesPerSecond);
    rows_->log(wait_, n.step, epoch, 100 * n.dataWaitShare);
  }
  rows_->log(allocated_, n.step, epoch, static_cast<double>(n.allocatedBytes) / kMiB);
  rows_->log(peak_, n.step, epoch, static_cast<double>(n.peakBytes) / kMiB);
  rows_->log(reserved_, n.step, epoch, static_cast<double>(n.reservedBytes) / kMiB);
  if (n.deviceBytes > 0)
    rows_->log(device_, n.step, epoch, static_cast<double>(n.deviceBytes) / kMiB);
  for (const auto& [name, value] : n.metrics)
    rows_->log(rows_->metric("train/" + name, unitOf(name)), n.step, epoch, value);
}

void RunLog::validation(int64_t step, int64_t epoch, const Evaluation& evaluation) {
  const auto at = static_cast<int32_t>(epoch);
  rows_->log(rows_->metric("validation/loss"), step, at, evaluation.loss);
  for (const auto& [name, value] : evaluation.metrics)
    rows_->log(rows_->metric("validation/" + name, unitOf(name)), step, at, value);
}

void RunLog::progress(int64_t step, int64_t epoch) {
  rows_->progress(step, static_cast<int32_t>(epoch));
}

void RunLog::best(const std::string& name, double value, int64_t step) {
  rows_->best(name, value, step);
}

void RunLog::training(bool goesOn) { rows_->training(goesOn); }

int64_t RunLog::trainedUs() const { return rows_->trainedUs(); }

void RunLog::settings(const std::string& json) { rows_->settings(json); }

void RunLog::event(EventLevel level, const char* code, const char* text,
                   std::vector<std::string> args, int64_t step) {
  Event event;
  event.level = level;
  event.code = code;
  event.text = text;
  event.args = std::move(args);
  event.step = step;
  rows_->event(std::move(event));
}

void RunLog::checkpoint(CheckpointData&& data) {
  while (true) {
    const bool canWrite = door_.waitOutTrouble([this] { retry(); });
    try {
      checkpoints_->submit(std::move(data));
      return;
    } catch (const Error&) {
      // The one before is in trouble; this one was not taken and waits here for space.
      if (!canWrite || !checkpoints_->inTrouble()) throw;
    }
  }
}

void RunLog::artifact(const char* kind, int version, int64_t step, int64_t epoch,
                      std::vector<std::byte>&& bytes) {
  ArtifactInfo info;
  info.kind = kind;
  info.step = step;
  info.epoch = static_cast<int32_t>(epoch);
  info.version = version;
  if (bytes.size() > kMaxArtifactBytes) {
    event(EventLevel::Warning, "train.artifact-refused",
          TENON_TEXT("{0} of step {1} has {2} bytes, more than the store takes"),
          {kind, std::to_string(step), std::to_string(bytes.size())}, step);
    return sink_.onArtifactLost(
        run_, kind, std::to_string(bytes.size()) + " bytes are more than the store takes");
  }
  // They are taken only where there is room.
  while (!rows_->artifact(info, static_cast<std::vector<std::byte>&&>(bytes))) waitForRoom();
}

/// Until what waits for the disk is written, however long it takes. @throws Error if the run is to
/// stop while it cannot be written
void RunLog::waitForRoom() {
  const bool canWrite = door_.waitOutTrouble([this] { retry(); });
  try {
    rows_->flush();
  } catch (const Error&) {
    if (!canWrite) throw;
  }
}

void RunLog::retry() {
  rows_->retry();
  checkpoints_->retry();
}

void RunLog::settle() { checkpoints_->wait(); }

void RunLog::finish(RunStatus status, const std::string& failure) {
  try {
    checkpoints_->wait();
  } catch (const Error&) {
    if (status != RunStatus::Failed) throw;
    // That is why it failed; the rows may well be written all the same.
  }
  rows_->status(status, failure);
  rows_->close();
}

}  // namespace tenon
