// SPDX-License-Identifier: Apache-2.0
// The table of metrics, gathered from the folder.
#include <vector>

#include "engine/metrics/metric_def.h"

namespace tenon {

std::span<const MetricDef& (*const)()> metricDefinitions();

std::span<const MetricDef* const> allMetrics() {
  static const std::vector<const MetricDef*> all = [] {
    std::vector<const MetricDef*> metrics;
    for (const MetricDef& (*definition)() : metricDefinitions()) metrics.push_back(&definition());
    return metrics;
  }();
  return all;
}

const MetricDef* findMetric(std::string_view id) {
  for (const MetricDef* metric : allMetrics())
    if (metric->id == id) return metric;
  return nullptr;
}

}  // namespace tenon
