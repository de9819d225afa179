// SPDX-License-Identifier: Apache-2.0
// The five networks of tests/reference/make_trainings.py, built of the engine's operators from the
// same weights.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/optim/optimizer_def.h"
#include "engine/tensor/tensor.h"

namespace tenon::testing {

/// The numbers in -1 .. 1 that make_trainings.py calls by that seed.
std::vector<double> drawnNumbers(int64_t count, uint64_t seed);
/// The class indices that it calls by that seed.
Tensor drawnClasses(const Shape& shape, uint64_t seed, uint64_t classes);

/// Weights by name, made when they are first asked for; their seeds count from 1 in that order.
class DrawnWeights {
 public:
  explicit DrawnWeights(DType dtype) : dtype_(dtype) {}

  /// offset + scale * drawn numbers, rounded to f32.
  Tensor operator()(const std::string& name, const Shape& shape, double scale, double offset = 0);
  Tensor linear(const std::string& name, const Tensor& x, int64_t out);
  /// A square kernel without bias.
  Tensor conv(const std::string& name, const Tensor& x, int64_t out, int64_t kernel,
              int64_t stride = 1, int64_t padding = 0);
  Tensor batchNorm(const std::string& name, const Tensor& x, bool relu);
  Tensor layerNorm(const std::string& name, const Tensor& x);

  const std::vector<OptimizedParameter>& all() const { return all_; }

 private:
  DType dtype_;
  std::map<std::string, Tensor> byName_;
  std::vector<OptimizedParameter> all_;
};

struct WholeNetwork {
  Tensor (*loss)(DrawnWeights& weights, const Tensor& x, const Tensor& target) = nullptr;
  Shape input;
  uint64_t tokens = 0;  ///< above 0: the input holds indices below it
  Shape target;
  uint64_t classes = 0;
};
/// "mlp", "cnn", "resnet18", "lstm", "gpt".
const std::map<std::string, WholeNetwork>& wholeNetworks();

}  // namespace tenon::testing
