// SPDX-License-Identifier: Apache-2.0
// Functions with a gradient rule of the user's own.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/autograd/autograd.h"

namespace tenon::autograd {

/// What the forward rule of a custom function tells its backward rule.
class TENON_API FunctionContext {
 public:
  /// Forward: keeps tensors for backward, in this order: inputs, outputs, or others, which then
  /// count as constants for second derivatives. Saved-tensor hooks see them; what is changed in
  /// place afterwards is found.
  void save(std::vector<Tensor> tensors) { saved_ = std::move(tensors); }
  /// Backward: what was saved.
  const std::vector<Tensor>& saved() const { return saved_; }
  /// Whether input `i` wants a gradient; others may be left undefined.
  bool needsGrad(size_t i) const { return i < 64 && ((needs_ >> i) & 1u); }
  /// Forward: output `i` never carries a gradient. Integer outputs never do.
  void markNonDifferentiable(size_t i) { constant_.push_back(i); }
  /// Forward: outputs without a gradient give undefined tensors to backward instead of zeros.
  void keepUndefinedGradients() { materialize_ = false; }

 private:
  friend struct CustomCall;
  std::vector<Tensor> saved_;
  std::vector<size_t> constant_;
  uint64_t needs_ = 0;
  bool materialize_ = true;
};

/// A pair of rules. For instance y = x^2:
///
///     auto square = std::make_shared<const CustomFunction>(CustomFunction{
///         "square",
///         [](FunctionContext& context, std::span<const Tensor> in) {
///           context.save({in[0]});
///           return std::vector<Tensor>{mul(in[0], in[0])};
///         },
///         [](FunctionContext& context, std::span<const Tensor> grad) {
///           return std::vector<Tensor>{mul(grad[0], mulScalar(context.saved()[0], 2))};
///         }});
struct CustomFunction {
  std::string name;  ///< in messages, recordings and anomaly mode
  /// Runs without recording gradients. It must not change its inputs in place.
  std::function<std::vector<Tensor>(FunctionContext& context, std::span<const Tensor> inputs)>
      forward;
  /// Gets the gradients of the outputs, gives one for each input (undefined: none).
  std::function<std::vector<Tensor>(FunctionContext& context, std::span<const Tensor> gradOutputs)>
      backward;
  /// False if `backward` is no composition of operators with gradients: a second derivative is
  /// then refused.
  bool backwardDifferentiable = true;
};

/// Calls a custom function. Listeners of the gate hear the operators of the forward rule and then,
/// if a gradient is recorded, the call itself: without a kernel, from the inputs to the outputs
/// that it returns. An output that is one of the inputs comes back as a view of it.
/// @param inputs at most 64; undefined ones are handed on
/// @throws Error(Usage) if forward gives an undefined output or changes an input in place; during
/// backward if the number of gradients is another than that of inputs; Error(Shape) if a gradient
/// does not fit its input.
TENON_API std::vector<Tensor> apply(std::shared_ptr<const CustomFunction> function,
                                    std::span<const Tensor> inputs);

}  // namespace tenon::autograd
