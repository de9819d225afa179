// SPDX-License-Identifier: Apache-2.0
// Checkpoints to parts and back. Numbers of the state are JSON with shortest round-trip text, so no
// bit is lost.
#include "engine/train/run_state.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "engine/base/error.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/schema/json.h"

namespace tenon {
namespace {

constexpr const char* kStatePart = "trainer/state";
constexpr const char* kModelPart = "model/";
constexpr const char* kAverageEnd = "/average";  // as WeightAverage names its state

/// JSON has no NaN.
Json numberOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(); }
/// Whole numbers stay whole in the file, as they always were.
Json wholeOrReal(double value) {
  constexpr double kExact = 0x1p53;
  if (std::abs(value) < kExact && std::trunc(value) == value)
    return Json(static_cast<int64_t>(value));
  return numberOrNull(value);
}
double orNan(const Json& json) {
  return json.isNull() ? std::numeric_limits<double>::quiet_NaN() : json.asDouble();
}

Json stateJson(const RunState& state, int64_t optimizerSteps, const WeightAverage* average) {
  Json json = Json::object();
  json.set("step", state.step);
  if (state.skipped > 0) json.set("skipped_steps", state.skipped);
  json.set("epoch", state.epoch);
  json.set("batch", state.batch);
  json.set("loss_sum", numberOrNull(state.lossSum));
  json.set("loss_samples", wholeOrReal(state.lossWeight));
  json.set("peak_learning_rate", state.peakLearningRate);
  json.set("best_value", numberOrNull(state.bestValue));
  json.set("best_step", state.bestStep);
  json.set("last_train_loss", numberOrNull(state.lastTrainLoss));
  json.set("seed", std::to_string(state.generator.seed));
  json.set("random_calls", std::to_string(state.generator.calls));
  json.set("optimizer_steps", optimizerSteps);
  json.set("schedule", toJson(state.schedule));
  if (average) json.set("average_updates", average->updates());
  return json;
}

const Json& member(const Json& json, const char* key) {
  const Json* found = json.find(key);
  if (!found)
    throw Error(Code::Input, fmt::format("checkpoint part '{}' has no '{}'", kStatePart, key));
  return *found;
}

int64_t readState(const Json& json, RunState& state) {
  state.step = member(json, "step").asInt();
  const Json* skipped = json.find("skipped_steps");
  state.skipped = skipped ? skipped->asInt() : 0;
  state.epoch = member(json, "epoch").asInt();
  state.batch = member(json, "batch").asInt();
  state.lossSum = orNan(member(json, "loss_sum"));
  state.lossWeight = orNan(member(json, "loss_samples"));
  state.peakLearningRate = member(json, "peak_learning_rate").asDouble();
  state.bestValue = orNan(member(json, "best_value"));
  state.bestStep = member(json, "best_step").asInt();
  state.lastTrainLoss = orNan(member(json, "last_train_loss"));
  state.generator.seed = std::stoull(member(json, "seed").asString());
  state.generator.calls = std::stoull(member(json, "random_calls").asString());
  state.schedule = {};
  if (const Json* schedule = json.find("schedule"))  // older checkpoints have none
    for (const JsonMember& member : schedule->members())
      if (ParamValue read; paramFromJson(member.value, read)) state.schedule.set(member.key, read);
  const Json* updates = json.find("average_updates");
  state.averageUpdates = updates ? updates->asInt() : 0;
  return member(json, "optimizer_steps").asInt();
}

Part tensorPart(const std::string& name, const Tensor& tensor) {
  Part part;
  part.name = name;
  part.meta = tensorMeta(tensor);
  part.data = tensor.toBytes();
  part.bytes = static_cast<int64_t>(part.data.size());
  return part;
}

void restoreTensor(const Checkpoint& checkpoint, const std::string& name, const Tensor& tensor) {
  const Part* part = checkpoint.part(name);
  if (!part) throw Error(Code::Input, fmt::format("the checkpoint has no '{}'", name));
  if (part->meta != tensorMeta(tensor))
    throw Error(Code::Input, fmt::format("checkpoint part '{}' is {}, the model wants {}", name,
                                         part->meta, tensorMeta(tensor)));
  if (part->data.size() != static_cast<size_t>(tensor.bytes()) || !tensor.isContiguous())
    throw Error(Code::Input, fmt::format("checkpoint part '{}' has {} bytes, wanted {}", name,
                                         part->data.size(), tensor.bytes()));
  std::memcpy(tensor.rawData(), part->data.data(), part->data.size());
  tensor.impl()->storage->bumpVersion();
}

/// @param name of its part
void restoreNamed(const Checkpoint& checkpoint, const std::string& name, const NamedTensor& named) {
  if (!named.optional || checkpoint.part(name)) {
    restoreTensor(checkpoint, name, named.tensor);
    return;
  }
  const gate::NoGradGuard noGrad;
  fillInPlace(named.tensor, 0);
}

void checkVersion(const Checkpoint& checkpoint) {
  if (checkpoint.info.version > kCheckpointVersion)
    throw Error(Code::Version,
                fmt::format("checkpoint {} has version {}, this program reads up to {}",
                            checkpoint.info.id, checkpoint.info.version, kCheckpointVersion));
}

Json stateJsonOf(const Checkpoint& checkpoint) {
  const Part* part = checkpoint.part(kStatePart);
  if (!part) throw Error(Code::Input, fmt::format("the checkpoint has no '{}'", kStatePart));
  return parseJson({reinterpret_cast<const char*>(part->data.data()), part->data.size()});
}

void restoreAverage(const Checkpoint& checkpoint, int64_t updates, WeightAverage& average) {
  average.setUpdates(0);
  if (updates == 0) {  // the checkpoint has none: a copy of the weights, to begin with
    average.update();
  } else {
    for (const OptimizerState& named : average.state())
      restoreTensor(checkpoint, kModelPart + named.name, named.tensor);
  }
  average.setUpdates(updates);
}

}  // namespace

