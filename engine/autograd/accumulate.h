// SPDX-License-Identifier: Apache-2.0
// Adding gradients: into a node's input slot, and into a leaf.
#pragma once

#include "engine/autograd/node.h"

namespace tenon::autograd {

/// Adds `grad` to what slot `slot` of `node` received so far, after fitting it to the recorded
/// shape and type.
/// @throws Error(Shape) if the shape cannot be summed to the recorded one.
void receive(Node& node, uint32_t slot, Tensor grad, bool createGraph);
/// Runs the leaf's hooks, adds `grad` to its gradient, runs its post-accumulate hooks.
void accumulateLeaf(const Node& node, Tensor grad, bool createGraph);

}  // namespace tenon::autograd
