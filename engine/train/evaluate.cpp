// SPDX-License-Identifier: Apache-2.0
// Evaluation: batches in file order, no gradients, weights of batches by what counts
// in them.
#include "engine/train/evaluate.h"

#include <fmt/format.h>

#include <limits>

#include "engine/base/error.h"
#include "engine/data/loader/loader.h"
#include "engine/data/pipeline.h"
#include "engine/metrics/loss_def.h"
#include "engine/metrics/metric_def.h"
#include "engine/ops/gate/cast.h"
#include "engine/ops/gate/thread_state.h"
#include "engine/schema/validate.h"
#include "engine/train/precision.h"
#include "engine/train/run_setup.h"
#include "engine/train/run_state.h"
#include "engine/train/trainer.h"

namespace tenon {

Evaluation evaluate(const Model& model, const DatasetPtr& dataset, const TrainSpec& train,
                    const EvaluateOptions& options) {
  const gate::NoGradGuard noGrad;
  const PrecisionGuard precision(train);
  // How many classes there are is said by the training data, where it was checked: these may lack
  // some.
  const Loss loss = makeLoss(train);
  std::vector<std::unique_ptr<Metric>> metrics;
  for (const PartSpec& part : train.metrics)
    metrics.push_back(findMetric(part.type)->make(loss.meaning));
  Loader loader(dataset, {options.batchSize, false, false, 0, train.workers, 2});
  loader.start(0);
  Evaluation result;
  double lossSum = 0;
  double lossWeight = 0;
  while (std::optional<Batch> batch = loader.next()) {
    if (options.stop && options.stop()) throw Error(Code::Stopped, "evaluation was stopped");
    const Tensor output = cast(model.forward(batch->values, false), DType::F32);
    if (const double weight = loss.weightOf(batch->targets); weight > 0) {
      const double value = static_cast<double>(loss(output, batch->targets).data<float>()[0]);
      lossSum += loss.total(value, weight);
      lossWeight += weight;
    }
    for (const auto& metric : metrics) metric->add(output, batch->targets);
    result.samples += batch->targets.numel();
  }
  result.loss = lossWeight > 0 ? lossSum / lossWeight : std::numeric_limits<double>::quiet_NaN();
  for (size_t i = 0; i < metrics.size(); ++i)
    result.metrics.emplace_back(train.metrics[i].type, metrics[i]->value());
  return result;
}

Evaluation evaluateRun(Store& store, RunId run, CheckpointKind which, const ProjectSpec& current,
                       const std::string& folder) {
  const ProjectSpec project = projectOfRun(store.runs().get(run), current);
  const auto info = which == CheckpointKind::Best ? store.checkpoints().best(run)
                                                  : store.checkpoints().newestWhole(run);
  if (!info)
    throw Error(Code::Input,
                fmt::format("run {} has no {} checkpoint", run, checkpointKindName(which)));
  RunSetup setup = setUpModel(project, folder);
  if (!setup.data.validation)
    throw Error(Code::Input, "the project has no validation data to evaluate on");
  restoreModel(store.checkpoints().load(info->id), *setup.model);
  return evaluate(*setup.model, setup.data.validation, *project.train);
}

}  // namespace tenon
