// SPDX-License-Identifier: Apache-2.0
// Activation checkpointing: a part of the forward pass keeps its inputs only and is computed again
// in backward (Chen et al. 2016, arXiv:1604.06174).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/tensor/tensor.h"

namespace tenon::autograd {

using CheckpointedFunction = std::function<std::vector<Tensor>(std::span<const Tensor> inputs)>;

struct CheckpointOptions {
  /// The recomputation draws the same random numbers (dropout masks), and leaves the thread's
  /// generator as it is.
  bool keepRandomState = true;
};

/// Runs `function` and keeps none of what it saves for backward, only `inputs`. When a backward
/// pass first needs a saved tensor, the function runs again up to the last one that is still
/// needed; each is freed as soon as it was used. Works in every kind of backward pass (grad(),
/// retained graphs, createGraph) and inside itself. What the function does beside its result
/// happens twice, e.g. the running statistics of a batch norm move twice.
/// @param function must do the same each time; what it refers to must live as long as the graph
/// @throws Error(Usage) during backward if an input was changed in place since, or the
/// recomputation saves fewer tensors, or one of another shape, type or device.
TENON_API std::vector<Tensor> checkpoint(CheckpointedFunction function,
                                         std::span<const Tensor> inputs,
                                         CheckpointOptions options = {});

/// A chain of functions in `segments` parts of about equal length, each checkpointed but the last,
/// whose recomputation would save nothing.
/// @param segments 1 .. functions.size(). @throws Error(Usage) otherwise, and as checkpoint().
TENON_API Tensor
checkpointSequential(std::span<const std::function<Tensor(const Tensor&)>> functions,
                     size_t segments, const Tensor& x, CheckpointOptions options = {});

}  // namespace tenon::autograd
