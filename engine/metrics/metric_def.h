// SPDX-License-Identifier: Apache-2.0
// MetricDef: one metric a file in definitions/. A metric is reset, fed batch by batch, and gives a
// value with a unit.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/metrics/output_reading.h"
#include "engine/tensor/tensor.h"

namespace tenon {

class Metric {
 public:
  virtual ~Metric() = default;
  virtual void reset() = 0;
  /// @param output the model's output, [N, C] or [N, 1] f32; @param targets [N] i64
  virtual void add(const Tensor& output, const Tensor& targets) = 0;
  /// Over everything added since reset; NaN if nothing was.
  virtual double value() const = 0;
};

struct MetricDef {
  std::string id;
  std::string title;
  std::string unit;  ///< "%", or empty
  bool higherIsBetter = true;
  std::string help;
  /// @param meaning how outputs are to be read, which targets do not count
  std::unique_ptr<Metric> (*make)(const OutputMeaning& meaning) = nullptr;
};

TENON_API std::span<const MetricDef* const> allMetrics();
TENON_API const MetricDef* findMetric(std::string_view id);

}  // namespace tenon