std::string tensorMeta(const Tensor& tensor) {
  Json json = Json::object();
  json.set("dtype", dtypeName(tensor.dtype()));
  Json shape = Json::array();
  for (int64_t size : tensor.shape().span()) shape.push(size);
  json.set("shape", std::move(shape));
  return writeJson(json, JsonStyle::OneLine);
}

int checkpointVersion(const TrainedParts& trained) {
  if (trained.scaler) return 3;
  return trained.average ? 2 : 1;
}

std::vector<Part> checkpointParts(const RunState& state, const TrainedParts& trained) {
  std::vector<Part> parts;
  for (const NamedTensor& named : trained.model.tensors())
    parts.push_back(tensorPart(kModelPart + named.name, named.tensor));
  if (trained.average)
    for (const OptimizerState& named : trained.average->state())
      parts.push_back(tensorPart(kModelPart + named.name, named.tensor));
  for (const OptimizerState& named : trained.optimizer.state())
    parts.push_back(tensorPart("optimizer/" + named.name, named.tensor));
  if (trained.scaler)
    for (const OptimizerState& named : trained.scaler->state())
      parts.push_back(tensorPart(named.name, named.tensor));
  const std::string text =
      writeJson(stateJson(state, trained.optimizer.steps(), trained.average), JsonStyle::OneLine);
  Part part;
  part.name = kStatePart;
  part.meta = "{}";
  part.data.resize(text.size());
  std::memcpy(part.data.data(), text.data(), text.size());
  part.bytes = static_cast<int64_t>(text.size());
  parts.push_back(std::move(part));
  return parts;
}

void restoreModel(const Checkpoint& checkpoint, const Model& model) {
  checkVersion(checkpoint);
  for (const NamedTensor& named : model.tensors()) {
    const std::string name = kModelPart + named.name;
    const std::string average = name + kAverageEnd;
    restoreNamed(checkpoint, checkpoint.part(average) ? average : name, named);
  }
}

RunState stateOf(const Checkpoint& checkpoint) {
  checkVersion(checkpoint);
  RunState state;
  readState(stateJsonOf(checkpoint), state);
  return state;
}

void restoreCheckpoint(const Checkpoint& checkpoint, RunState& state, const TrainedParts& trained) {
  checkVersion(checkpoint);
  for (const NamedTensor& named : trained.model.tensors())
    restoreNamed(checkpoint, kModelPart + named.name, named);
  trained.optimizer.setSteps(readState(stateJsonOf(checkpoint), state));
  for (const OptimizerState& named : trained.optimizer.state())
    if (!named.optional || checkpoint.part("optimizer/" + named.name))
      restoreTensor(checkpoint, "optimizer/" + named.name, named.tensor);
  if (trained.average) restoreAverage(checkpoint, state.averageUpdates, *trained.average);
  if (trained.scaler)
    for (const OptimizerState& named : trained.scaler->state())
      restoreTensor(checkpoint, named.name, named.tensor);
}

}  // namespace tenon
