// SPDX-License-Identifier: Apache-2.0
// Comparison of Specs and the schemas of the settings that are not definitions.
#include "engine/project/specs.h"

#include <algorithm>

#include "engine/base/error.h"

namespace tenon {
namespace {

constexpr double kLargestSeed =
    9007199254740992.0;  // exact in a double, as JSON readers elsewhere need

template <class T>
bool sameObject(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

/// The settings that every file names.
std::vector<ParamSpec> plainParams() {
  return {
      intParam("epochs", 10)
          .range(1, 1e9)
          .describe(TENON_TEXT("How often all training samples are seen")),
      intParam("batch_size", 64)
          .range(1, 1e9)
          .onLogScale()
          .describe(TENON_TEXT("Samples in one batch")),
      intParam("seed", 1)
          .range(0, kLargestSeed)
          .describe(TENON_TEXT("Start of all random numbers of the run")),
      stringParam("device", "cpu").describe(TENON_TEXT("Where to train: cpu, cuda or cuda:N")),
      intParam("threads", 0)
          .range(0, 4096)
          .describe(TENON_TEXT("Threads that compute; 0 takes one for each core")),
      intParam("workers", 1)
          .range(0, 256)
          .forExperts()
          .describe(TENON_TEXT("Threads that prepare batches; 0 lets the training thread do it")),
      boolParam("deterministic", false)
          .forExperts()
          .describe(TENON_TEXT("Same bits for any number of threads, somewhat slower")),
      intParam("log_every", 10)
          .range(1, 1e9)
          .inUnit(TENON_TEXT("steps"))
          .describe(TENON_TEXT("How often training values are recorded")),
      intParam("validate_every", 1)
          .range(0, 1e9)
          .inUnit(TENON_TEXT("epochs"))
          .describe(TENON_TEXT("How often the validation samples are evaluated; 0 never"))};
}

std::vector<ParamSpec> joined(std::vector<ParamSpec> first, const ParamSchema& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

}  // namespace

const NodeSpec* GraphSpec::find(std::string_view id) const noexcept {
  for (const auto& node : nodes)
    if (node->id == id) return node.get();
  return nullptr;
}

bool operator==(const NodeSpec& a, const NodeSpec& b) {
  const auto sameGraph = [](const auto& x, const auto& y) {
    return x.first == y.first && sameObject(x.second, y.second);
  };
  return a.id == b.id && a.type == b.type && a.params == b.params && a.precision == b.precision &&
         std::equal(a.graphs.begin(), a.graphs.end(), b.graphs.begin(), b.graphs.end(), sameGraph);
}

bool operator==(const GraphSpec& a, const GraphSpec& b) {
  return a.edges == b.edges && a.unknown == b.unknown &&
         std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(),
                    sameObject<NodeSpec>);
}

bool operator==(const ProjectSpec& a, const ProjectSpec& b) {
  return a.name == b.name && sameObject(a.data, b.data) && sameObject(a.graph, b.graph) &&
         sameObject(a.train, b.train) && sameObject(a.layout, b.layout) && a.unknown == b.unknown;
}

const ParamSchema& trainSchema() {
  static const ParamSchema kSchema(joined(plainParams(), trainFeatureSchema()));
  return kSchema;
}

const ParamSchema& trainFeatureSchema() {
  static const ParamSchema kSchema{
      choiceParam("precision", "f32", {"f32", "bf16", "f16"})
          .called(TENON_TEXT("Precision"))
          .inGroup(TENON_TEXT("Precision"))
          .describe(
              TENON_TEXT("Element type of products and convolutions; weights, sums and losses "
                         "stay in f32. With f16 the loss is scaled, and steps whose gradients "
                         "overflow are left out")),
      intParam("accumulate", 1)
          .called(TENON_TEXT("Batches per step"))
          .inGroup(TENON_TEXT("Gradients"))
          .range(1, 1e6)
          .inUnit(TENON_TEXT("batches"))
          .describe(TENON_TEXT("Batches whose gradients are added up for one optimizer step, as if "
                               "they were one large batch; 1 makes a step of each")),
      floatParam("clip_norm", 0.0)
          .called(TENON_TEXT("Clip norm"))
          .inGroup(TENON_TEXT("Gradients"))
          .range(0, 1e9)
          .describe(TENON_TEXT("Gradients whose joint norm is larger are scaled down to it before "
                               "the step; 0 leaves them")),
      floatParam("clip_value", 0.0)
          .called(TENON_TEXT("Clip value"))
          .inGroup(TENON_TEXT("Gradients"))
          .range(0, 1e9)
          .forExperts()
          .describe(TENON_TEXT("Elements of gradients that are larger in size are cut to it, after "
                               "the norm; 0 leaves them")),
      floatParam("ema_decay", 0.0)
          .called(TENON_TEXT("Average decay"))
          .inGroup(TENON_TEXT("Average of weights"))
          .range(0, 1)
          .below(1)
          .describe(TENON_TEXT("Share of the moving average of weights that each step keeps, such "
                               "as 0.999; validation then uses the averages; 0 keeps none")),
      boolParam("ema_warm_up", true)
          .called(TENON_TEXT("Average warm-up"))
          .inGroup(TENON_TEXT("Average of weights"))
          .forExperts()
          .describe(TENON_TEXT("The average follows fast at first, so that it soon forgets the "
                               "initial weights")),
      stringListParam("optimizer_changes", {})
          .called(TENON_TEXT("Later optimizers"))
          .inGroup(TENON_TEXT("Change of optimizer"))
          .count(0, 64)
          .forExperts()
          .describe(TENON_TEXT("Optimizers that take over in the run, one a line: name, "
                               "after_epochs or after_steps, and settings, e.g. \"sgd "
                               "after_epochs=5 lr=0.05\""))};
  return kSchema;
}

const ParamSpec& nodePrecisionParam() {
  static const ParamSpec kSpec =
      choiceParam("precision", "", {"", "f32"})
          .called(TENON_TEXT("Precision"))
          .describe(TENON_TEXT("f32: this layer, and what is inside of it, works in f32 also "
                               "where the training works in 16 bits"));
  return kSpec;
}

const ParamSchema& checkpointSchema() {
  static const ParamSchema kSchema{
      intParam("every_steps", 0)
          .range(0, 1e12)
          .inUnit(TENON_TEXT("steps"))
          .describe(TENON_TEXT(
              "Also save every so many steps, not only at the end of each epoch; 0 saves "
              "after the first step and then once a minute")),
      intParam("keep", 3).range(0, 1e6).describe(
          TENON_TEXT("Newest checkpoints kept besides the best one; 0 keeps all")),
      stringParam("best_by", "loss")
          .describe(TENON_TEXT("Validation value that decides which checkpoint is the best"))};
  return kSchema;
}

const ParamSchema& splitSchema() {
  static const ParamSchema kSchema{
      floatParam("fraction", 0.1)
          .above(0)
          .below(1)
          .describe(TENON_TEXT("Part of the training samples that is kept for validation")),
      intParam("seed", 1)
          .range(0, kLargestSeed)
          .describe(TENON_TEXT("Decides which samples; apart from the seed of training"))};
  return kSchema;
}

ParamMap trainParams(const TrainSpec& train) {
  return ParamMap{{"epochs", train.epochs},
                  {"batch_size", train.batchSize},
                  {"seed", train.seed},
                  {"device", train.device},
                  {"threads", train.threads},
                  {"workers", train.workers},
                  {"deterministic", train.deterministic},
                  {"log_every", train.logEvery},
                  {"validate_every", train.validateEvery},
                  {"precision", train.precision},
                  {"accumulate", train.accumulate},
                  {"clip_norm", train.clipNorm},
                  {"clip_value", train.clipValue},
                  {"ema_decay", train.emaDecay},
                  {"ema_warm_up", train.emaWarmUp},
                  {"optimizer_changes", train.optimizerChanges}};
}

TrainSpec withTrainParams(TrainSpec train, const ParamMap& params) {
  train.epochs = params.getInt("epochs");
  train.batchSize = params.getInt("batch_size");
  train.seed = params.getInt("seed");
  train.device = params.getString("device");
  train.threads = params.getInt("threads");
  train.workers = params.getInt("workers");
  train.deterministic = params.getBool("deterministic");
  train.logEvery = params.getInt("log_every");
  train.validateEvery = params.getInt("validate_every");
  train.precision = params.getString("precision");
  train.accumulate = params.getInt("accumulate");
  train.clipNorm = params.getFloat("clip_norm");
  train.clipValue = params.getFloat("clip_value");
  train.emaDecay = params.getFloat("ema_decay");
  train.emaWarmUp = params.getBool("ema_warm_up");
  train.optimizerChanges = params.getStrings("optimizer_changes");
  return train;
}

ParamMap writtenTrainParams(const TrainSpec& train) {
  ParamMap params = trainParams(train);
  for (const ParamSpec& spec : trainFeatureSchema())
    if (sameValue(*params.find(spec.name), spec.defaultValue)) params.erase(spec.name);
  return params;
}

ParamMap checkpointParams(const CheckpointSpec& checkpoint) {
  return ParamMap{{"every_steps", checkpoint.everySteps},
                  {"keep", checkpoint.keep},
                  {"best_by", checkpoint.bestBy}};
}

CheckpointSpec checkpointFromParams(const ParamMap& params) {
  CheckpointSpec out;
  out.everySteps = params.getInt("every_steps");
  out.keep = params.getInt("keep");
  out.bestBy = params.getString("best_by");
  return out;
}

}  // namespace tenon
