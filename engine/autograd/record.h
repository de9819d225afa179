// SPDX-License-Identifier: Apache-2.0
// The parts of recording that operators and custom functions share.
#pragma once

#include "engine/autograd/node.h"

namespace tenon::autograd {

/// The number that the calling thread's next node gets.
uint64_t nextNodeNumber();
/// A node for a call of `op` in the present scope.
Ref<Node> newNode(const OpDef& op);
/// Appends the next input (null or undefined: absent).
void connectInput(Node& node, const Tensor* input);
/// Appends the next output and makes the node its history, unless it never carries a gradient.
void connectOutput(const Ref<Node>& node, const Tensor& output, bool differentiable);

}  // namespace tenon::autograd
