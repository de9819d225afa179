// SPDX-License-Identifier: GPL-3.0-or-later
// RunData's questions: events, artifacts, recordings, checkpoints.
#include <algorithm>
#include <map>
#include <utility>

#include "ui/session/run_data.h"

namespace tenon::ui {
namespace {

RunData::Failed orSilent(RunData::Failed failed) {
  return failed ? std::move(failed) : [](const QString&) {};
}

QList<RecordingInfo> recordingsOf(Store& store) {
  QList<RecordingInfo> found;
  for (const RunInfo& run : store.runs().list()) {
    std::map<int64_t, RecordingInfo, std::greater<>> steps;
    for (const ArtifactInfo& info : store.artifacts().list(run.id)) {
      const bool graph = info.kind == "graph";
      if (!graph && info.kind != "memory") continue;
      RecordingInfo& step = steps[info.step];
      step.key = {run.id, info.step};
      step.epoch = info.epoch;
      step.createdUs = std::max<qint64>(step.createdUs, info.createdUs);
      step.bytes += info.bytes;
      (graph ? step.graphArtifact : step.memoryArtifact) = info.id;
    }
    for (const auto& [number, step] : steps) found.append(step);
  }
  return found;
}

/// All above an id, however many.
std::vector<Event> eventsAfter(Store& store, RunId run, int64_t id) {
  constexpr int64_t kAtOnce = 10'000;
  std::vector<Event> all;
  while (true) {
    const std::vector<Event> some = store.events().read(run, id, kAtOnce);
    all.insert(all.end(), some.begin(), some.end());
    if (std::ssize(some) < kAtOnce) return all;
    id = some.back().id;
  }
}

/// A resume says so once it has taken back what it does again.
EventGrowth eventGrowth(Store& store, RunId run, int64_t afterId) {
  EventGrowth growth{false, eventsAfter(store, run, afterId)};
  const auto resumes = [](const Event& event) { return event.code == "train.resumed"; };
  growth.restarted =
      afterId > 0 && std::any_of(growth.events.begin(), growth.events.end(), resumes);
  if (growth.restarted) growth.events = eventsAfter(store, run, 0);
  return growth;
}

}  // namespace

void RunData::readEvents(qint64 run, qint64 afterId, QObject* receiver,
                         std::function<void(const EventGrowth&)> then, Failed failed) {
  query(
      receiver, [run, afterId](Store& store) { return eventGrowth(store, run, afterId); },
      std::move(then), orSilent(std::move(failed)));
}

void RunData::listArtifacts(qint64 run, const QString& kind, QObject* receiver,
                            std::function<void(const std::vector<ArtifactInfo>&)> then,
                            Failed failed) {
  query(
      receiver,
      [run, kind](Store& store) { return store.artifacts().list(run, kind.toStdString()); },
      std::move(then), orSilent(std::move(failed)));
}

void RunData::listRecordings(QObject* receiver,
                             std::function<void(const QList<RecordingInfo>&)> then, Failed failed) {
  query(receiver, &recordingsOf, std::move(then), orSilent(std::move(failed)));
}

void RunData::listCheckpoints(qint64 run, QObject* receiver,
                              std::function<void(const std::vector<CheckpointInfo>&)> then,
                              Failed failed) {
  query(
      receiver, [run](Store& store) { return store.checkpoints().list(run); }, std::move(then),
      orSilent(std::move(failed)));
}

}  // namespace tenon::ui
