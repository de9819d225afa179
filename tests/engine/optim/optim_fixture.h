// SPDX-License-Identifier: Apache-2.0
// What tests of optimizers share: the weights and gradients of tests/reference/make_optim.py, and
// definitions made with some parameters changed.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "engine/autograd/autograd.h"
#include "engine/base/error.h"
#include "engine/optim/optimizer_def.h"
#include "engine/optim/schedule_def.h"
#include "tests/support/error_text.h"

namespace tenon::test {

struct WeightShape {
  const char* name;
  Shape shape;
};
/// Odd sizes, so that vectors have tails. The last one gets its first gradient late.
inline const std::vector<WeightShape>& weightShapes() {
  static const std::vector<WeightShape> kShapes = {{"body.weight", {3, 5}},
                                                   {"body.bias", {7}},
                                                   {"head.weight", {13}},
                                                   {"head.bias", {1}},
                                                   {"late.weight", {2, 3, 3}}};
  return kShapes;
}

/// The values that make_optim.py calls by that seed.
inline Tensor seeded(const Shape& shape, int64_t seed, DType dtype) {
  std::vector<double> values(static_cast<size_t>(shape.numel()));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>((211 * static_cast<int64_t>(i) + 97 * seed) % 1021 - 510) / 512;
  if (dtype == DType::F64) return Tensor::fromValues(values, shape);
  return Tensor::fromValues(std::vector<float>(values.begin(), values.end()), shape);
}

inline std::vector<OptimizedParameter> weights(DType dtype) {
  std::vector<OptimizedParameter> all;
  for (const WeightShape& weight : weightShapes()) {
    const Tensor t = seeded(weight.shape, static_cast<int64_t>(all.size()) + 1, dtype);
    autograd::setRequiresGrad(t);
    all.push_back({weight.name, t});
  }
  return all;
}

/// Gradients of step t (from 1); "late.weight" has none in the first `late` steps.
inline void setGradients(const std::vector<OptimizedParameter>& weights, int64_t t,
                         int64_t late = 2) {
  for (size_t j = 0; j < weights.size(); ++j) {
    const Tensor& p = weights[j].tensor;
    const bool none = weights[j].name == "late.weight" && t <= late;
    autograd::setGrad(
        p, none ? Tensor() : seeded(p.shape(), 10 * t + static_cast<int64_t>(j), p.dtype()));
  }
}

inline double rateOf(double peak, int64_t t) { return peak * (1 - static_cast<double>(t) / 20); }

inline ParamMap changed(const ParamSchema& schema, const ParamMap& changes) {
  ParamMap params = schema.defaults();
  for (const auto& [name, value] : changes) params.set(name, value);
  return params;
}

inline std::unique_ptr<Optimizer> optimizerOf(const std::string& id, const ParamMap& changes,
                                              std::vector<OptimizedParameter> parameters) {
  const OptimizerDef* def = findOptimizer(id);
  return def->make(changed(def->schema, changes), std::move(parameters));
}

inline std::unique_ptr<Schedule> scheduleOf(const std::string& id, const ParamMap& changes) {
  const ScheduleDef* def = findSchedule(id);
  return makeSchedule(*def, changed(def->schema, changes));
}

inline std::vector<double> numbersOf(const Tensor& t) {
  if (t.dtype() == DType::F64) return t.toVector<double>();
  const std::vector<float> values = t.toVector<float>();
  return {values.begin(), values.end()};
}

}  // namespace tenon::test
