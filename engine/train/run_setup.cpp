// SPDX-License-Identifier: Apache-2.0
// Checking and building, with every issue at once.
#include "engine/train/run_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "engine/backend/registry/devices.h"
#include "engine/base/issues.h"
#include "engine/project/catalog.h"
#include "engine/schema/validate.h"
#include "engine/train/engine_catalog.h"
#include "engine/train/training_checks.h"

namespace tenon {
namespace {

constexpr const char* kDeviceIssue = "train.device";

/// The device must be one this program can use; the refusal says why not.
Issues checkDevice(const TrainSpec& train) {
  try {
    const Device device = deviceFromName(train.device);
    backend::allocatorOf(static_cast<int>(device.kind), device.index);
  } catch (const Error& error) {
    return {fieldIssue(kDeviceIssue, TENON_TEXT("{0}"), {error.what()}, "train.device")};
  }
  return {};
}

Issues checkBestBy(const TrainSpec& train) {
  const std::string& by = train.checkpoint.bestBy;
  if (by == "loss") return {};
  for (const PartSpec& metric : train.metrics)
    if (metric.type == by) return {};
  return {fieldIssue("train.best-by", TENON_TEXT("'{0}' is neither 'loss' nor one of the metrics"),
                     {by}, "train.checkpoint.best_by")};
}

/// The catalog (checkParts) tells these too, at the same place.
bool catalogTells(const Issue& issue) {
  return issue.code == "graph.unknown-layer" || issue.code == "graph.missing-slot" ||
         issue.code == "graph.unknown-slot" || issue.code == "data.unknown-part" ||
         issue.code.starts_with("schema.");
}

Issues checkData(const DataPipeline& data, const TrainSpec& train) {
  Issues issues;
  std::copy_if(data.issues.begin(), data.issues.end(), std::back_inserter(issues),
               std::not_fn(catalogTells));
  if (!data.ok()) return issues;
  if (data.training->meta().dtype != DType::F32)
    issues.push_back(fieldIssue(
        "data.type",
        TENON_TEXT("the model wants f32 values, the transforms give {0}: add a 'scale' transform"),
        {std::string(dtypeName(data.training->meta().dtype))}, "data.transforms"));
  const LossDef* loss = findLoss(train.loss.type);
  if (loss && loss->wantsClasses && data.training->meta().classes <= 0)
    issues.push_back(fieldIssue("train.loss",
                                TENON_TEXT("'{0}' wants class targets, the data has none"),
                                {train.loss.type}, "train.loss"));
  return issues;
}

BatchGroups groupsOf(const TrainSpec& train, const DataPipeline& data) {
  return {train.accumulate, train.batchSize, data.training->size()};
}

/// Everything, with data and graph at hand.
Issues allIssues(const ProjectSpec& project, const DataPipeline& data, const CheckedGraph& graph) {
  const TrainSpec& train = *project.train;
  Issues issues = checkParts(project, engineCatalog());
  append(issues, checkDevice(train));
  append(issues, checkBestBy(train));
  append(issues, checkData(data, train));
  append(issues,
         checkOptimizers(train,
                         {parameterNames(graph),
                          data.ok() && data.training ? groupsOf(train, data).stepsPerEpoch() : 0}));
  append(issues, checkSchedule(train));
  append(issues,
         checkLoss(project, data.ok() && data.training ? data.training->meta().classes : 0, graph));
  std::copy_if(graph.issues.begin(), graph.issues.end(), std::back_inserter(issues),
               std::not_fn(catalogTells));
  return issues;
}

ParamMap complete(const ParamSchema& schema, const PartSpec& part) {
  return completeParams(schema, part.params);
}

}  // namespace

CheckedGraph checkGraphOf(const ProjectSpec& project, const DataPipeline& data) {
  GraphContext context;
  if (data.ok() && data.training) {
    const SampleMeta& meta = data.training->meta();
    context.sample.sizes = {kFreeSize};
    context.sample.sizes.insert(context.sample.sizes.end(), meta.shape.begin(), meta.shape.end());
    context.sample.dtype = meta.dtype;
    const LossDef* loss = findLoss(project.train->loss.type);
    if (loss && loss->wantsClasses) context.classes = meta.classes;
    context.oneOutputForTwo = loss && loss->oneOutputForTwo;
  }
  return checkGraph(*project.graph, context);
}

Issues checkProject(const ProjectSpec& project, const std::string& folder) {
  return checkProject(project, openData(*project.data, folder));
}

Issues checkProject(const ProjectSpec& project, const DataPipeline& data) {
  return allIssues(project, data, checkGraphOf(project, data));
}

Code codeOfIssues(const Issues& issues) {
  for (const Issue& issue : issues)
    if (issue.severity == Severity::Error && issue.code == kDeviceIssue) return Code::Device;
  return Code::Input;
}

RunSetup setUpModel(const ProjectSpec& project, const std::string& folder) {
  RunSetup setup;
  setup.data = openData(*project.data, folder);
  CheckedGraph graph = checkGraphOf(project, setup.data);
  const Issues issues = allIssues(project, setup.data, graph);
  throwIfErrors(issues, codeOfIssues(issues));
  setup.groups = groupsOf(*project.train, setup.data);
  setup.model =
      std::make_unique<Model>(std::move(graph), static_cast<uint64_t>(project.train->seed),
                              deviceFromName(project.train->device));
  return setup;
}

Loss makeLoss(const TrainSpec& train, const LossFacts& facts) {
  const LossDef* def = findLoss(train.loss.type);
  if (!def) throw Error(Code::Input, fmt::format("there is no loss '{}'", train.loss.type));
  Loss loss = def->make(complete(def->schema, train.loss), facts);
  loss.meaning.reading = def->reading;
  return loss;
}

BoundSchedule::BoundSchedule(const TrainSpec& train) {
  const ScheduleDef* def = findSchedule(train.schedule.type);
  if (!def) throw Error(Code::Input, fmt::format("there is no schedule '{}'", train.schedule.type));
  schedule_ = makeSchedule(*def, complete(def->schema, train.schedule));
  // What it watches must be known before the first epoch has been trained.
  std::vector<EpochValue> values = {{"loss", 0.0}};
  for (const PartSpec& metric : train.metrics) values.push_back({metric.type, 0.0});
  makeSchedule(*def, complete(def->schema, train.schedule))->epochEnded({}, values);
}

void BoundSchedule::epochEnded(const SchedulePoint& at, const EpochSummary& epoch, bool validated) {
  std::vector<EpochValue> values = {{"loss", validated ? epoch.validationLoss : epoch.trainLoss}};
  for (const auto& [name, value] : epoch.metrics)
    values.push_back({name.substr(name.find('/') + 1), value});
  schedule_->epochEnded(at, values);
}

}  // namespace tenon
