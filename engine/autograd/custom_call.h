// SPDX-License-Identifier: Apache-2.0
// A recorded call of a custom function: what its node holds beside what every node has.
#pragma once

#include "engine/autograd/custom_function.h"
#include "engine/autograd/node.h"

namespace tenon::autograd {

struct CustomCall {
  std::shared_ptr<const CustomFunction> function;
  FunctionContext context;  ///< without the tensors: the node keeps those
  OpDef op;                 ///< gives the node its name

  CustomCall(std::shared_ptr<const CustomFunction> of, FunctionContext made);

  /// Tensors that forward asked to save.
  std::span<const Tensor> toSave() const { return context.saved_; }
  void forgetSaved() { context.saved_.clear(); }
  bool isConstant(size_t output) const;
  /// Runs the backward rule; `gradients` (one an input) gets what it gives.
  void backward(const Node& node, uint64_t needs, bool createGraph, std::span<Tensor> gradients);

  /// A context whose forward is about to run.
  static FunctionContext contextFor(uint64_t needs);
};

}  // namespace tenon::autograd
