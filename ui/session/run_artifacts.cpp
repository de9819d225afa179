// SPDX-License-Identifier: GPL-3.0-or-later
// RunData's questions: events, series, recordings.
#include <map>

#include "ui/session/run_data.h"

namespace tenon::ui {
namespace {

using Bytes = std::vector<std::byte>;

/// The newest artifact of a kind at a step; empty bytes if there is none.
Bytes readAt(Store& store, const RecordingKey& key, const char* kind) {
  const std::vector<ArtifactInfo> all = store.artifacts().list(key.run, kind);
  for (auto it = all.rbegin(); it != all.rend(); ++it)
    if (it->step == key.step) return store.artifacts().read(it->id);
  return {};
}

template <class T>
std::shared_ptr<const T> decoded(const Bytes& bytes, T (*decode)(std::span<const std::byte>)) {
  return bytes.empty() ? nullptr : std::make_shared<const T>(decode(bytes));
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

}  // namespace

void RunData::listSeries(qint64 run, QObject* receiver,
                         std::function<void(const std::vector<SeriesInfo>&)> then) {
  query(
      receiver, [run](Store& store) { return store.metrics().series(run); }, std::move(then));
}

void RunData::readEvents(qint64 run, qint64 afterId, QObject* receiver,
                         std::function<void(const std::vector<Event>&)> then) {
  query(
      receiver, [run, afterId](Store& store) { return store.events().read(run, afterId); },
      std::move(then));
}

void RunData::listArtifacts(qint64 run, const QString& kind, QObject* receiver,
                            std::function<void(const std::vector<ArtifactInfo>&)> then) {
  query(
      receiver,
      [run, kind](Store& store) { return store.artifacts().list(run, kind.toStdString()); },
      std::move(then));
}

void RunData::listRecordings(QObject* receiver,
                             std::function<void(const QList<RecordingInfo>&)> then) {
  query(receiver, &recordingsOf, std::move(then));
}

void RunData::loadGraph(const RecordingKey& key, QObject* receiver,
                        std::function<void(std::shared_ptr<const GraphRecording>)> then) {
  query(
      receiver, [key](Store& store) { return decoded(readAt(store, key, "graph"), &decodeGraph); },
      std::move(then));
}

void RunData::loadMemory(const RecordingKey& key, QObject* receiver,
                         std::function<void(std::shared_ptr<const MemoryRecording>)> then) {
  query(
      receiver,
      [key](Store& store) { return decoded(readAt(store, key, "memory"), &decodeMemory); },
      std::move(then));
}

void RunData::loadPredictions(qint64 artifact, QObject* receiver,
                              std::function<void(std::shared_ptr<const Predictions>)> then) {
  query(
      receiver,
      [artifact](Store& store) {
        return decoded(store.artifacts().read(artifact), &decodePredictions);
      },
      std::move(then));
}

}  // namespace tenon::ui
