// SPDX-License-Identifier: Apache-2.0
// The tables of metrics and losses, gathered from their folders.
#include <vector>

#include "engine/metrics/loss_def.h"
#include "engine/metrics/metric_def.h"

namespace tenon {

std::span<const MetricDef& (*const)()> metricDefinitions();
std::span<const LossDef& (*const)()> lossDefinitions();

namespace {

template <class Definition>
std::vector<const Definition*> gather(std::span<const Definition& (*const)()> definitions) {
  std::vector<const Definition*> all;
  for (const Definition& (*definition)() : definitions) all.push_back(&definition());
  return all;
}

}  // namespace

double Loss::weightOf(const Tensor& targets) const {
  return weight ? weight(targets) : static_cast<double>(targets.numel());
}

std::span<const MetricDef* const> allMetrics() {
  static const std::vector<const MetricDef*> all = gather<MetricDef>(metricDefinitions());
  return all;
}

const MetricDef* findMetric(std::string_view id) {
  for (const MetricDef* metric : allMetrics())
    if (metric->id == id) return metric;
  return nullptr;
}

std::span<const LossDef* const> allLosses() {
  static const std::vector<const LossDef*> all = gather<LossDef>(lossDefinitions());
  return all;
}

const LossDef* findLoss(std::string_view id) {
  for (const LossDef* loss : allLosses())
    if (loss->id == id) return loss;
  return nullptr;
}

}  // namespace tenon
