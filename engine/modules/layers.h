// SPDX-License-Identifier: Apache-2.0
// Modules to build networks from. Those with weights and those without are the layers of the
// project file (engine/layers/definitions), bound to their parameters: one definition for both.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/layers/layer_def.h"
#include "engine/modules/module.h"
#include "engine/schema/param_map.h"

namespace tenon::nn {

using ModulePtr = std::shared_ptr<Module>;

/// A layer of a definition. Weights are made at once, with the initial values of the definition
/// drawn from the thread's generator (initializers.h).
/// @param id as in the project file, e.g. "conv2d"
/// @param params those that are not as the schema's defaults
/// @param inputs one shape for each input, the batch (kFreeSize) first; needed by layers with
/// weights, whose shapes follow from it. Other sizes may differ in later calls as far as the
/// weights fit. Optional inputs may be left out at the end, here and in calls, or be shapes without
/// sizes and undefined tensors.
/// @throws Error(Usage) for an unknown layer; Error(Input) for params or shapes that the layer
/// refuses; in a call Error(Shape) if the layer or its weights do not fit the input's shape or
/// type.
TENON_API ModulePtr layer(std::string_view id, const ParamMap& params = {},
                          std::vector<PortShape> inputs = {});

/// y = x W^T + b on the last axis. @param in, out sizes of that axis
TENON_API ModulePtr linear(int64_t in, int64_t out, bool bias = true);

struct Conv2dOptions {
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t dilation = 1;
  int64_t groups = 1;
  bool bias = true;
};
/// [N, in, H, W] -> [N, out, H', W'] with square kernels.
TENON_API ModulePtr conv2d(int64_t in, int64_t out, int64_t kernel,
                           const Conv2dOptions& options = {});
/// Of [N, channels, H, W]; buffers for running mean and variance and the number of
/// batches in them. @param momentum none: running statistics are the average over all batches
TENON_API ModulePtr batchNorm2d(int64_t channels, std::optional<double> momentum = 0.1,
                                double eps = 1e-5);
/// Of the last axis.
TENON_API ModulePtr layerNorm(int64_t size, double eps = 1e-5);
/// Rows of a table [count, size] for indices [...] (i64); the row `paddingIndex` (-1: none) is zero
/// and is not trained.
TENON_API ModulePtr embedding(int64_t count, int64_t size, int64_t paddingIndex = -1);
TENON_API ModulePtr dropout(double p = 0.5);
TENON_API ModulePtr relu();
/// [N, a, b, ...] -> [N, a * b * ...]
TENON_API ModulePtr flatten();
/// @param stride 0: as the kernel
TENON_API ModulePtr maxPool2d(int64_t kernel, int64_t stride = 0, int64_t padding = 0);

/// Modules one after the other, named "0", "1", ...: each gets all outputs of the one before, but
/// for those beside a layer's result, as a recurrent layer's states; the last gives these too.
class TENON_API Sequential final : public Module {
 public:
  Sequential(std::initializer_list<ModulePtr> parts = {});  // NOLINT: a list is what it is
  /// Puts a module behind the others.
  void add(const ModulePtr& module);
  size_t size() const { return parts_.size(); }
  Module& operator[](size_t i) { return *parts_.at(i); }

 protected:
  Tensors forward(std::span<const Tensor> inputs) override;
  size_t passedOn(size_t outputs) const override;

 private:
  std::vector<ModulePtr> parts_;
};

}  // namespace tenon::nn
