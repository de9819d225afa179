// SPDX-License-Identifier: GPL-3.0-or-later
// Reading of recordings and the selection over them.
#include "ui/session/recorded_step.h"

#include <QCoreApplication>
#include <QScopedValueRollback>
#include <QTimer>
#include <algorithm>
#include <exception>

#include "engine/base/error.h"
#include "ui/session/background.h"
#include "ui/session/panel_context.h"
#include "ui/session/run_data.h"

namespace tenon::ui {
namespace {

constexpr int kRetryMs = 500;
constexpr int kRetryLateMs = 10'000;

using Bytes = std::vector<std::byte>;

/// The bytes may decode and yet point nowhere: everything that is followed later is looked at once.
void requireWhole(const GraphRecording& graph) {
  const auto count = static_cast<int32_t>(graph.nodes.size());
  const auto inside = [count](int32_t id) { return id >= 0 && id < count; };
  bool whole = true;
  for (int32_t i = 0; i < count; ++i) {
    const RecordedNode& node = graph.nodes[static_cast<size_t>(i)];
    whole = whole && node.id == i && (node.partner == -1 || inside(node.partner));
  }
  for (const RecordedEdge& edge : graph.edges)
    whole = whole && inside(edge.from) && inside(edge.to) && edge.fromPort >= 0 && edge.toPort >= 0;
  if (!whole) throw Error(Code::Input, "the recorded graph has nodes or edges that lead nowhere");
}

template <class Read>
QString problemOf(Read&& read) {
  try {
    read();
    return {};
  } catch (...) {
    return currentExceptionText();
  }
}

/// The newest artifact of a kind at a step, 0 if there is none.
qint64 artifactAt(Store& store, const RecordingKey& key, const char* kind) {
  const std::vector<ArtifactInfo> all = store.artifacts().list(key.run, kind);
  const auto newest = std::find_if(all.rbegin(), all.rend(),
                                   [&](const ArtifactInfo& info) { return info.step == key.step; });
  return newest == all.rend() ? 0 : newest->id;
}

struct ArtifactPair {
  qint64 graph = 0;
  qint64 memory = 0;
};

ArtifactPair artifactsOf(Store& store, const RecordingKey& key) {
  return {artifactAt(store, key, "graph"), artifactAt(store, key, "memory")};
}

std::shared_ptr<const StepData> readFrom(Store& store, const RecordingKey& key) {
  const ArtifactPair found = artifactsOf(store, key);
  const auto bytesOf = [&](qint64 artifact, QString& problem) {
    Bytes bytes;
    if (artifact > 0) problem = problemOf([&] { bytes = store.artifacts().read(artifact); });
    return bytes;
  };
  QString graphProblem;
  QString memoryProblem;
  const Bytes graph = bytesOf(found.graph, graphProblem);
  const Bytes memory = bytesOf(found.memory, memoryProblem);
  auto data = std::make_shared<StepData>(*readStep(graph, memory));
  if (!graphProblem.isEmpty()) data->graphProblem = graphProblem;
  if (!memoryProblem.isEmpty()) data->memoryProblem = memoryProblem;
  data->graphArtifact = found.graph;
  data->memoryArtifact = found.memory;
  return data;
}

}  // namespace

std::shared_ptr<const StepData> readStep(const Bytes& graph, const Bytes& memory) {
  auto data = std::make_shared<StepData>();
  if (!graph.empty())
    data->graphProblem = problemOf([&] {
      auto read = std::make_shared<GraphRecording>(decodeGraph(graph));
      requireWhole(*read);
      data->graph = std::move(read);
    });
  if (!memory.empty())
    data->memoryProblem = problemOf([&] {
      auto read = std::make_shared<const MemoryRecording>(decodeMemory(memory));
      const qint64 origin = stepOrigin(data->graph.get(), *read);
      data->memory = std::make_shared<const StepMemory>(std::move(read), origin);
    });
  if (data->graph && data->memory) data->links = StepLinks(*data->graph, *data->memory);
  return data;
}

RecordedStep& RecordedStep::of(const PanelContext& context) {
  // It lives as long as the window's runs do, so all panels find the same one.
  auto* step = context.runs.findChild<RecordedStep*>(QString(), Qt::FindDirectChildrenOnly);
  return step ? *step : *new RecordedStep(context.runs, context.selection, &context.runs);
}

RecordedStep::RecordedStep(RunData& runs, Selection& selection, QObject* parent)
    : QObject(parent),
      runs_(runs),
      selection_(selection),
      data_(std::make_shared<const StepData>()) {
  connect(&selection_, &Selection::recordingChanged, this, &RecordedStep::load);
  connect(&selection_, &Selection::nodesChanged, this, &RecordedStep::followLayer);
  connect(&runs_, &RunData::artifactsChanged, this, [this](qint64 run) {
    if (run == selection_.recording().run || run == 0) loadIfOther();
  });
  connect(&runs_, &RunData::sourceChanged, this, &RecordedStep::load);
  connect(&runs_, &RunData::recovered, this, &RecordedStep::loadIfOther);
  connect(&runs_, &RunData::retried, this, [this] {
    if (state_ != State::Failed) return;
    ++generation_;  // the try that waits is not wanted any more
    ask(0);
  });
  load();
}

void RecordedStep::load() {
  ++generation_;
  if (!selection_.recording().isValid()) {
    set(State::None, std::make_shared<const StepData>());
    return;
  }
  set(State::Loading, std::make_shared<const StepData>());
  ask(0);
}

void RecordedStep::ask(int waited) {
  const int generation = generation_;
  runs_.query(
      this, [key = selection_.recording()](Store& store) { return readFrom(store, key); },
      [this, generation](std::shared_ptr<const StepData> data) {
        if (generation == generation_) take(std::move(data));
      },
      [this, generation, waited](const QString& text) {
        if (generation == generation_) fail(text, waited);
      });
}

void RecordedStep::fail(const QString& text, int waited) {
  auto data = std::make_shared<StepData>();
  data->graphProblem = data->memoryProblem = text;
  if (state_ != State::Failed || data_->graphProblem != text) set(State::Failed, std::move(data));
  const int wait = std::clamp(2 * waited, kRetryMs, kRetryLateMs);
  QTimer::singleShot(wait, this, [this, wait, generation = generation_] {
    if (generation == generation_) ask(wait);
  });
}

/// Graph and memory are stored one after the other, and runs are deleted and renamed: what did not
/// change stays as it is shown.
void RecordedStep::loadIfOther() {
  const RecordingKey key = selection_.recording();
  if (!key.isValid() || state_ == State::Loading || state_ == State::Failed) return;
  runs_.query(
      this, [key](Store& store) { return artifactsOf(store, key); },
      [this, key](const ArtifactPair& found) {
        const bool same =
            found.graph == data_->graphArtifact && found.memory == data_->memoryArtifact;
        if (key == selection_.recording() && state_ != State::Loading && !same) load();
      });
}

void RecordedStep::take(std::shared_ptr<const StepData> data) {
  const bool some = data && (data->graph || data->memory || !data->graphProblem.isEmpty() ||
                             !data->memoryProblem.isEmpty());
  set(some ? State::Ready : State::Absent,
      some ? std::move(data) : std::make_shared<const StepData>());
  if (!node()) followLayer(selection_.nodes());
}

void RecordedStep::set(State state, std::shared_ptr<const StepData> data) {
  state_ = state;
  data_ = std::move(data);
  instant_ = data_->memory ? data_->memory->peakTick() : 0;
  Q_EMIT changed();
}

const RecordedNode* RecordedStep::node() const {
  const int id = selection_.recordedNode();
  const bool known =
      data_->graph && id >= 0 && static_cast<size_t>(id) < data_->graph->nodes.size();
  return known ? &data_->graph->nodes[static_cast<size_t>(id)] : nullptr;
}

int RecordedStep::block() const {
  return data_->memory && selection_.block() ? data_->memory->find(selection_.block()) : -1;
}

/// What best stands for a node in the track: the largest block it asked for, else what it gives.
quint64 RecordedStep::mainBlock(int node) const {
  if (!data_->memory || !data_->graph || node < 0) return 0;
  const std::vector<StepBlock>& blocks = data_->memory->blocks();
  int best = -1;
  for (const int block : data_->links.blocksOf(node))
    if (best < 0 ||
        blocks[static_cast<size_t>(block)].bytes > blocks[static_cast<size_t>(best)].bytes)
      best = block;
  if (best >= 0) return blocks[static_cast<size_t>(best)].id;
  const RecordedNode& from = data_->graph->nodes[static_cast<size_t>(node)];
  for (const RecordedTensor& tensor : from.outputs)
    if (data_->memory->find(tensor.block) >= 0) return tensor.block;
  return 0;
}

void RecordedStep::selectNode(int id) {
  const bool known =
      data_->graph && id >= 0 && static_cast<size_t>(id) < data_->graph->nodes.size();
  const QString layer =
      known ? QString::fromStdString(data_->graph->nodes[static_cast<size_t>(id)].layer)
            : QString();
  const QScopedValueRollback guard(choosing_, true);
  selection_.setRecordedNode(known ? id : -1);
  selection_.setBlock(known ? mainBlock(id) : 0);
  selection_.setNodes(layer.isEmpty() ? QStringList() : QStringList{layer});
}

void RecordedStep::selectBlock(quint64 id) {
  const int block = data_->memory && id ? data_->memory->find(id) : -1;
  const QScopedValueRollback guard(choosing_, true);
  selection_.setBlock(block >= 0 ? id : 0);
  if (block < 0) return;
  const int node = data_->links.nodeOf(block);
  QString layer = data_->memory->layer(static_cast<size_t>(block));
  if (layer.isEmpty() && node >= 0)
    layer = QString::fromStdString(data_->graph->nodes[static_cast<size_t>(node)].layer);
  selection_.setRecordedNode(node);
  selection_.setNodes(layer.isEmpty() ? QStringList() : QStringList{layer});
}

void RecordedStep::followLayer(const QStringList& ids) {
  if (choosing_ || !data_->graph) return;
  const std::string layer = ids.value(0).toStdString();
  const RecordedNode* current = node();
  if (current && current->layer == layer) return;
  int first = -1;
  if (!layer.empty())
    for (const RecordedNode& each : data_->graph->nodes)
      if (first < 0 && each.layer == layer) first = each.id;
  const QScopedValueRollback guard(choosing_, true);
  selection_.setRecordedNode(first);
  selection_.setBlock(first >= 0 ? mainBlock(first) : 0);
}

bool RecordedStep::isAtPeak() const {
  return data_->memory && instant_ == data_->memory->peakTick();
}

void RecordedStep::setInstant(qint64 tick) {
  if (std::exchange(instant_, tick) != tick) Q_EMIT instantChanged(tick);
}

void RecordedStep::setInstantToPeak() {
  if (data_->memory) setInstant(data_->memory->peakTick());
}

}  // namespace tenon::ui
